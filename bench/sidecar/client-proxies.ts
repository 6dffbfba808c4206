import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { Pool } from 'undici';
import { forward } from '../../services/auth-sidecar/upstream/forward.js';
import { UpstreamPool } from '../../services/auth-sidecar/upstream/pool.js';

type Proxy = (inbound: IncomingMessage, outbound: ServerResponse) => void;

/** The hop-by-hop headers, which a proxy does not forward. */
const hopByHopHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer']);

/** The headers that a proxy forwards, as `rawHeaders` has them: names and values alternate. */
function forwardedHeaders(raw: readonly string[]): string[] {
  const headers: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const [name, value] = [raw[index] as string, raw[index + 1] as string];
    if (!hopByHopHeaders.has(name.toLowerCase())) headers.push(name, value);
  }
  return headers;
}

/** A proxy with the HTTP client by which the sidecar passes requests to the app. */
function sidecarClientProxy(upstreamPort: number): Proxy {
  const pool = new UpstreamPool({ host: '127.0.0.1', port: upstreamPort, tls: false });
  return (inbound, outbound) => {
    const headers = forwardedHeaders(inbound.rawHeaders);
    let head = `${inbound.method ?? ''} ${inbound.url ?? ''} HTTP/1.1\r\n`;
    for (let index = 0; index < headers.length; index += 2)
      head += `${headers[index] ?? ''}: ${headers[index + 1] ?? ''}\r\n`;
    const request = {
      method: inbound.method ?? '',
      head,
      contentLength: inbound.headers['content-length'],
      chunked: inbound.headers['transfer-encoding'] !== undefined,
      expectContinue: false,
      setCookies: [],
      idleTimeoutMs: 240_000,
      clientIdleTimeoutMs: 60_000,
      onEventStream: () => undefined,
    };
    outbound.once(
      'close',
      forward(pool, request, inbound, outbound, () => outbound.destroy()),
    );
  };
}

/** A proxy with undici's public dispatcher, which writes to Node's response directly. */
function undiciProxy(upstreamPort: number): Proxy {
  const pool = new Pool(`http://127.0.0.1:${upstreamPort}`, { connections: 128, pipelining: 1 });
  return (inbound, outbound) => {
    let abort: (() => void) | undefined;
    outbound.once('close', () => abort?.());
    const hasBody =
      inbound.headers['content-length'] !== undefined ||
      inbound.headers['transfer-encoding'] !== undefined;
    pool.dispatch(
      {
        path: inbound.url ?? '',
        method: inbound.method as 'GET',
        headers: forwardedHeaders(inbound.rawHeaders),
        body: hasBody ? inbound : null,
      },
      {
        onRequestStart: (controller) => {
          abort = () => controller.abort(new Error('the client has gone'));
        },
        onResponseStart: (controller, status, _, reason) => {
          if (status < 200) return;
          const raw = (controller.rawHeaders ?? []) as Buffer[];
          outbound.writeHead(
            status,
            reason ?? '',
            forwardedHeaders(raw.map((each) => each.toString('latin1'))),
          );
        },
        onResponseData: (controller, chunk) => {
          if (outbound.write(chunk)) return;
          controller.pause();
          outbound.once('drain', () => controller.resume());
        },
        onResponseEnd: () => {
          abort = undefined;
          outbound.end();
        },
        onResponseError: () => outbound.destroy(),
      },
    );
  };
}

/**
 * Serves one of the two proxies on a port. They differ in nothing but the HTTP client, so that the
 * difference of their times is that of the clients.
 *
 * @param upstreamPort the port of the app
 */
function main(client: string, port: number, upstreamPort: number): void {
  http
    .createServer(
      { keepAliveTimeout: 60_000 },
      client === 'sidecar' ? sidecarClientProxy(upstreamPort) : undiciProxy(upstreamPort),
    )
    .listen(port, '127.0.0.1');
}

main(process.argv[2] ?? '', Number(process.argv[3]), Number(process.argv[4]));
