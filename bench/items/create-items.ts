import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, Agent } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { systemClock } from '../../services/common/clock.js';
import { openDatabase } from '../../services/common/database.js';
import { createHttpServer, mountService } from '../../services/common/http-server.js';
import { noAuthentication } from '../../services/common/token-verifier.js';
import { createItemsService } from '../../services/items/index.js';

/** How many items one process creates in a second, over HTTP, into SQLite on disk, each acknowledged only when it is safe. */
export async function benchItems(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-bench-'));
  const database = await openDatabase(`sqlite:${join(folder, 'items.db')}`);
  const service = await createItemsService({
    database,
    dialect: 'neutral',
    clock: systemClock,
    tokens: noAuthentication,
    throttle: false,
    longRunning: { mode: 'never', seed: '', seconds: 0 },
  });
  const server = createHttpServer();
  mountService(server, service);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const port = (server.server.address() as AddressInfo).port;
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const post = (path: string, body: unknown): Promise<{ status: number; body: { id: string } }> =>
    new Promise((done, fail) => {
      const text = JSON.stringify(body);
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
      const outgoing = httpRequest({ port, host: '127.0.0.1', path, method: 'POST', agent, headers }, (response) => {
        let answer = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
        response.on('end', () => done({ status: response.statusCode ?? 0, body: JSON.parse(answer) as { id: string } }));
      });
      outgoing.on('error', fail).end(text);
    });
  const start = performance.now();
  let created = 0;
  while (created < count) {
    const workspace = (await post('/v1/workspaces', { displayName: `bench ${created}` })).body.id;
    const batch = Math.min(1000, count - created);
    const queue = Array.from({ length: batch }, (_, index) => index);
    const work = async (): Promise<void> => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        const { status } = await post(`/v1/workspaces/${workspace}/eventstreams`, { displayName: `stream-${next}` });
        if (status !== 201) throw new Error(`status ${status}`);
      }
    };
    await Promise.all(Array.from({ length: 32 }, work));
    created += batch;
  }
  const seconds = (performance.now() - start) / 1000;
  console.log(`${count} items created in ${seconds.toFixed(2)} s: ${Math.round(count / seconds)} a second`);
  agent.destroy();
  await server.close();
  await service.close();
  await database.close();
  rmSync(folder, { recursive: true });
}
