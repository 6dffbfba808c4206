import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { openDatabase } from '../../services/common/database.js';
import { createHttpServer, mountService } from '../../services/common/http-server.js';
import { createItemsService } from '../../services/items/index.js';
import { serviceContext } from '../service-context.js';

/**
 * `npm run bench -- items [count] [connections]`: how many items of workspaces one process creates
 * in a second over HTTP in SQLite on disk (the client prints it), and with how much processor time.
 * Each item is acknowledged when it is durable.
 */
async function run([count = '10000', connections = '32']: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-bench-'));
  const database = await openDatabase(`sqlite:${join(folder, 'items.db')}`);
  const service = await createItemsService(serviceContext(database));
  const server = createHttpServer();
  mountService(server, service);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const startUsage = process.cpuUsage();
  const client = fork(join(__dirname, `client${extname(__filename)}`), [
    String(port),
    count,
    connections,
  ]);
  const [code] = (await once(client, 'exit')) as [number | null];
  const { user, system } = process.cpuUsage(startUsage);
  if (code !== 0) process.exitCode = 1;
  else
    console.log(
      `processor time of the service for each: ${Math.round((user + system) / Number(count))} µs`,
    );
  await server.close();
  await service.close();
  await database.close();
  rmSync(folder, { recursive: true });
}

void run(process.argv.slice(2));
