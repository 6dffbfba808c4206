import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningCli, startCastellan } from '../../support/cli.js';

const capacity = 'c0000000-0000-4000-8000-000000000001';
const workspace = 'a0000000-0000-4000-8000-000000000001';
const path = `/v1/workspaces/${workspace}`;

interface Item {
  readonly id: string;
  readonly displayName: string;
  readonly type: string;
  readonly properties?: { readonly databasesItemIds: readonly string[] };
}

describe('a process killed while it creates items', () => {
  const folder = mkdtempSync(join(tmpdir(), 'items-crash-'));
  const seed = join(folder, 'seed.yaml');
  let running: RunningCli | undefined;
  beforeAll(() => {
    writeFileSync(
      seed,
      `capacities:\n  - { id: ${capacity}, displayName: F64, sku: F64, region: West, state: Active }\n` +
        `workspaces:\n  - { id: ${workspace}, displayName: Telemetry, capacityId: ${capacity} }\n`,
    );
  });
  afterEach(() => running?.stop());

  const start = async (): Promise<string> => {
    const args = [
      'serve',
      'items',
      '--no-auth',
      '--seed',
      seed,
      '--database',
      `sqlite:${join(folder, 'items.db')}`,
      '--throttle',
      'off',
    ];
    running = await startCastellan([
      ...args,
      '--long-running',
      'random:crash',
      '--long-running-seconds',
      '0.5',
    ]);
    return running.ready['listening'] ?? '';
  };
  const read = async <T>(origin: string, address: string): Promise<{ status: number; body: T }> => {
    const response = await fetch(`${origin}${address}`);
    return { status: response.status, body: (await response.json()) as T };
  };

  it('has lost nothing acknowledged, shows nothing incomplete, and completes accepted operations', async () => {
    const origin = await start();
    const createdIds: string[] = [];
    const acceptedAddresses: string[] = [];
    let isKilled = false;
    const work = async (worker: number): Promise<void> => {
      for (let index = 0; !isKilled; index++) {
        const [collection, displayName] = [
          index % 3 === 0 ? 'eventhouses' : 'eventstreams',
          `w${worker}-${index}`,
        ];
        try {
          const headers = { 'content-type': 'application/json' };
          const response = await fetch(`${origin}${path}/${collection}`, {
            method: 'POST',
            headers,
            body: JSON.stringify({ displayName }),
          });
          if (response.status === 201) createdIds.push(((await response.json()) as Item).id);
          if (response.status === 202)
            acceptedAddresses.push(new URL(response.headers.get('location') ?? '').pathname);
        } catch (error) {
          if (!isKilled) throw error; // the connection breaks with the process, and only then
        }
      }
    };
    const workers = Array.from({ length: 8 }, (_, worker) => work(worker));
    while (createdIds.length < 20 || acceptedAddresses.length < 20)
      await new Promise((done) => setTimeout(done, 20));
    isKilled = true;
    await running?.stop('SIGKILL');
    await Promise.all(workers);

    const restartedOrigin = await start();
    const deadline = Date.now() + 20_000;
    for (const address of acceptedAddresses) {
      let state = await read<{ status: string; error?: object }>(restartedOrigin, address);
      while (state.body.status === 'Running' && Date.now() < deadline) {
        await new Promise((done) => setTimeout(done, 100));
        state = await read(restartedOrigin, address);
      }
      expect([state.status, state.body.status]).toEqual([200, 'Succeeded']);
      expect((await read<Item>(restartedOrigin, `${address}/result`)).status).toBe(200);
    }
    const items = new Map<string, Item>();
    for (let next: string | null = `${path}/items`; next !== null;) {
      const { body }: { body: { value: Item[]; continuationUri: string | null } } = await read(
        restartedOrigin,
        next,
      );
      body.value.forEach((item) => items.set(item.id, item));
      next =
        body.continuationUri === null ? null : body.continuationUri.replace(restartedOrigin, '');
    }
    for (const id of createdIds) expect(items.has(id)).toBe(true);
    for (const { id, type } of items.values()) {
      if (type !== 'Eventhouse') continue;
      const { body } = await read<Item>(restartedOrigin, `${path}/eventhouses/${id}`);
      expect(body.properties?.databasesItemIds.every((child) => items.has(child))).toBe(true);
      expect(body.properties?.databasesItemIds).toHaveLength(1);
    }
  });
});
