import http from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { endWithHead, InboundRequest } from '../../../services/auth-sidecar/http/inbound-request.js';

interface Seen {
  readonly inbound: IncomingMessage;
  readonly events: string[];
}

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.close().closeAllConnections()));

/** A server that answers each request with its body, and notes what befalls it. */
async function start(): Promise<{ readonly port: number; readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = http.createServer({ IncomingMessage: InboundRequest }, (inbound, outbound) => {
    const events: string[] = [];
    seen.push({ inbound, events });
    for (const event of ['end', 'close', 'aborted', 'error']) inbound.on(event, () => events.push(event));
    if (inbound.method === 'GET') endWithHead(inbound);
    if (inbound.url === '/hang') return;
    if (inbound.method === 'GET') setTimeout(() => outbound.end('nothing'), 5);
    else inbound.pipe(outbound);
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { port: (server.address() as AddressInfo).port, seen };
}

/** Sends bytes over one connection, and gives what came once it matches. */
function exchange(port: number, bytes: string, until: RegExp): Promise<string> {
  return new Promise((done) => {
    let text = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (until.test(text)) socket.end();
    });
    socket.on('close', () => done(text));
  });
}

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n';

test('a request that ends with its head is whole, is let go, and says nothing', async () => {
  const { port, seen } = await start();
  await exchange(port, get, /nothing/);
  const [first] = seen;
  expect(first?.inbound).toMatchObject({ complete: true, readableEnded: true });
  expect(first?.inbound.destroyed).toBe(false);
  expect(first?.events).toEqual([]);
});

test('one with a body lives as any other, also on a connection of requests without one, one after another or all at once', async () => {
  const { port, seen } = await start();
  const text = await exchange(port, `${get}${post}hello${get}${post}again${get}${get}`, /(nothing.*){4}/s);
  expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(6);
  expect(text).toMatch(/nothing.*hello.*nothing.*again.*nothing.*nothing/s);
  const posted = seen.filter(({ inbound }) => inbound.method === 'POST');
  for (const { inbound, events } of posted) {
    expect(events).toEqual(['end', 'close']);
    expect(inbound.readableEnded).toBe(true);
  }
});

test('a client that goes away meanwhile ends both, the one with a body as cut off', async () => {
  const { port, seen } = await start();
  for (const bytes of [get.replace('/', '/hang'), post.replace('/', '/hang')]) {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
    const count = seen.length;
    while (seen.length === count) await new Promise((done) => setTimeout(done, 5));
    socket.destroy();
    const latest = seen.at(-1) as Seen;
    while (!latest.inbound.destroyed) await new Promise((done) => setTimeout(done, 5));
  }
  await new Promise((done) => setTimeout(done, 20));
  expect(seen.map(({ events }) => events)).toEqual([
    ['error', 'close'],
    ['aborted', 'error', 'close'],
  ]);
});
