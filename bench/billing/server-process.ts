import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';

/**
 * The service in its own process, as users run it, and the floor: a plain fastify with the bare SQL
 * of one page.
 */
export interface Served {
  /** An answer of the service; the bytes are valid until the next answer. */
  get(path: string): Promise<Buffer>;
  /** A page of the bare SQL from the floor. */
  getFloor(): Promise<Buffer>;
  stop(): void;
}

/** The first message of the server process: its ports. */
export interface Listening {
  readonly service: number;
  readonly floor: number;
}

/** Serves the data set of a file. */
export async function serve(file: string, count: number): Promise<Served> {
  const child = fork(join(__dirname, 'server.js'), [file, String(count)]);
  const [{ service, floor }] = (await once(child, 'message')) as [Listening];
  const [ofService, ofFloor] = [await openClient(service), await openClient(floor)];
  return {
    get: (path) => ofService.get(path),
    getFloor: () => ofFloor.get('/'),
    stop() {
      for (const client of [ofService, ofFloor]) client.close();
      child.disconnect();
    },
  };
}

interface Client {
  get(path: string): Promise<Buffer>;
  close(): void;
}

/**
 * A client with next to no garbage: the collector of Node's own client takes as long as ten answers
 * once in fifty, which would distort the measurement. It reads answers with a Content-Length into
 * one buffer, over one connection.
 */
async function openClient(port: number): Promise<Client> {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  await once(socket, 'connect');
  const answer = Buffer.alloc(4 * 1024 * 1024);
  let [read, start, end] = [0, 0, Infinity];
  let settle: (() => void) | undefined;
  socket.on('data', (chunk: Buffer) => {
    chunk.copy(answer, read);
    read += chunk.length;
    if (end === Infinity) {
      start = answer.indexOf('\r\n\r\n') + 4;
      if (start < 4 || start > read) return;
      end = start + Number(/content-length: (\d+)/i.exec(answer.toString('latin1', 0, start))?.[1]);
    }
    if (read >= end) settle?.();
  });
  return {
    async get(path) {
      [read, start, end] = [0, 0, Infinity];
      socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
      await new Promise<void>((done) => (settle = done));
      if (answer.toString('latin1', 0, 12) !== 'HTTP/1.1 200')
        throw new Error(answer.toString('utf8', 0, read));
      return answer.subarray(start, end);
    },
    close: () => socket.destroy(),
  };
}
