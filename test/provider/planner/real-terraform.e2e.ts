import { createWorkspace, type Workspace } from '../support/terraform.js';
import { memoryConfig, startMemoryProvider } from '../support/memory-provider.js';

describe.each(['sdkv2', 'framework'] as const)(
  'the generic planner of a provider built with %s, under the real terraform',
  (sdk) => {
    let provider: Awaited<ReturnType<typeof startMemoryProvider>>;
    let workspace: Workspace;

    beforeEach(async () => {
      provider = await startMemoryProvider(sdk);
      workspace = await createWorkspace(provider.env);
    });
    afterEach(async () => {
      await provider.close();
      await workspace.remove();
    });

    const allAttributes = {
      name: 'one',
      place: 'West Europe',
      kind: 'small',
      ratio: 0.1,
      left: 'l',
      tags: { a: 'b' },
      body: { list: [1, '2', true, null], deep: { big: 12345678901234567890 } },
      secret: 'hush-hush',
      settings: { mode: 'm' },
      parts: { 'a.json': { source: 's' } },
      rules: [{ find: 'f' }, { find: 'g', put: 'h' }],
      port: [{ number: 80 }, { number: 443, label: 'tls' }],
      grant: [{ who: 'ada' }, { who: 'grace', role: 'writer' }],
    };

    test('creates, plans no changes, updates, replaces and destroys without an inconsistency', async () => {
      await workspace.write(memoryConfig({ t: allAttributes }));
      await workspace.succeed('init');
      expect(await workspace.succeed('apply', '-auto-approve')).toContain('1 added');
      expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
      const state = (await workspace.state())['memory_thing.t'];
      expect(state).toMatchObject({
        size: 10,
        enabled: true,
        owners: ['caller'],
        ratio: 0.1,
        settings: { mode: 'm', level: 1 },
      });
      expect(state?.['port']).toEqual([
        { number: 80, label: null, url: 'https://80' },
        { number: 443, label: 'tls', url: 'https://443' },
      ]);

      await workspace.write(
        memoryConfig({
          t: {
            ...allAttributes,
            name: 'two',
            place: 'westeurope',
            port: [{ number: 8080 }],
            grant: [{ who: 'grace', role: 'writer' }],
          },
        }),
      );
      const update = await workspace.succeed('plan');
      expect(update).toContain('1 to change');
      expect(update).not.toContain('westeurope');
      expect(await workspace.succeed('apply', '-auto-approve')).toContain('1 changed');
      expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');

      await workspace.write(memoryConfig({ t: { ...allAttributes, settings: { mode: 'other' } } }));
      const replacement = await workspace.succeed('apply', '-auto-approve');
      expect(replacement).toContain('# forces replacement');
      expect(replacement).toContain('1 added, 0 changed, 1 destroyed');
      expect(replacement).not.toContain('hush-hush');
      expect(await workspace.succeed('destroy', '-auto-approve')).toContain('1 destroyed');
      expect(provider.store.size).toBe(0);
    });

    test('detects drift and deleted resources', async () => {
      await workspace.write(memoryConfig({ t: { name: 'one', kind: 'small', left: 'l' } }));
      await workspace.succeed('init');
      await workspace.succeed('apply', '-auto-approve');
      const [storedThing] = [...provider.store.values()];
      if (storedThing !== undefined) storedThing['name'] = 'changed behind our back';
      expect(await workspace.succeed('plan')).toContain('"changed behind our back" -> "one"');
      provider.store.clear();
      expect(await workspace.succeed('plan')).toContain('1 to add');
    });

    test('imports by id and upgrades an older state', async () => {
      await workspace.write(memoryConfig({ t: { name: 'one', kind: 'small', left: 'l' } }));
      await workspace.succeed('init');
      await workspace.succeed('apply', '-auto-approve');
      const [id = ''] = provider.store.keys();
      await workspace.succeed('state', 'rm', 'memory_thing.t');
      expect(await workspace.succeed('import', 'memory_thing.t', id)).toContain(
        'Import successful',
      );
      expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
      const { readFile, writeFile } = await import('node:fs/promises');
      const file = `${workspace.folder}/terraform.tfstate`;
      const state = JSON.parse(await readFile(file, 'utf8')) as {
        resources: {
          instances: { schema_version: number; attributes: Record<string, unknown> }[];
        }[];
      };
      const instance = state.resources[0]?.instances[0];
      if (instance !== undefined) {
        instance.schema_version = 1;
        instance.attributes = { ...instance.attributes, title: 'one' };
        delete instance.attributes['name'];
      }
      await writeFile(file, JSON.stringify(state));
      expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    });

    test('reports all mistakes at their attributes at once, without secrets', async () => {
      await workspace.write(
        memoryConfig({
          t: {
            name: '',
            kind: 'huge',
            left: 'l',
            right: 'r',
            note: 'n',
            notes: ['m'],
            secret: '',
            old: 'o',
            port: [{ number: 0 }],
          },
        }),
      );
      await workspace.succeed('init');
      const output = await workspace.fail('validate');
      for (const text of [
        'expected kind to be one of',
        'only one of `left,right`',
        'conflicts with notes',
        'range (1 - 65535)',
        'Use note.',
        'line 1, in resource.memory_thing.t',
      ])
        expect(output.replaceAll(/\s+/g, ' ')).toContain(text.replaceAll(/\s+/g, ' '));
    });

    test('values that depend on an unknown value are planned as unknown', async () => {
      await workspace.write(
        memoryConfig({
          a: { name: 'a', kind: 'small', left: 'l' },
          b: {
            name: '${memory_thing.a.id}',
            kind: 'small',
            left: 'l',
            body: { of: '${memory_thing.a.address}' },
            owners: ['${memory_thing.a.id}'],
            port: [{ number: 1, label: '${memory_thing.a.id}' }],
          },
        }),
      );
      await workspace.succeed('init');
      expect(await workspace.succeed('apply', '-auto-approve')).toContain('2 added');
      expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    });
  },
);
