import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listenPerConnection } from '../../../provider/protocol/connection-listener.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-listen-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('serves each connection by itself, from when it is opened, and closes them', async () => {
  const path = join(folder, 'provider.sock');
  const close = vi.fn(() => Promise.resolve());
  const serve = vi.fn(() => ({ close }));
  const load = vi.fn(() => Promise.resolve(serve));
  const listening = await listenPerConnection(path, load, vi.fn());
  expect(load).not.toHaveBeenCalled();
  const clients = [connect(path), connect(path)];
  await Promise.all(clients.map((client) => once(client, 'connect')));
  await vi.waitUntil(() => serve.mock.calls.length === 2);
  await listening.close();
  expect(close).toHaveBeenCalledTimes(2);
  for (const client of clients) client.destroy();
});

test('closes a connection that cannot be served, and reports why', async () => {
  const path = join(folder, 'provider.sock');
  const onError = vi.fn();
  const listening = await listenPerConnection(
    path,
    () => Promise.reject(new Error('a module is missing')),
    onError,
  );
  const client = connect(path).resume();
  await once(client, 'close');
  expect(onError).toHaveBeenCalledWith(new Error('a module is missing'));
  await listening.close();
});

test('closes a connection whose provider fails to start, and reports why', async () => {
  const path = join(folder, 'provider.sock');
  const onError = vi.fn();
  const listening = await listenPerConnection(
    path,
    () =>
      Promise.resolve(() => {
        throw new Error('no memory');
      }),
    onError,
  );
  const client = connect(path).resume();
  await once(client, 'close');
  expect(onError).toHaveBeenCalledWith(new Error('no memory'));
  await listening.close();
});

test('closes a connection that is still being loaded when it stops', async () => {
  const path = join(folder, 'provider.sock');
  const serve = vi.fn();
  let finishLoading: (result: typeof serve) => void = () => undefined;
  const load = vi.fn(() => new Promise<typeof serve>((done) => (finishLoading = done)));
  const listening = await listenPerConnection(path, load, vi.fn());
  const client = connect(path).resume();
  await vi.waitUntil(() => load.mock.calls.length === 1);
  await listening.close();
  finishLoading(serve);
  await once(client, 'close');
  expect(serve).not.toHaveBeenCalled();
});

test('lets nobody else connect', async () => {
  const path = join(folder, 'provider.sock');
  const listening = await listenPerConnection(path, vi.fn(), vi.fn());
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await listening.close();
});
