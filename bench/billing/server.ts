import type { AddressInfo } from 'node:net';
import { openDataSet } from './data-set.js';

/** Serves the data set in a file to the process that started this one, which is sent the port first. */
async function main([file = '', count = '']: readonly string[]): Promise<void> {
  const { app, close } = await openDataSet(file, Number(count));
  await app.listen({ port: 0, host: '127.0.0.1' });
  process.on('disconnect', () => void close().then(() => process.exit(0)));
  process.send?.((app.server.address() as AddressInfo).port);
}

void main(process.argv.slice(2));
