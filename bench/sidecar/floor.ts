import http, { type ServerResponse } from 'node:http';
import net from 'node:net';

interface Upstream {
  readonly socket: net.Socket;
  waiting: ServerResponse | undefined;
  length: number;
}

/**
 * The floor of the sidecar's design: Node's own server and a minimal client on kept sockets that
 * trusts the app's answers. No sessions, checks, log, metrics or timeouts.
 */
function main(port: number, upstream: number): void {
  const free: Upstream[] = [];
  const open = (): Upstream => {
    const upstreamConnection: Upstream = {
      socket: net.connect(upstream, '127.0.0.1'),
      waiting: undefined,
      length: 0,
    };
    upstreamConnection.socket.on('close', () => {
      const index = free.indexOf(upstreamConnection);
      if (index >= 0) free.splice(index, 1);
    });
    upstreamConnection.socket.setNoDelay(true).on('data', (chunk: Buffer) => {
      const { waiting } = upstreamConnection;
      if (waiting === undefined) return;
      let body = chunk;
      if (!waiting.headersSent) {
        const end = chunk.indexOf('\r\n\r\n');
        const head = chunk.toString('latin1', 0, end);
        upstreamConnection.length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
        body = chunk.subarray(end + 4);
        const lines = head.split('\r\n').slice(1);
        waiting.writeHead(
          200,
          lines.flatMap((line) => line.split(': ')),
        );
      }
      upstreamConnection.length -= body.length;
      if (upstreamConnection.length > 0) {
        waiting.write(body);
        return;
      }
      upstreamConnection.waiting = undefined;
      free.push(upstreamConnection);
      waiting.end(body);
    });
    return upstreamConnection;
  };
  http
    .createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      const upstreamConnection = free.pop() ?? open();
      upstreamConnection.waiting = response;
      const { rawHeaders } = request;
      let head = `${request.method ?? ''} ${request.url ?? ''} HTTP/1.1\r\n`;
      for (let index = 0; index < rawHeaders.length; index += 2)
        head += `${rawHeaders[index] ?? ''}: ${rawHeaders[index + 1] ?? ''}\r\n`;
      upstreamConnection.socket.write(`${head}\r\n`, 'latin1');
      if (request.headers['content-length'] !== undefined)
        request.pipe(upstreamConnection.socket, { end: false });
    })
    .listen(port, '127.0.0.1');
}

main(Number(process.argv[2]), Number(process.argv[3]));
