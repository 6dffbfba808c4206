import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';

/**
 * The service in its own process, as users run it, and the floor: a plain fastify with the bare SQL
 * of one page.
 */
export interface ServerProcess {
  /** The body of the service's response; the bytes are valid until the next request. */
  get(path: string): Promise<Buffer>;
  /** A page of the bare SQL from the floor. */
  getFloor(): Promise<Buffer>;
  stop(): void;
}

const statusLine = 'HTTP/1.1 200';

/** The first message of the server process: its ports. */
export interface ServerPorts {
  readonly service: number;
  /** The port of the plain fastify with the bare SQL. */
  readonly floor: number;
}

/** Starts a process that serves the data set of a file. */
export async function startServer(file: string, count: number): Promise<ServerProcess> {
  const child = fork(join(__dirname, 'server.js'), [file, String(count)]);
  const [{ service, floor }] = (await once(child, 'message')) as [ServerPorts];
  const [serviceClient, floorClient] = [await openClient(service), await openClient(floor)];
  return {
    get: (path) => serviceClient.get(path),
    getFloor: () => floorClient.get('/'),
    stop() {
      for (const client of [serviceClient, floorClient]) client.close();
      child.disconnect();
    },
  };
}

interface Client {
  get(path: string): Promise<Buffer>;
  close(): void;
}

/**
 * A client that allocates little memory, since garbage collection for Node's own client would
 * distort the measurement. It reads responses with a Content-Length into one buffer, over one
 * connection.
 */
async function openClient(port: number): Promise<Client> {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  await once(socket, 'connect');
  const buffer = Buffer.alloc(4 * 1024 * 1024);
  /** How much of the response was read, and where its body starts and ends. */
  let [read, start, end] = [0, 0, Infinity];
  let onComplete: (() => void) | undefined;
  socket.on('data', (chunk: Buffer) => {
    chunk.copy(buffer, read);
    read += chunk.length;
    if (end === Infinity) {
      start = buffer.indexOf('\r\n\r\n') + 4;
      if (start < 4 || start > read) return;
      end = start + Number(/content-length: (\d+)/i.exec(buffer.toString('latin1', 0, start))?.[1]);
    }
    if (read >= end) onComplete?.();
  });
  return {
    async get(path) {
      [read, start, end] = [0, 0, Infinity];
      socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
      await new Promise<void>((done) => (onComplete = done));
      if (buffer.toString('latin1', 0, statusLine.length) !== statusLine)
        throw new Error(buffer.toString('utf8', 0, read));
      return buffer.subarray(start, end);
    },
    close: () => socket.destroy(),
  };
}
