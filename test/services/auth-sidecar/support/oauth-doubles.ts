import { createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Test doubles of the providers that don't speak OpenID Connect: social network, code host,
 * microblog.
 */
export class OAuthDoubles {
  /** Method and path of each request. */
  readonly calls: string[] = [];
  /** The consumer keys with which request tokens were asked for. */
  readonly consumerKeys: string[] = [];
  readonly consumerSecret = 'consumer-secret';
  /** When the tokens of social network and code host expire, in seconds since 1970. @default never */
  expiresAt: number | undefined;
  url = '';
  private server: http.Server | undefined;

  async start(): Promise<this> {
    this.server = http.createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => this.answer(request, Buffer.concat(parts).toString(), response));
    });
    await new Promise<void>((done) => this.server?.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  close(): Promise<void> {
    this.server?.closeAllConnections();
    return new Promise((done) => this.server?.close(() => done()));
  }

  /** The `--endpoints` of all three. */
  get endpoints(): Record<string, Record<string, string>> {
    const urlOf = (path: string): string => `${this.url}${path}`;
    return {
      facebook: {
        authorization: urlOf('/social/authorize'),
        token: urlOf('/social/token'),
        user: urlOf('/social/user'),
        debugToken: urlOf('/social/debug'),
      },
      gitHub: {
        authorization: urlOf('/code/authorize'),
        token: urlOf('/code/token'),
        user: urlOf('/code/user'),
        checkToken: urlOf('/code/check'),
      },
      twitter: {
        requestToken: urlOf('/micro/request'),
        authenticate: urlOf('/micro/authenticate'),
        accessToken: urlOf('/micro/access'),
        user: urlOf('/micro/user'),
      },
    };
  }

  private answer(request: http.IncomingMessage, body: string, response: http.ServerResponse): void {
    const url = new URL(request.url ?? '/', this.url);
    this.calls.push(`${request.method ?? ''} ${url.pathname}`);
    const form = new URLSearchParams(body);
    const json = (status: number, value: unknown): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(value));
    const text = (status: number, value: string): void =>
      void response
        .writeHead(status, { 'content-type': 'application/x-www-form-urlencoded' })
        .end(value);
    const bearer = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1];
    switch (url.pathname) {
      case '/social/token':
      case '/code/token':
        if (
          form.get('code') !== 'good' ||
          !form.get('code_verifier') ||
          form.get('client_secret') !== 'oauth-secret'
        )
          return url.pathname === '/code/token'
            ? json(200, { error: 'bad_verification_code' })
            : json(400, { error: { message: 'no' } });
        return json(200, {
          access_token: `token-of-${url.pathname.split('/')[1] ?? ''}`,
          expires_in: 5000,
        });
      case '/social/user': {
        const proof = createHmac('sha256', 'oauth-secret')
          .update(bearer ?? '')
          .digest('hex');
        const isKnown =
          ['token-of-social', 'token-of-another-app'].includes(bearer ?? '') &&
          url.searchParams.get('appsecret_proof') === proof;
        return isKnown
          ? json(200, { id: '1001', name: 'Ada Social', email: 'ada@social.example' })
          : json(400, {});
      }
      case '/social/debug':
        return json(200, {
          data: {
            is_valid: true,
            expires_at: this.expiresAt ?? 0,
            app_id:
              url.searchParams.get('input_token') === 'token-of-social'
                ? 'social-app'
                : 'another-app',
          },
        });
      case '/code/check': {
        const { access_token } = JSON.parse(body) as { access_token: string };
        // The code host knows no tokens of other apps at the address of an app.
        return access_token.startsWith('token-of-code')
          ? json(200, {
              app: { client_id: 'code-app' },
              expires_at:
                this.expiresAt === undefined
                  ? null
                  : new Date(this.expiresAt * 1000).toISOString().replace('.000', ''),
            })
          : json(404, {});
      }
      case '/code/user':
        return ['token-of-code', 'token-of-code-2', 'token-of-another-app'].includes(bearer ?? '')
          ? json(200, { id: 2002, login: 'ada-code', name: null, plan: { name: 'x' } })
          : json(401, {});
      case '/micro/request':
        this.consumerKeys.push(this.authorizationParameter(request, 'oauth_consumer_key') ?? '');
        if (
          !this.isSigned(request, url, '') ||
          !this.authorizationParameter(request, 'oauth_callback')
        )
          return text(401, 'no');
        return text(
          200,
          'oauth_token=request-1&oauth_token_secret=request-secret&oauth_callback_confirmed=true',
        );
      case '/micro/access':
        if (
          !this.isSigned(request, url, 'request-secret') ||
          this.authorizationParameter(request, 'oauth_verifier') !== 'verified'
        )
          return text(401, 'no');
        return text(200, 'oauth_token=micro-token&oauth_token_secret=micro-secret&user_id=3003');
      case '/micro/user':
        if (
          !this.isSigned(request, url, 'micro-secret') ||
          this.authorizationParameter(request, 'oauth_token') !== 'micro-token'
        )
          return json(401, {});
        return json(200, { id: 3003, id_str: '3003', screen_name: 'ada_micro', name: 'Ada Micro' });
      default:
        return json(404, {});
    }
  }

  private authorizationParameter(request: http.IncomingMessage, name: string): string | undefined {
    const value = new RegExp(`${name}="([^"]*)"`).exec(request.headers.authorization ?? '')?.[1];
    return value === undefined ? undefined : decodeURIComponent(value);
  }

  /** Whether the OAuth 1 signature (RFC 5849) is right, computed without the sidecar's code. */
  private isSigned(request: http.IncomingMessage, url: URL, tokenSecret: string): boolean {
    const encode = (each: string): string =>
      encodeURIComponent(each).replace(
        /[!'()*]/g,
        (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
      );
    const header = [...(request.headers.authorization ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, decodeURIComponent(value)] as const,
    );
    const signature = header.find(([name]) => name === 'oauth_signature')?.[1];
    const pairs = [...header.filter(([name]) => name !== 'oauth_signature'), ...url.searchParams]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort();
    const base = [request.method ?? '', `${url.origin}${url.pathname}`, pairs.join('&')]
      .map(encode)
      .join('&');
    return (
      signature ===
      createHmac('sha1', `${encode(this.consumerSecret)}&${encode(tokenSecret)}`)
        .update(base)
        .digest('base64')
    );
  }
}
