import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * `Set-Cookie` values of the sidecar's own cookies, in both dialects and schemes, and in spellings
 * that browsers take for them.
 */
export const ownCookies = [
  'SvcAuthSession=x; Path=/',
  'SvcAuthSession.1=x',
  '__Host-SvcAuthSession=x; Secure; Path=/',
  '__Secure-SvcAuthSession=x',
  'AppServiceAuthSession=x; Path=/; HttpOnly',
  'AppServiceAuthSession.1=x',
  'appserviceauthsession=x',
  ' \t AppServiceAuthSession =x',
  '=AppServiceAuthSession=x',
  'SvcAuthLogin.abc=x',
  '__Host-SvcAuthLanding=x',
];

/** A megabyte that doesn't compress. */
export const megabyte = randomBytes(1024 * 1024);

/** An app that answers in every way a proxy may stumble over. */
export class AwkwardApp {
  /** What happened to its connections. */
  readonly events: string[] = [];
  /** The event stream that it keeps open. */
  openStream: http.ServerResponse | undefined;
  readonly server = http.createServer((incoming, response) => this.#answer(incoming, response));

  /** @returns its origin. */
  async start(): Promise<string> {
    this.server.on(
      'checkContinue',
      (incoming: http.IncomingMessage, response: http.ServerResponse) => {
        if (incoming.url !== '/reject') response.writeContinue();
        this.#answer(incoming, response);
      },
    );
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  #answer(incoming: http.IncomingMessage, response: http.ServerResponse): void {
    const { pathname } = new URL(incoming.url ?? '/', 'http://x');
    switch (pathname) {
      case '/events':
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.flushHeaders();
        this.openStream = response;
        response.on('close', () => this.events.push('stream closed'));
        return;
      case '/large':
        for (let index = 0; index < 64; index++) response.write(megabyte);
        response.end();
        return;
      case '/count': {
        let length = 0;
        incoming.on('data', (chunk: Buffer) => (length += chunk.length));
        incoming.on('end', () => response.end(String(length)));
        incoming.once('data', () => this.events.push('upload started'));
        incoming.on('error', () => this.events.push('upload aborted'));
        return;
      }
      case '/empty':
        response.writeHead(204).end();
        return;
      case '/same':
        response.writeHead(304, { etag: '"x"', 'content-length': '9' }).end();
        return;
      case '/cookies':
        response.writeHead(
          200,
          [
            ['Set-Cookie', 'a=1'],
            ['Set-Cookie', 'b=2'],
            ['X-Kept', 'yes'],
            ['Connection', 'x-dropped'],
            ['X-Dropped', 'no'],
          ].flat(),
        );
        response.end('ok');
        return;
      case '/cookies-sent':
        response.end(incoming.headers.cookie);
        return;
      case '/own-cookies':
        response.setHeader('set-cookie', ownCookies.concat('mine=1', 'xSvcAuthSession=1'));
        response.end('ok');
        return;
      case '/trailers':
        response.writeHead(200, { trailer: 'x-late', 'transfer-encoding': 'chunked' });
        response.write('abc');
        response.addTrailers({ 'x-late': '1', 'set-cookie': 'evil=1', 'content-length': '9' });
        response.end();
        return;
      case '/hints':
        response.writeEarlyHints({ link: '</a.css>; rel=preload', 'set-cookie': 'evil=1' });
        response.end('page');
        return;
      case '/reject':
        response.writeHead(413, { 'content-length': '3' }).end('big');
        return;
      case '/cut':
        response.writeHead(200, { 'content-length': '100' });
        response.write('abc');
        setTimeout(() => response.destroy(), 30);
        return;
      case '/hang-up':
        incoming.socket.destroy();
        return;
      default:
        response.end(`${incoming.method ?? ''} ${pathname}`);
    }
  }
}
