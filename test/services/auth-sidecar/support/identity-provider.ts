import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, type JWTPayload, SignJWT } from 'jose';

interface Code {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly nonce: string | undefined;
  readonly challenge: string | undefined;
}

type KeyPair = ReturnType<typeof newKeyPair>;
const newKeyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The keys of closed providers, for the next ones: new ones take 160 ms. */
const freeKeys: KeyPair[] = [];

/** A small honest OpenID Connect provider that signs every visitor in at once. */
export class TestIdentityProvider {
  readonly calls: string[] = [];
  readonly tokenRequests: URLSearchParams[] = [];
  /** Claims of the next ID token, over the usual ones. */
  claims: JWTPayload = {};
  /** Claims of the user endpoint; undefined: it answers 404. */
  user: Record<string, unknown> | undefined;
  refreshAllowed = true;
  /** Whether a refresh returns an ID token, with the claims of then. */
  idTokenOnRefresh = false;
  /** Milliseconds that the token endpoint takes. */
  delay = 0;
  /** Status and body of every answer of the token endpoint; undefined: it does its work. */
  tokenFailure: readonly [number, unknown] | undefined;
  secret = 'client-secret-of-the-app';
  /** Checks a client's signed assertion, used in place of the secret. */
  assertion: ((jwt: string) => Promise<void>) | undefined;
  /** The methods that discovery lists; `client_secret_basic` alone is then the only one taken. */
  authMethods: readonly string[] | undefined;
  clientId = 'client-1';
  sendsIss = false;
  readonly codes = new Map<string, Code>();
  private kid = 'key-1';
  /** No two open providers have the same ones. */
  private keys = freeKeys.pop() ?? newKeyPair();
  private isClosed = false;
  private server: http.Server | undefined;
  url = '';

  async start(): Promise<this> {
    if (this.isClosed) throw new Error('its keys may be those of another provider by now');
    this.server = http.createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => void this.answer(request, Buffer.concat(parts).toString(), response));
    });
    await new Promise<void>((done) => this.server?.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return this;
  }

  close(): Promise<void> {
    if (!this.isClosed) freeKeys.push(this.keys);
    this.isClosed = true;
    this.server?.closeAllConnections();
    return new Promise((done) => this.server?.close(() => done()));
  }

  /** New keys under a new id; the old ones are gone. */
  rotate(): void {
    this.kid = `key-${randomBytes(4).toString('hex')}`;
    this.keys = newKeyPair();
  }

  get privateKey(): KeyObject {
    return this.keys.privateKey;
  }

  /** A token signed by this provider. */
  sign(claims: JWTPayload, header: Record<string, unknown> = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const usual = {
      iss: this.url,
      aud: this.clientId,
      sub: 'subject-1',
      iat: now,
      exp: now + 3600,
      name: 'Ada Lovelace',
    };
    const payload = Object.fromEntries(
      Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined),
    );
    return new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', kid: this.kid, ...header })
      .sign(this.keys.privateKey);
  }

  private async answer(
    request: http.IncomingMessage,
    body: string,
    response: http.ServerResponse,
  ): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    this.calls.push(`${request.method ?? ''} ${url.pathname}`);
    const json = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return json(200, {
          issuer: this.url,
          authorization_endpoint: `${this.url}/authorize`,
          token_endpoint: `${this.url}/token`,
          jwks_uri: `${this.url}/keys`,
          userinfo_endpoint: `${this.url}/user`,
          end_session_endpoint: `${this.url}/end`,
          ...(this.authMethods !== undefined && {
            token_endpoint_auth_methods_supported: this.authMethods,
          }),
          ...(this.sendsIss && { authorization_response_iss_parameter_supported: true }),
        });
      case '/keys':
        return json(200, {
          keys: [
            { ...(await exportJWK(this.keys.publicKey)), kid: this.kid, use: 'sig', alg: 'RS256' },
          ],
        });
      case '/user':
        return this.user === undefined ? json(404, {}) : json(200, this.user);
      case '/authorize': {
        response.writeHead(302, { location: this.authorize(url) });
        response.end();
        return;
      }
      case '/token':
        if (this.delay > 0) await new Promise((done) => setTimeout(done, this.delay));
        if (this.tokenFailure !== undefined) return json(...this.tokenFailure);
        return this.token(new URLSearchParams(body), json, request.headers.authorization);
      default:
        return json(404, {});
    }
  }

  /** The callback address that a browser would be sent to from an authorization address. */
  authorize(url: URL): string {
    const code = randomBytes(8).toString('hex');
    const get = (name: string): string | undefined => url.searchParams.get(name) ?? undefined;
    this.codes.set(code, {
      clientId: get('client_id') ?? '',
      redirectUri: get('redirect_uri') ?? '',
      nonce: get('nonce'),
      challenge: get('code_challenge'),
    });
    const callbackUrl = new URL(get('redirect_uri') ?? '');
    callbackUrl.searchParams.set('code', code);
    callbackUrl.searchParams.set('state', get('state') ?? '');
    if (this.sendsIss) callbackUrl.searchParams.set('iss', this.url);
    return callbackUrl.href;
  }

  private async token(
    form: URLSearchParams,
    json: (status: number, value: unknown) => void,
    authorization?: string,
  ): Promise<void> {
    this.tokenRequests.push(form);
    if (this.assertion !== undefined) {
      if (
        form.get('client_assertion_type') !==
        'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
      )
        return json(401, { error: 'invalid_client' });
      await this.assertion(form.get('client_assertion') ?? '');
    } else if (this.authMethods?.join() === 'client_secret_basic') {
      const [id, secret] = Buffer.from(authorization?.slice('Basic '.length) ?? '', 'base64')
        .toString()
        .split(':')
        .map((part) => new URLSearchParams(`=${part}`).get(''));
      if (form.has('client_secret') || id !== this.clientId || secret !== this.secret)
        return json(401, { error: 'invalid_client' });
    } else if (form.get('client_secret') !== this.secret)
      return json(401, { error: 'invalid_client' });
    const newTokens = {
      token_type: 'Bearer',
      access_token: `access-${randomBytes(6).toString('hex')}`,
      expires_in: 3600,
    };
    if (form.get('grant_type') === 'client_credentials') return json(200, newTokens);
    if (form.get('grant_type') === 'refresh_token') {
      if (!this.refreshAllowed) return json(400, { error: 'invalid_grant' });
      const idToken = this.idTokenOnRefresh ? { id_token: await this.sign(this.claims) } : {};
      return json(200, {
        ...newTokens,
        ...idToken,
        refresh_token: `refresh-${randomBytes(6).toString('hex')}`,
      });
    }
    const code = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    const isVerifierValid =
      code?.challenge ===
      createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
    const hasNoChallenge = code?.challenge === undefined;
    if (
      code === undefined ||
      (!isVerifierValid && !hasNoChallenge) ||
      (code.redirectUri !== '' && code.redirectUri !== form.get('redirect_uri'))
    )
      return json(400, { error: 'invalid_grant' });
    const id_token = await this.sign({
      ...(code.nonce !== undefined && { nonce: code.nonce }),
      ...this.claims,
    });
    return json(200, {
      ...newTokens,
      id_token,
      refresh_token: `refresh-${randomBytes(6).toString('hex')}`,
    });
  }
}
