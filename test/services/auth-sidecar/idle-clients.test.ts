import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { IdleClients } from '../../../services/auth-sidecar/http/idle-clients.js';

const patience = 65_000;

/** As much of a socket as matters here. */
class Connection {
  destroyed = false;
  bytesRead = 0;
  readonly remoteAddress = '::ffff:192.0.2.1';
  destroy(): void {
    this.destroyed = true;
  }
}

const server = new EventEmitter();
let clients: IdleClients;
beforeEach(() => {
  vi.useFakeTimers();
  clients = new IdleClients(server as Server, patience);
});
afterEach(async () => {
  server.emit('close');
  await after(1);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

function connect(): { readonly connection: Connection; readonly socket: Socket } {
  const connection = new Connection();
  return { connection, socket: connection as unknown as Socket };
}

async function after(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}

test('a connection is closed after its idle time, not before', async () => {
  const { connection, socket } = connect();
  connection.bytesRead = 100;
  const client = clients.begin(socket);
  expect(client.address).toBe('192.0.2.1');
  await after(10 * patience);
  expect(connection.destroyed).toBe(false);
  clients.end(client);
  await after(patience - 1);
  expect(connection.destroyed).toBe(false);
  await after(5000);
  expect(connection.destroyed).toBe(true);
});

test('each request resets the idle time, and so does the start of one', async () => {
  const { connection, socket } = connect();
  clients.end(clients.begin(socket));
  await after(patience - 5000);
  clients.end(clients.begin(socket));
  await after(patience - 5000);
  connection.bytesRead = 10;
  await after(patience - 5000);
  expect(connection.destroyed).toBe(false);
  await after(10_000);
  expect(connection.destroyed).toBe(true);
});

test('a connection with unanswered requests is not idle', async () => {
  const { connection, socket } = connect();
  const [first] = [clients.begin(socket), clients.begin(socket)];
  clients.end(first);
  await after(2 * patience);
  expect(connection.destroyed).toBe(false);
});

test('an upgraded connection is not closed', async () => {
  const { connection, socket } = connect();
  clients.end(clients.begin(socket));
  clients.forget(socket);
  await after(2 * patience);
  expect(connection.destroyed).toBe(false);
});
