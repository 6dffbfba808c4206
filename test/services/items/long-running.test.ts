import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../../services/common/clock.js';
import {
  ids,
  part,
  type StartedItems,
  startItems,
  type StartOptions,
  tokenOf,
  workspacePath,
} from './support/start-items.js';

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** A clock that stops until it is moved. */
function movableClock(): Clock & { move(seconds: number): void } {
  let now = Date.parse('2026-01-01T00:00:00Z');
  return { now: () => new Date(now), move: (seconds) => void (now += seconds * 1000) };
}

describe('long-running operations', () => {
  const services: StartedItems[] = [];
  const start = async (options: StartOptions = {}): Promise<StartedItems> => {
    const service = await startItems({
      longRunning: { mode: 'always', seed: '', seconds: 20 },
      ...options,
    });
    services.push(service);
    return service;
  };
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.stop()));
  });
  const follow = (
    service: StartedItems,
    location: string | null,
    token?: string,
  ): ReturnType<StartedItems['call']> =>
    service.call(
      'GET',
      (location ?? '').replace(service.origin, ''),
      token === undefined ? {} : { token },
    );

  it('are selected by the size of the request if configured', async () => {
    const service = await start({
      longRunning: { mode: 'size', seed: '', bytes: 200, seconds: 0 },
    });
    const create = (displayName: string, description: string): Promise<number> =>
      service
        .call('POST', `${workspacePath}/eventhouses`, { body: { displayName, description } })
        .then(({ status }) => status);
    expect(await create('small', '')).toBe(201);
    expect(await create('large', 'x'.repeat(200))).toBe(202);
  });

  /**
   * @claim item-202: A long-running operation is accepted by 202 with Location, operation id and
   *   Retry-After.
   * @source https://learn.microsoft.com/rest/api/fabric/articles/long-running-operation
   * @seen fabric
   */
  it.each([
    ['neutral', 'x-svc-operation-id'],
    ['azure', 'x-ms-operation-id'],
  ] as const)(
    'are accepted with 202, Location, operation id and Retry-After (%s)',
    async (dialect, header) => {
      const clock = movableClock();
      const service = await start({ dialect, clock });
      const accepted = await service.call('POST', `${workspacePath}/eventhouses`, {
        body: { displayName: 'house' },
      });
      expect([accepted.status, accepted.body]).toEqual([202, undefined]);
      const id = accepted.headers.get(header) ?? '';
      expect(id).toMatch(uuid);
      expect(accepted.headers.get('location')).toBe(`${service.origin}/v1/operations/${id}`);
      expect(accepted.headers.get('retry-after')).toBe('20');

      clock.move(5);
      const running = await follow(service, accepted.headers.get('location'));
      expect(running.body).toEqual({
        status: 'Running',
        createdTimeUtc: '2026-01-01T00:00:00.000Z',
        lastUpdatedTimeUtc: '2026-01-01T00:00:05.000Z',
        percentComplete: 25,
      });
      expect([running.headers.get('location'), running.headers.get('retry-after')]).toEqual([
        accepted.headers.get('location'),
        '15',
      ]);
      expect(
        (await follow(service, `${accepted.headers.get('location') ?? ''}/result`)).body.errorCode,
      ).toBe('OperationNotSucceeded');
      expect((await service.call('GET', `${workspacePath}/items`)).body.value).toEqual([]);

      clock.move(16);
      const done = await follow(service, accepted.headers.get('location'));
      expect(done.body).toMatchObject({ status: 'Succeeded', percentComplete: 100 });
      expect(done.headers.get('location')).toBe(`${accepted.headers.get('location') ?? ''}/result`);
      const result = await follow(service, done.headers.get('location'));
      expect(result.body).toMatchObject({
        type: 'Eventhouse',
        displayName: 'house',
        properties: { minimumConsumptionUnits: 0 },
      });
      expect((await service.call('GET', `${workspacePath}/items`)).body.value).toHaveLength(2);
    },
  );

  it('reserve the name from the start', async () => {
    const service = await start();
    const create = (): ReturnType<StartedItems['call']> =>
      service.call('POST', `${workspacePath}/eventstreams`, { body: { displayName: 'one' } });
    const answers = await Promise.all(Array.from({ length: 10 }, create));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      202,
      ...Array<number>(9).fill(409),
    ]);
  });

  it('fail with a reason if configured, and leave nothing', async () => {
    const clock = movableClock();
    const service = await start({
      clock,
      failingItemPrefix: 'doomed',
      longRunning: { mode: 'never', seed: '', seconds: 1 },
    });
    const accepted = await service.call('POST', `${workspacePath}/eventhouses`, {
      body: { displayName: 'doomed-1' },
    });
    expect(accepted.status).toBe(202);
    clock.move(2);
    const failed = await follow(service, accepted.headers.get('location'));
    expect([failed.status, failed.body.status]).toEqual([200, 'Failed']);
    expect(failed.body.error).toEqual({
      errorCode: 'UnknownError',
      message: expect.stringContaining('"doomed-1" could not be created') as string,
      isRetriable: false,
      requestId: accepted.headers.get('requestid'),
    });
    expect(failed.headers.get('location')).toBeNull();
    expect((await service.call('GET', `${workspacePath}/items`)).body.value).toEqual([]);
    expect(
      (
        await service.call('POST', `${workspacePath}/eventhouses`, {
          body: { displayName: 'fine' },
        })
      ).status,
    ).toBe(201);
  });

  /**
   * @claim operation-result: An operation with a result has it at …/operations/{id}/result.
   * @source
   *   https://learn.microsoft.com/rest/api/fabric/core/long-running-operations/get-operation-result
   * @seen fabric
   */
  it('have a result after getDefinition, and none after updateDefinition', async () => {
    const clock = movableClock();
    const service = await start({ clock });
    const created = await service.call('POST', `${workspacePath}/eventstreams`, {
      body: { displayName: 'es' },
    });
    clock.move(21);
    const item = await follow(service, `${created.headers.get('location') ?? ''}/result`);
    const path = `${workspacePath}/eventstreams/${item.body.id as string}`;
    const properties = { retentionTimeInDays: 7, eventThroughputLevel: 'High' };
    const update = await service.call('POST', `${path}/updateDefinition`, {
      body: {
        definition: {
          parts: [part('eventstream.json', {}), part('eventstreamProperties.json', properties)],
        },
      },
    });
    expect(update.status).toBe(202);
    clock.move(21);
    const updated = await follow(service, update.headers.get('location'));
    expect([updated.body.status, updated.headers.get('location')]).toEqual(['Succeeded', null]);
    expect(
      (await follow(service, `${update.headers.get('location') ?? ''}/result`)).body.errorCode,
    ).toBe('OperationHasNoResult');
    const get = await service.call('POST', `${path}/getDefinition`);
    expect(get.status).toBe(202);
    clock.move(21);
    const { body } = await follow(service, `${get.headers.get('location') ?? ''}/result`);
    const payload = body.definition.parts.find(
      (each: { path: string }) => each.path === 'eventstreamProperties.json',
    ).payload as string;
    expect(JSON.parse(Buffer.from(payload, 'base64').toString())).toEqual(properties);
  });

  it('never happen with --long-running never, for definitions either', async () => {
    const service = await start({ longRunning: { mode: 'never', seed: '', seconds: 20 } });
    const { body } = await service.call('POST', `${workspacePath}/eventstreams`, {
      body: { displayName: 'es' },
    });
    const path = `${workspacePath}/eventstreams/${body.id as string}`;
    expect((await service.call('POST', `${path}/getDefinition`)).status).toBe(200);
    const update = { body: { definition: { parts: [part('eventstream.json', {})] } } };
    expect((await service.call('POST', `${path}/updateDefinition`, update)).status).toBe(200);
  });

  it('are random, but the same for the same seed', async () => {
    const statuses = async (seed: string): Promise<number[]> => {
      const service = await start({ longRunning: { mode: 'random', seed, seconds: 20 } });
      const statusCodes: number[] = [];
      for (let index = 0; index < 24; index++)
        statusCodes.push(
          (
            await service.call('POST', `${workspacePath}/eventstreams`, {
              body: { displayName: `s${index}` },
            })
          ).status,
        );
      return statusCodes;
    };
    const first = await statuses('a');
    expect(new Set(first)).toEqual(new Set([201, 202]));
    expect(await statuses('a')).toEqual(first);
    expect(await statuses('b')).not.toEqual(first);
  });

  /**
   * @claim operation-visible: An operation is seen by callers with a role in the workspace.
   * @guess the page names no permission
   */
  it('are visible to callers with a role in the workspace only', async () => {
    const clock = movableClock();
    const service = await start({ clock });
    const token = tokenOf({ objectId: ids.contributor });
    const accepted = await service.call('POST', `${workspacePath}/eventstreams`, {
      body: { displayName: 'es' },
      token,
    });
    const location = accepted.headers.get('location');
    clock.move(21);
    expect(
      (await follow(service, location, tokenOf({ objectId: ids.stranger }))).body.errorCode,
    ).toBe('OperationNotFound');
    expect(
      (await follow(service, `${location ?? ''}/result`, tokenOf({ objectId: ids.stranger })))
        .status,
    ).toBe(404);
    expect((await follow(service, `${location ?? ''}/result`, token)).body.displayName).toBe('es');
    await service.call('DELETE', `${workspacePath}/roleAssignments/${ids.contributor}`);
    expect((await follow(service, `${location ?? ''}/result`, token)).status).toBe(404);
  });

  it('have results for tokens with the scopes that the item itself needs', async () => {
    const service = await start({ longRunning: { mode: 'always', seed: '', seconds: 0 } });
    const tokenWith = (scope: string): string =>
      tokenOf({ objectId: ids.contributor, scopes: [scope] });
    const accept = async (path: string, body?: object): Promise<string> =>
      `${(await service.call('POST', `${workspacePath}/${path}`, { body })).headers.get('location') ?? ''}/result`;
    const creation = await accept('eventstreams', { displayName: 'es' });
    const { id } = (await follow(service, creation)).body as { id: string };
    const definition = await accept(`eventstreams/${id}/getDefinition`);
    const statuses = async (result: string, scopes: readonly string[]): Promise<unknown> =>
      Promise.all(
        scopes.map(async (scope) => (await follow(service, result, tokenWith(scope))).status),
      );
    const scopes = [
      'Workspace.ReadWrite.All',
      'Eventhouse.ReadWrite.All',
      'Eventstream.Read.All',
      'Eventstream.ReadWrite.All',
      'Item.ReadWrite.All',
    ];
    expect(await statuses(creation, scopes)).toEqual([403, 403, 200, 200, 200]);
    expect(await statuses(definition, scopes)).toEqual([403, 403, 403, 200, 200]);
    await service.call('DELETE', `${workspacePath}/eventstreams/${id}`);
    expect(await statuses(definition, scopes)).toEqual([403, 403, 403, 200, 200]);
  });

  it('of a time ahead take as long as others after the clock is set back', async () => {
    const database = `sqlite:${join(mkdtempSync(join(tmpdir(), 'castellan-items-')), 'items.db')}`;
    const clock = movableClock();
    const yearSeconds = 365 * 24 * 3600;
    clock.move(yearSeconds);
    const create = async (service: StartedItems, displayName: string): Promise<string | null> =>
      (
        await service.call('POST', `${workspacePath}/eventstreams`, { body: { displayName } })
      ).headers.get('location');
    const first = await startItems({
      clock,
      database,
      longRunning: { mode: 'always', seed: '', seconds: 20 },
    });
    const before = (await create(first, 'before'))?.replace(first.origin, '') ?? null;
    await first.stop();
    clock.move(-yearSeconds);
    const second = await start({ clock, database });
    clock.move(3600);
    const meanwhile = await create(second, 'meanwhile');
    clock.move(-3600);
    const states = async (): Promise<unknown[]> => [
      (await follow(second, before)).body.status,
      (await follow(second, meanwhile)).body.status,
    ];
    expect(await states()).toEqual(['Succeeded', 'Running']);
    clock.move(21);
    expect(await states()).toEqual(['Succeeded', 'Succeeded']);
  });

  it('are at 0 percent when the clock is set back', async () => {
    const clock = movableClock();
    const service = await start({ clock });
    const accepted = await service.call('POST', `${workspacePath}/eventstreams`, {
      body: { displayName: 'es' },
    });
    clock.move(-3600);
    const { body } = await follow(service, accepted.headers.get('location'));
    expect(body).toMatchObject({ status: 'Running', percentComplete: 0 });
  });

  it('can be read for seven days after they end', async () => {
    const clock = movableClock();
    const service = await start({ clock });
    const accepted = await service.call('POST', `${workspacePath}/eventstreams`, {
      body: { displayName: 'es' },
    });
    const location = accepted.headers.get('location');
    clock.move(21);
    expect((await follow(service, location)).body.status).toBe('Succeeded');
    clock.move(7 * 24 * 3600 - 1);
    expect((await follow(service, `${location ?? ''}/result`)).status).toBe(200);
    clock.move(1);
    for (const address of [location, `${location ?? ''}/result`])
      expect((await follow(service, address)).body.errorCode).toBe('OperationNotFound');
  });

  it('continue after a restart and complete themselves', async () => {
    const database = `sqlite:${join(mkdtempSync(join(tmpdir(), 'items-')), 'items.db')}`;
    const first = await startItems({
      database,
      longRunning: { mode: 'always', seed: '', seconds: 0.3 },
    });
    const accepted = await first.call('POST', `${workspacePath}/eventhouses`, {
      body: { displayName: 'house' },
    });
    await first.stop();
    const second = await start({ database });
    const path = (accepted.headers.get('location') ?? '').replace(first.origin, '');
    let state = await second.call('GET', path);
    for (let tries = 0; state.body.status === 'Running' && tries < 50; tries++) {
      await new Promise((done) => setTimeout(done, 50));
      state = await second.call('GET', path);
    }
    expect(state.body.status).toBe('Succeeded');
    expect((await second.call('GET', `${workspacePath}/eventhouses`)).body.value).toHaveLength(1);
  });

  it('fail when the item or its workspace is deleted before they end', async () => {
    const clock = movableClock();
    const service = await start({ clock });
    const workspace = await service.items.workspaces.create({ displayName: 'short-lived' });
    const accepted = await service.call('POST', `/v1/workspaces/${workspace.id}/eventstreams`, {
      body: { displayName: 'es' },
    });
    await service.items.workspaces.delete(workspace.id);
    clock.move(21);
    expect((await follow(service, accepted.headers.get('location'))).status).toBe(404);
    expect((await service.call('GET', `${workspacePath}/items`)).status).toBe(200);
  });
});
