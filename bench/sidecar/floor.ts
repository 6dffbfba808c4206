import http, { type ServerResponse } from 'node:http';
import net from 'node:net';

interface Kept {
  readonly socket: net.Socket;
  waiting: ServerResponse | undefined;
  length: number;
}

/**
 * The floor of the sidecar's design: Node's own server and the barest client on kept sockets, which believes whatever the app says. No
 * sessions, no checks, no log, no metrics, no time-outs.
 */
function main(port: number, upstream: number): void {
  const free: Kept[] = [];
  const open = (): Kept => {
    const kept: Kept = { socket: net.connect(upstream, '127.0.0.1'), waiting: undefined, length: 0 };
    kept.socket.setNoDelay(true).on('data', (chunk: Buffer) => {
      const { waiting } = kept;
      if (waiting === undefined) return;
      let body = chunk;
      if (!waiting.headersSent) {
        const end = chunk.indexOf('\r\n\r\n');
        const head = chunk.toString('latin1', 0, end);
        kept.length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
        body = chunk.subarray(end + 4);
        const lines = head.split('\r\n').slice(1);
        waiting.writeHead(
          200,
          lines.flatMap((line) => line.split(': ')),
        );
      }
      kept.length -= body.length;
      if (kept.length > 0) {
        waiting.write(body);
        return;
      }
      kept.waiting = undefined;
      free.push(kept);
      waiting.end(body);
    });
    return kept;
  };
  http
    .createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      const kept = free.pop() ?? open();
      kept.waiting = response;
      const { rawHeaders } = request;
      let head = `${request.method ?? ''} ${request.url ?? ''} HTTP/1.1\r\n`;
      for (let index = 0; index < rawHeaders.length; index += 2) head += `${rawHeaders[index] ?? ''}: ${rawHeaders[index + 1] ?? ''}\r\n`;
      kept.socket.write(`${head}\r\n`, 'latin1');
    })
    .listen(port, '127.0.0.1');
}

main(Number(process.argv[2]), Number(process.argv[3]));
