import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyRequest } from 'fastify';
import { openDatabase } from '../../services/common/database.js';
import { createHttpServer, mountService } from '../../services/common/http-server.js';
import { createDirectoryService } from '../../services/directory/index.js';
import { serviceContext } from '../service-context.js';
import type { Size } from './load.js';
import { benchmarkQueries } from './queries.js';

/** The first message to the parent process: the two ports. */
export interface ServerPorts {
  readonly servicePort: number;
  /** That of the plain fastify with the bare SQL. */
  readonly barePort: number;
}

/**
 * Serves a data set on two ports: the service as `castellan serve directory` runs it, and a plain
 * fastify with one route per query, which runs the bare SQL by a prepared statement on the same
 * connection and sends the rows as JSON.
 */
async function main(file: string, size: Size): Promise<void> {
  const database = await openDatabase(`sqlite:${file}`);
  const service = await createDirectoryService(serviceContext(database));
  const serviceServer = createHttpServer();
  mountService(serviceServer, service);
  const bareServer = Fastify();
  benchmarkQueries.forEach(({ sql }, queryIndex) => {
    if (!sql) return;
    const statement = database.sqlite?.prepare(sql.text);
    const handler = (request: FastifyRequest): unknown =>
      statement?.all(sql.parameters(Number((request.params as { index: string }).index), size));
    // called like the service, with the same payload
    bareServer.route({ method: ['GET', 'POST'], url: `/${queryIndex}/:index`, handler });
  });
  for (const app of [serviceServer, bareServer]) await app.listen({ port: 0, host: '127.0.0.1' });
  const [servicePort, barePort] = [serviceServer, bareServer].map(
    (app) => (app.server.address() as AddressInfo).port,
  ) as [number, number];
  process.on('message', (message) => {
    if (message === 'cpu') process.send?.(process.cpuUsage());
    else void Promise.all([serviceServer.close(), bareServer.close()]).then(() => process.exit(0));
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.({ servicePort, barePort } satisfies ServerPorts);
}

void main(process.argv[2] as string, JSON.parse(process.argv[3] as string) as Size);
