import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SidecarUnderTest, startUnderTest } from '../support/harness.js';
import { TestIdentityProvider } from '../support/identity-provider.js';
import { OAuthDoubles } from '../support/oauth-doubles.js';
import {
  browser,
  CookieJar,
  type RawAnswer,
  request,
  type RequestShape,
} from '../support/raw-client.js';
import { type RecordingApp, startRecordingApp } from '../support/recording-app.js';

/** A property by its path, and a test that it has an effect. */
export type Effect = readonly [path: string, verify: (fixture: SidecarFixture) => Promise<void>];

const origin = 'https://app.example';

/**
 * A running sidecar behind a trusted proxy, whose configuration each test replaces. The addresses of
 * all providers are those of local doubles.
 */
export class SidecarFixture {
  readonly idp = new TestIdentityProvider();
  readonly otherIdp = new TestIdentityProvider();
  readonly doubles = new OAuthDoubles();
  /** Requests to the double of the blob store and of the identity endpoint. */
  readonly blobCalls: string[] = [];
  app!: RecordingApp;
  private sidecar!: SidecarUnderTest;
  private blobs!: http.Server;

  async start(): Promise<void> {
    await Promise.all([this.idp.start(), this.otherIdp.start(), this.doubles.start()]);
    this.app = await startRecordingApp();
    this.blobs = http.createServer((incoming, response) => {
      this.blobCalls.push(
        `${incoming.method ?? ''} ${incoming.url ?? ''} ${incoming.headers.authorization ?? ''}`,
      );
      if (incoming.url?.startsWith('/identity'))
        response.end(JSON.stringify({ access_token: 'of-identity', expires_on: '9999999999' }));
      else response.writeHead(incoming.method === 'PUT' ? 201 : 404).end();
    });
    await new Promise<void>((done) => this.blobs.listen(0, '127.0.0.1', done));
    const issuer = { issuer: this.idp.url };
    this.sidecar = await startUnderTest({
      config: {},
      upstream: this.app.url,
      endpoints: {
        ...this.doubles.endpoints,
        legacyMicrosoftAccount: { ...issuer, user: `${this.idp.url}/user` },
        google: issuer,
        apple: issuer,
      },
      secrets: {
        'wrong-secret': 'not the secret',
        'oauth-secret': 'oauth-secret',
        'consumer-secret': this.doubles.consumerSecret,
        'key-a': 'the first key of this test',
        'key-b': 'the second key of this test',
      },
      options: { publicOrigins: [origin], trustedProxies: ['127.0.0.1/32'] },
    });
  }

  async stop(): Promise<void> {
    await this.sidecar.stop();
    await this.app.close();
    await Promise.all([this.idp.close(), this.otherIdp.close(), this.doubles.close()]);
    this.blobs.closeAllConnections();
    await new Promise((done) => this.blobs.close(done));
  }

  get blobUrl(): string {
    return `http://127.0.0.1:${(this.blobs.address() as AddressInfo).port}`;
  }

  /** Replaces the configuration. */
  configure(config: object): void {
    this.sidecar.write(config);
    this.sidecar.reload();
  }

  /** Replaces the configuration by settings and a directory provider; without a session: 401. */
  configureWithDirectory(
    settings: Record<string, unknown>,
    directory: Record<string, unknown> = {},
  ): void {
    const { globalValidation, ...otherSettings } = settings;
    const registration = {
      clientId: 'client-1',
      clientSecretSettingName: 'directory-secret',
      openIdIssuer: this.idp.url,
    };
    this.configure({
      globalValidation: {
        unauthenticatedClientAction: 'Return401',
        ...(globalValidation as object | undefined),
      },
      identityProviders: {
        azureActiveDirectory: {
          ...directory,
          registration: { ...registration, ...(directory['registration'] as object | undefined) },
        },
      },
      ...otherSettings,
    });
  }

  /** Writes a secret's file. */
  writeSecret(name: string, value: string): void {
    writeFileSync(join(this.sidecar.directory, name), value);
  }

  get(path = '/', headers: RequestShape['headers'] = {}): Promise<RawAnswer> {
    return request(this.sidecar.url, { path, headers: { Host: 'app.example', ...headers } });
  }

  post(providerName: string, body: unknown): Promise<RawAnswer> {
    return request(this.sidecar.url, {
      method: 'POST',
      path: `/.auth/login/${providerName}`,
      headers: { Host: 'app.example', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /** Where a sign-in sends the browser. */
  async location(providerName = 'directory', query = ''): Promise<URL> {
    const { status, headers } = await this.get(`/.auth/login/${providerName}${query}`, browser);
    expect(status).toBe(302);
    return new URL(headers['location']?.[0] ?? '');
  }

  /**
   * Signs in by the server flow.
   *
   * @param authorize returns the callback for the address to which the browser was sent; by default
   *   the local provider's
   */
  async signIn(
    providerName = 'directory',
    authorize: (location: URL) => string = (location) => this.idp.authorize(location),
  ): Promise<{ callbackAnswer: RawAnswer; cookies: string }> {
    const jar = new CookieJar();
    const loginResponse = await this.get(`/.auth/login/${providerName}`, browser);
    jar.take(loginResponse);
    const callback = new URL(
      authorize(new URL(loginResponse.headers['location']?.[0] ?? '')),
      origin,
    );
    const callbackAnswer = await this.get(callback.pathname + callback.search, {
      ...browser,
      Cookie: jar.header,
    });
    jar.take(callbackAnswer);
    return { callbackAnswer, cookies: jar.header };
  }

  /** Seconds that the session cookie of a sign-in is kept. */
  async cookieSeconds(): Promise<number> {
    const { callbackAnswer } = await this.signIn();
    const line =
      (callbackAnswer.headers['set-cookie'] ?? []).find((each) => each.includes('Session=')) ?? '';
    return Number(/Max-Age=(\d+)/.exec(line)?.[1]);
  }
}
