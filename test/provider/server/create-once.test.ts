import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { Api, ResourceHandler } from '../../../provider/handlers/handler.js';
import {
  computed,
  optional,
  required,
  typeOfBody,
} from '../../../provider/schemas/schema-builders.js';
import type { ResourceSchema } from '../../../provider/schemas/schema.js';
import {
  withAdoption,
  closeCreations,
  CreationJournal,
} from '../../../provider/server/creation-journal.js';
import type { TerraformRun } from '../../../provider/terraform-runs.js';
import { ProviderServer } from '../../../provider/server/provider-server.js';
import { decodeMessagePack, encodeMessagePack } from '../../../provider/values/message-pack.js';
import { unknown, type ValueMap } from '../../../provider/values/value.js';

let processCount = 0;

const boxSchema: ResourceSchema = {
  version: 0,
  attributes: {
    id: computed('string'),
    name: required('string'),
    note: optional('string'),
    secret: optional('string', { sensitive: true }),
  },
};
const keySchema: ResourceSchema = {
  version: 0,
  attributes: {
    id: computed('string'),
    name: required('string'),
    value: computed('string', { sensitive: true }),
  },
};

/**
 * A service that stores named objects, and a function that starts a provider for it. A second start
 * stands for a new process after a kill: it has the same journal.
 */
function createTestService(folder = mkdtempSync(join(tmpdir(), 'castellan-creations-'))) {
  const updates: ValueMap[] = [];
  const store = new Map<string, Record<string, string | null>>();
  let crash: 'kill' | 'lost answer' | 'full disk' | 'interruption' | undefined;
  let runs: readonly TerraformRun[] = [];
  const handler: ResourceHandler = {
    create({ planned, reportCreated, signal }) {
      const name = String(planned['name']);
      if ([...store.values()].some((each) => each['name'] === name))
        return Promise.reject(new Error(`${name} already exists`));
      const createdObject = {
        ...(planned as Record<string, string>),
        id: `id-of-${name}-${String(store.size)}`,
        ...('value' in planned && { value: 's3cret' }),
      };
      const { value: _value, ...stored } = createdObject;
      // the service returns the value of a key named readable later, too
      store.set(createdObject.id, name === 'readable' ? createdObject : stored);
      if (name === 'half') {
        reportCreated(createdObject);
        return Promise.reject(new Error('a later step failed'));
      }
      if (crash === 'full disk') {
        rmSync(folder, { recursive: true }); // nothing can be written there, as on a full disk
        return Promise.resolve(createdObject);
      }
      if (crash === 'lost answer')
        return Promise.reject(new CastellanError('CAS5002', 'the connection broke off'));
      if (crash === 'interruption')
        return new Promise<never>((_, fail) =>
          signal.addEventListener('abort', () => fail(signal.reason as Error)),
        );
      // a killed process never comes back from the call
      return crash === undefined
        ? Promise.resolve(createdObject)
        : new Promise<never>(() => undefined);
    },
    read: ({ state }) => Promise.resolve(store.get(String(state['id']))),
    update({ planned, prior }) {
      if (prior['note'] === 'locked') return Promise.reject(new Error('it is locked'));
      updates.push(planned);
      store.set(String(prior['id']), { ...(planned as Record<string, string>) });
      return Promise.resolve(planned);
    },
    delete: ({ state }) => Promise.resolve(void store.delete(String(state['id']))),
    findExisting: ({ planned, isTaken }) =>
      Promise.resolve(
        [...store.values()].find(
          (each) => each['name'] === planned['name'] && !isTaken(String(each['id'])),
        ),
      ),
  };
  const startProvider = async (): Promise<
    (method: string, request: object) => Promise<Record<string, unknown>>
  > => {
    const provider = {
      schema: {
        address: 'test',
        sdk: 'framework' as const,
        config: { attributes: {} },
        resources: { test_box: boxSchema, test_key: keySchema },
        dataSources: {},
      },
      resources: { test_box: handler, test_key: handler },
      dataSources: {},
      connect: () => ({}) as Api,
    };
    const journal = new CreationJournal(folder, () => Promise.resolve(runs));
    const server = new ProviderServer(
      provider,
      undefined,
      journal,
      crash === 'interruption' ? 'abort' : 'finish',
    );
    await server.call('ConfigureProvider', { typeName: '' });
    return (method, request) =>
      server.call(method, request as Parameters<typeof server.call>[1]) as Promise<
        Record<string, unknown>
      >;
  };
  return {
    store,
    updates,
    folder,
    start: startProvider,
    crashNext: (when: typeof crash) => (crash = when),
    /** The terraform processes that run from now on. */
    runIn: (...folders: readonly string[]) =>
      (runs = folders.map((each) => ({ pid: (processCount += 1), folder: each }))),
  };
}

const encodedValue = (schema: ResourceSchema, value: ValueMap | null): { msgpack: Uint8Array } => ({
  msgpack: encodeMessagePack(value, typeOfBody(schema)),
});
const creationRequest = (schema: ResourceSchema, typeName: string, planned: ValueMap): object => ({
  typeName,
  priorState: encodedValue(schema, null),
  plannedState: encodedValue(schema, planned),
  config: encodedValue(schema, { ...planned, id: null }),
});
const plannedBox = { id: unknown, name: 'a', note: null, secret: 'hush-hush' };
const stateOf = (schema: ResourceSchema, answer: Record<string, unknown>): ValueMap =>
  decodeMessagePack(
    (answer['newState'] as { msgpack: Uint8Array }).msgpack,
    typeOfBody(schema),
  ) as ValueMap;
const notesIn = (file: string): string[] => readFileSync(file, 'utf8').split('\n').filter(Boolean);

describe('an apply after one that was killed', () => {
  it('adopts an object that the killed provider knew', async () => {
    const { store, start } = createTestService();
    const first = stateOf(
      boxSchema,
      await (
        await start()
      )('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox)),
    );
    const second = stateOf(
      boxSchema,
      await (
        await start()
      )('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox)),
    );
    expect(second).toEqual(first);
    expect(store.size).toBe(1);
  });

  it('does not adopt an object of a run that had ended with it in the state', async () => {
    const { start, folder } = createTestService(
      join(mkdtempSync(join(tmpdir(), 'castellan-creations-')), 'test'),
    );
    const call = await start();
    const first = stateOf(
      boxSchema,
      await call('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox)),
    );
    await call('ConfigureProvider', { typeName: '' }); // another run has started
    await closeCreations(dirname(folder), new Set([String(first['id'])]));
    const secondAnswer = await call(
      'ApplyResourceChange',
      creationRequest(boxSchema, 'test_box', plannedBox),
    );
    expect(JSON.stringify(secondAnswer['diagnostics'])).toContain('already exists');
  });

  it('finds and adopts an object that the service created while the provider was killed', async () => {
    const { store, start, crashNext } = createTestService();
    crashNext('kill');
    void (await start())('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
    await vi.waitFor(() => expect(store.size).toBe(1), { timeout: 20_000 });
    crashNext(undefined);
    const answer = await (
      await start()
    )('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
    expect(answer['diagnostics']).toEqual([]);
    expect(stateOf(boxSchema, answer)['id']).toBe([...store.keys()][0]);
    expect(store.size).toBe(1);
  });

  it('does not find for one creation what another one of this name has made', async () => {
    const { store, start, crashNext } = createTestService();
    const call = await start();
    const other = { ...plannedBox, note: 'the other one' };
    const made = stateOf(
      boxSchema,
      await call('ApplyResourceChange', creationRequest(boxSchema, 'test_box', other)),
    );
    crashNext('kill'); // before the service has made the second one
    store.clear();
    void call('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
    await vi.waitFor(() => expect(store.size).toBe(1), { timeout: 20_000 });
    crashNext(undefined);
    store.clear();
    store.set(String(made['id']), { id: String(made['id']), name: 'a', note: 'the other one' });
    const answer = await (
      await start()
    )('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
    expect(JSON.stringify(answer['diagnostics'])).toContain('already exists');
    expect([...store.values()].map(({ note }) => note)).toEqual(['the other one']);
  });

  it('deletes nothing that it found by its name and cannot change: it may be older', async () => {
    const { store, start, crashNext } = createTestService();
    crashNext('kill');
    void (await start())('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
    await vi.waitFor(() => expect(store.size).toBe(1), { timeout: 20_000 });
    crashNext(undefined);
    store.clear();
    store.set('older', { id: 'older', name: 'a', note: 'locked' });
    const answer = await (
      await start()
    )('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
    expect(JSON.stringify(answer['diagnostics'])).toContain('already exists');
    expect([...store.keys()]).toEqual(['older']);
  });

  it('adopts an object and gives it the secret that this run generated', async () => {
    const { store, start } = createTestService();
    await (
      await start()
    )(
      'ApplyResourceChange',
      creationRequest(boxSchema, 'test_box', { ...plannedBox, secret: 'first-password' }),
    );
    const answer = await (
      await start()
    )(
      'ApplyResourceChange',
      creationRequest(boxSchema, 'test_box', { ...plannedBox, secret: 'second-password' }),
    );
    expect(answer['diagnostics']).toEqual([]);
    expect([...store.values()].map(({ secret }) => secret)).toEqual(['second-password']);
  });

  it('does not adopt an object that a state contains', async () => {
    const { start } = createTestService();
    const call = await start();
    const state = stateOf(
      boxSchema,
      await call('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox)),
    );
    await call('ReadResource', {
      typeName: 'test_box',
      currentState: encodedValue(boxSchema, state),
    });
    const again = await call(
      'ApplyResourceChange',
      creationRequest(boxSchema, 'test_box', plannedBox),
    );
    expect(JSON.stringify(again['diagnostics'])).toContain('already exists');
  });

  it.each([
    ['adopts an object of a killed run in the same folder', '/work/a', undefined, 'a'],
    ['creates an object beside the one of another folder', '/work/b', undefined, 'a-b'],
    ['creates an object beside the one in the state', undefined, 'terraform.tfstate', 'a-b'],
    [
      'creates an object beside the one in the state of another workspace',
      undefined,
      'terraform.tfstate.d/blue/terraform.tfstate',
      'a-b',
    ],
  ])('%s', async (_outcome, nextFolder, stateFile, names) => {
    const { store, start, runIn } = createTestService();
    const folder = mkdtempSync(join(tmpdir(), 'castellan-run-'));
    const call = await start();
    runIn(nextFolder === undefined ? folder : '/work/a');
    await call('ConfigureProvider', { typeName: '' });
    const first = stateOf(
      boxSchema,
      await call('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox)),
    );
    if (stateFile !== undefined) {
      const instances = [{ attributes: { id: first['id'] } }];
      mkdirSync(dirname(join(folder, stateFile)), { recursive: true });
      writeFileSync(
        join(folder, stateFile),
        JSON.stringify({ version: 4, resources: [{ type: 'test_box', instances }] }),
      );
    }
    if (names === 'a-b') store.forEach((each) => (each['name'] = 'b')); // so that an equal one may be created
    runIn(nextFolder ?? folder);
    await call('ConfigureProvider', { typeName: '' });
    await call('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
    expect(
      [...store.values()]
        .map(({ name }) => name)
        .sort()
        .join('-'),
    ).toBe(names);
  });

  it('does not adopt an object of a process that still runs', async () => {
    const { store, start, runIn } = createTestService();
    const call = await start();
    runIn('/work/a');
    for (const name of ['first', 'second']) {
      await call('ConfigureProvider', { typeName: '' });
      await call('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
      store.forEach((each) => (each['name'] = name));
    }
    expect(store.size).toBe(2);
  });

  it('does not adopt objects of its own run: two equal declarations create two objects', async () => {
    const { store, start } = createTestService();
    const call = await start();
    const planned = { id: unknown, name: 'k', value: unknown };
    await call('ApplyResourceChange', creationRequest(keySchema, 'test_key', planned));
    store.forEach((each) => (each['name'] = 'renamed meanwhile'));
    await call('ApplyResourceChange', creationRequest(keySchema, 'test_key', planned));
    expect(store.size).toBe(2);
  });

  it('creates an object again if only its creation returns its secret, and deletes the old one', async () => {
    const { store, start } = createTestService();
    const planned = { id: unknown, name: 'k', value: unknown };
    const first = stateOf(
      keySchema,
      await (
        await start()
      )('ApplyResourceChange', creationRequest(keySchema, 'test_key', planned)),
    );
    store.set('other', { id: 'other', name: 'other' });
    const second = stateOf(
      keySchema,
      await (
        await start()
      )('ApplyResourceChange', creationRequest(keySchema, 'test_key', planned)),
    );
    expect(second['value']).toBe('s3cret');
    expect(second['id']).not.toBe(first['id']);
    expect(store.has(String(first['id']))).toBe(false);
  });

  it('adopts an object whose generated value can be read', async () => {
    const { store, start } = createTestService();
    const planned = { id: unknown, name: 'readable', value: unknown };
    const create = async (): Promise<ValueMap> =>
      stateOf(
        keySchema,
        await (
          await start()
        )('ApplyResourceChange', creationRequest(keySchema, 'test_key', planned)),
      );
    const first = await create();
    store.set('other', { id: 'other', name: 'other' });
    expect(await create()).toEqual(first);
    expect(store.size).toBe(2);
  });

  it('completes a partial creation, by an update of the planned values', async () => {
    const { store, start, updates } = createTestService();
    await (
      await start()
    )('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
    const [made] = store.values();
    if (made) made['note'] = 'not as planned';
    const answer = await (
      await start()
    )('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
    expect(answer['diagnostics']).toEqual([]);
    expect(updates).toEqual([{ id: made?.['id'], name: 'a', note: null, secret: 'hush-hush' }]);
    expect(store.size).toBe(1);
  });

  it('answers with the new object if the disk has no space for the journal', async () => {
    const { store, start, crashNext } = createTestService();
    crashNext('full disk');
    const answer = await (
      await start()
    )('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
    expect(answer['diagnostics']).toEqual([]);
    expect(stateOf(boxSchema, answer)['id']).toBe([...store.keys()][0]);
  });

  it.each([
    ['adopts the object', 'second', (note: string) => `${note}\n{"key":"cut`, '[]'],
    ['does not adopt the object', 'only', () => '', 'already exists'],
  ])(
    '%s if the kill cut off the %s note of its creation',
    async (_outcome, _note, cutOff, diagnostics) => {
      const { folder, start } = createTestService();
      await (
        await start()
      )('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
      const [file = ''] = readdirSync(folder);
      const [note = ''] = notesIn(join(folder, file));
      writeFileSync(join(folder, file), cutOff(note));
      const answer = await (
        await start()
      )('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
      expect(JSON.stringify(answer['diagnostics'])).toContain(diagnostics);
    },
  );

  it.each([
    ['was cut off', (first: string, second: string) => `${first}\n${second.slice(0, -9)}`],
    ['does not end its line, as in earlier versions', (_first: string, second: string) => second],
  ])('reads the note after a second note that %s', async (_which, truncate) => {
    const { folder, start } = createTestService();
    const applyBox = async (): Promise<unknown> =>
      (await start())('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
    await applyBox();
    const file = join(folder, readdirSync(folder)[0] ?? '');
    const [first = '', second = ''] = notesIn(file);
    writeFileSync(file, truncate(first, second));
    await applyBox();
    expect(notesIn(file).at(-1)).toBe(second);
  });

  it('adopts objects whose creation got no answer', async () => {
    const { store, start, crashNext } = createTestService();
    const call = await start();
    crashNext('lost answer');
    const first = await call(
      'ApplyResourceChange',
      creationRequest(boxSchema, 'test_box', plannedBox),
    );
    expect(JSON.stringify(first['diagnostics'])).toContain('broke off');
    crashNext(undefined);
    await call('ConfigureProvider', { typeName: '' });
    const second = await call(
      'ApplyResourceChange',
      creationRequest(boxSchema, 'test_box', plannedBox),
    );
    expect(second['diagnostics']).toEqual([]);
    expect([stateOf(boxSchema, second)['id'], store.size]).toEqual([[...store.keys()][0], 1]);
  });

  it('adopts objects whose creation was interrupted', async () => {
    const { store, start, crashNext } = createTestService();
    crashNext('interruption');
    const call = await start();
    const interrupted = call(
      'ApplyResourceChange',
      creationRequest(boxSchema, 'test_box', plannedBox),
    );
    await vi.waitFor(() => expect(store.size).toBe(1), { timeout: 20_000 });
    await call('StopProvider', {});
    expect(JSON.stringify((await interrupted)['diagnostics'])).toContain('interrupted');
    crashNext(undefined);
    await call('ConfigureProvider', { typeName: '' });
    const second = await call(
      'ApplyResourceChange',
      creationRequest(boxSchema, 'test_box', plannedBox),
    );
    expect(second['diagnostics']).toEqual([]);
    expect([stateOf(boxSchema, second)['id'], store.size]).toEqual([[...store.keys()][0], 1]);
  });

  it('forgets refused creations', async () => {
    const { store, folder, start } = createTestService();
    store.set('x', { id: 'x', name: 'a' });
    const answer = await (
      await start()
    )('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
    expect(JSON.stringify(answer['diagnostics'])).toContain('already exists');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('never writes a secret into the journal', async () => {
    const { folder, start } = createTestService();
    await (
      await start()
    )('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
    const files = readdirSync(folder);
    expect(files).toHaveLength(1);
    for (const file of files)
      expect(readFileSync(join(folder, file), 'utf8')).not.toContain('hush-hush');
  });

  it('finds records that nobody else can read', async () => {
    const { folder, start } = createTestService();
    await (
      await start()
    )('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
    const [file = ''] = readdirSync(folder);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  });

  it('finds the record of a creation that a power failure ended: it was on the disk before', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-creations-'));
    const anyFile = await open(__filename);
    const sync = vi.spyOn(Object.getPrototypeOf(anyFile) as typeof anyFile, 'datasync');
    await anyFile.close();
    await new CreationJournal(folder).begin('key', 'test_box', new Date());
    expect(sync).toHaveBeenCalledTimes(1);
    sync.mockRestore();
  });
});

describe('a creation during castellan adopt', () => {
  it('adopts existing objects as they are, with known secrets', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'castellan-adopting-')), 'test');
    const { store, start, updates } = createTestService(folder);
    store.set('theirs', { id: 'theirs', name: 'a', note: 'kept', secret: null });
    store.set('key', { id: 'key', name: 'k' });
    await withAdoption(
      dirname(folder),
      { secrets: { key: { value: 'known' } }, missing: 'created' },
      async () => {
        const call = await start();
        const adopted = await call(
          'ApplyResourceChange',
          creationRequest(boxSchema, 'test_box', plannedBox),
        );
        expect(stateOf(boxSchema, adopted)).toMatchObject({ id: 'theirs', note: 'kept' });
        const secret = await call(
          'ApplyResourceChange',
          creationRequest(keySchema, 'test_key', { id: unknown, name: 'k', value: unknown }),
        );
        expect(stateOf(keySchema, secret)).toMatchObject({ id: 'key', value: 'known' });
      },
    );
    expect([store.size, updates]).toEqual([2, []]);
    const after = await (
      await start()
    )('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox));
    expect(JSON.stringify(after['diagnostics'])).toContain('already exists');
  });

  it('gives each of two equal declarations an object of its own, and a third one none', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'castellan-adopting-')), 'test');
    const { store, start } = createTestService(folder);
    for (const id of ['one', 'two']) store.set(id, { id, name: 'a', note: null, secret: null });
    const answers = await withAdoption(
      dirname(folder),
      { secrets: {}, missing: 'refused' },
      async () => {
        const call = await start();
        return Promise.all(
          [1, 2, 3].map(() =>
            call('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox)),
          ),
        );
      },
    );
    expect(answers.slice(0, 2).map((each) => stateOf(boxSchema, each)['id'])).toEqual([
      'one',
      'two',
    ]);
    expect(JSON.stringify(answers[2]?.['diagnostics'])).toContain('CAS8206');
  });

  it('adopts nothing for a process that was killed meanwhile', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'castellan-adopting-')), 'test');
    const { store, start } = createTestService(folder);
    store.set('theirs', { id: 'theirs', name: 'a', note: 'kept', secret: null });
    const { pid } = spawnSync('true');
    const adoption = { pid, secrets: {}, missing: 'created' };
    writeFileSync(join(dirname(folder), 'adoption.json'), JSON.stringify(adoption));
    const call = await start();
    const answer = await call(
      'ApplyResourceChange',
      creationRequest(boxSchema, 'test_box', plannedBox),
    );
    expect(JSON.stringify(answer['diagnostics'])).toContain('already exists');
  });

  it('creates nothing if missing objects must be refused', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'castellan-adopting-')), 'test');
    const { store, start } = createTestService(folder);
    const { diagnostics } = await withAdoption(
      dirname(folder),
      { secrets: {}, missing: 'refused' },
      async () =>
        (await start())('ApplyResourceChange', creationRequest(boxSchema, 'test_box', plannedBox)),
    );
    expect(JSON.stringify(diagnostics)).toContain('CAS8206');
    expect(store.size).toBe(0);
  });
});
