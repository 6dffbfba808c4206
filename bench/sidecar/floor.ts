import http, { type ServerResponse } from 'node:http';
import net from 'node:net';

interface Upstream {
  readonly socket: net.Socket;
  /** What the client waits for; undefined where the connection is idle. */
  pendingResponse: ServerResponse | undefined;
  /** How much of the response's body is still to come. */
  remainingBytes: number;
}

/**
 * The floor of the sidecar's design: Node's own server and a minimal client on kept sockets that
 * trusts the app's answers. No sessions, checks, log, metrics or timeouts.
 */
function main(port: number, upstreamPort: number): void {
  const idleConnections: Upstream[] = [];
  const open = (): Upstream => {
    const upstreamConnection: Upstream = {
      socket: net.connect(upstreamPort, '127.0.0.1'),
      pendingResponse: undefined,
      remainingBytes: 0,
    };
    upstreamConnection.socket.on('close', () => {
      const index = idleConnections.indexOf(upstreamConnection);
      if (index >= 0) idleConnections.splice(index, 1);
    });
    upstreamConnection.socket.setNoDelay(true).on('data', (chunk: Buffer) => {
      const { pendingResponse } = upstreamConnection;
      if (pendingResponse === undefined) return;
      let body = chunk;
      if (!pendingResponse.headersSent) {
        const end = chunk.indexOf('\r\n\r\n');
        const head = chunk.toString('latin1', 0, end);
        upstreamConnection.remainingBytes = Number(/content-length: (\d+)/i.exec(head)?.[1]);
        body = chunk.subarray(end + 4);
        const lines = head.split('\r\n').slice(1);
        pendingResponse.writeHead(
          200,
          lines.flatMap((line) => line.split(': ')),
        );
      }
      upstreamConnection.remainingBytes -= body.length;
      if (upstreamConnection.remainingBytes > 0) {
        pendingResponse.write(body);
        return;
      }
      upstreamConnection.pendingResponse = undefined;
      idleConnections.push(upstreamConnection);
      pendingResponse.end(body);
    });
    return upstreamConnection;
  };
  http
    .createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      const upstreamConnection = idleConnections.pop() ?? open();
      upstreamConnection.pendingResponse = response;
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
