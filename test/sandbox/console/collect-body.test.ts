import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CollectedBody, collectBody } from '../../../sandbox/console/collect-body.js';

/** Sends a response of these parts. @returns what was collected of it */
async function collected(...parts: readonly (string | Uint8Array)[]): Promise<CollectedBody> {
  let body: (() => CollectedBody) | undefined;
  const server = createServer((_request, response) => {
    body = collectBody(response);
    for (const part of parts) response.write(part);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await (await fetch(`http://127.0.0.1:${String(port)}`)).arrayBuffer();
  server.close();
  return (body as () => CollectedBody)();
}

describe('the collected body of a response', () => {
  it('is its text, with its length in bytes', async () => {
    expect(await collected('{"a":', Buffer.from('"ü"}'))).toEqual({
      text: '{"a":"ü"}',
      byteLength: 10,
    });
  });

  it('has the length of bytes that are no text', async () => {
    expect(await collected(Buffer.from([0xff, 0xfe, 0xfd]))).toMatchObject({ byteLength: 3 });
  });

  it('has the length of a long one, and no part of its text', async () => {
    expect(await collected('x'.repeat(900_000), 'x'.repeat(200_000))).toEqual({
      text: undefined,
      byteLength: 1_100_000,
    });
  });
});
