import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { openDataSet, prepareBarePage } from './data-set.js';
import type { ServerPorts } from './server-process.js';

/**
 * Serves the data set of a file, and the floor (a plain fastify with the bare SQL), to its parent
 * process, to which it sends the ports first.
 */
async function main([file = '', count = '']: readonly string[]): Promise<void> {
  const { app, database, close } = await openDataSet(file, Number(count));
  const floor = Fastify();
  let firstPage: ReturnType<typeof prepareBarePage> | undefined;
  floor.get('/', (_request, reply) => {
    // prepared with the first request, since the service creates its index later
    const rows = (firstPage ??= prepareBarePage(database, 'first')).all() as readonly {
      document: string;
    }[];
    return reply
      .type('application/json')
      .send(`{"value":[${rows.map(({ document }) => document).join(',')}]}`);
  });
  for (const each of [app, floor]) await each.listen({ port: 0, host: '127.0.0.1' });
  process.on(
    'disconnect',
    () => void Promise.all([floor.close(), close()]).then(() => process.exit(0)),
  );
  const [servicePort, floorPort] = [app, floor].map(
    (each) => (each.server.address() as AddressInfo).port,
  ) as [number, number];
  process.send?.({ service: servicePort, floor: floorPort } satisfies ServerPorts);
}

void main(process.argv.slice(2));
