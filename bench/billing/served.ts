import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';

/** The service in a process of its own, as people run it, and beside it the floor: a plain fastify with the bare SQL of one page. */
export interface Served {
  /** What the service answers; the bytes are good until the next answer. */
  get(path: string): Promise<Buffer>;
  /** The page of the bare SQL from the floor. */
  getFloor(): Promise<Buffer>;
  stop(): void;
}

/** The first message of the server's process: its ports. */
export interface Listening {
  readonly service: number;
  readonly floor: number;
}

/** Serves the data set in a file. */
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
 * A client that leaves next to no garbage: the collector of Node's own client takes as long as ten answers once in fifty, and what is
 * measured is the service. It reads answers that say their length into one piece of memory, over one connection.
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
      if (answer.toString('latin1', 0, 12) !== 'HTTP/1.1 200') throw new Error(answer.toString('utf8', 0, read));
      return answer.subarray(start, end);
    },
    close: () => socket.destroy(),
  };
}
