import { fork } from 'node:child_process';
import { Agent, get as request } from 'node:http';
import { join } from 'node:path';

/** The service in a process of its own, as people run it. */
export interface Served {
  /** What a path answers, on a connection that stays open. */
  get(path: string): Promise<string>;
  stop(): void;
}

/** Serves the data set in a file. */
export async function serve(file: string, count: number): Promise<Served> {
  const child = fork(join(__dirname, 'server.js'), [file, String(count)]);
  const port = await new Promise<number>((done) => child.once('message', (message) => done(Number(message))));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    get: (path) =>
      new Promise((done, fail) => {
        request({ host: '127.0.0.1', port, path, agent }, (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk)).once('error', fail);
          answer.once('end', () => {
            const text = Buffer.concat(chunks).toString('latin1');
            if (answer.statusCode === 200) done(text);
            else fail(new Error(text));
          });
        }).once('error', fail);
      }),
    stop() {
      agent.destroy();
      child.disconnect();
    },
  };
}
