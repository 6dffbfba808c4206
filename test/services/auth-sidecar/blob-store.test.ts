import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { openBlobStore } from '../../../services/auth-sidecar/token-store/blob-store.js';
import { cookie, directoryConfig, signIn, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, type CookieJar, request } from './support/raw-client.js';
import { startRecordingApp } from './support/recording-app.js';
import { testBasicOperations, clock } from './support/store-behaviour.js';

/** How long a replica trusts what it has read of a blob, in milliseconds. */
const cacheMs = 2000;

describe('the blob store', () => {
  const blobs = new Map<string, string>();
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    if (
      searchParams.get('sig') !== 'secret' &&
      request.headers.authorization !== 'Bearer identity-token'
    ) {
      if (pathname === '/identity')
        response.end(JSON.stringify({ access_token: 'identity-token', expires_on: '9999999999' }));
      else response.writeHead(403).end();
      return;
    }
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const storedBlob = blobs.get(pathname);
      if (request.method === 'GET')
        setTimeout(
          () => response.writeHead(storedBlob === undefined ? 404 : 200).end(storedBlob),
          pathname.endsWith('/slow') ? 200 : 0,
        );
      else if (request.method === 'DELETE')
        response.writeHead(blobs.delete(pathname) ? 202 : 404).end();
      else if (request.headers['if-none-match'] === '*' && storedBlob !== undefined)
        response.writeHead(409).end();
      else {
        blobs.set(pathname, Buffer.concat(parts).toString());
        response.writeHead(201).end();
      }
    });
  });
  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
  afterAll(() => new Promise((done) => server.close(done)));
  testBasicOperations(() =>
    Promise.resolve(
      openBlobStore({ sasUrl: `${address()}/container?sv=1&sig=secret` }, clock.now, {}),
    ),
  );
  testBasicOperations(() =>
    Promise.resolve(
      openBlobStore({ containerUri: `${address()}/other`, clientId: 'x' }, clock.now, {
        IDENTITY_ENDPOINT: `${address()}/identity`,
        IDENTITY_HEADER: 'h',
      }),
    ),
  );

  test('shows an end that was written while an earlier read was under way', async () => {
    const sasUrl = `${address()}/container?sv=1&sig=secret`;
    const store = openBlobStore({ sasUrl }, clock.now, {});
    const reading = store.read(['slow']);
    await new Promise((done) => setTimeout(done, 50));
    await store.add('slow', 'ended', clock.time + 100);
    await reading;
    expect(await store.read(['slow'])).toEqual(['ended']);
    await store.close();
  });

  test("stores a sidecar's tokens, encrypted", async () => {
    const idp = await new TestIdentityProvider().start();
    const app = await startRecordingApp();
    blobs.clear();
    const tokenStore = { enabled: true, azureBlobStorage: { sasUrlSettingName: 'sas' } };
    const sidecar = await startUnderTest({
      config: directoryConfig(idp, { login: { tokenStore } }),
      upstream: app.url,
      secrets: { sas: `${address()}/container?sv=1&sig=secret` },
    });
    const { jar } = await signIn(sidecar, idp);
    expect((await request(sidecar.url, { headers: { ...browser, ...cookie(jar) } })).status).toBe(
      200,
    );
    expect(app.requests[0]?.headers['x-svc-token-directory-access-token']).toMatch(/^access-/);
    expect([...blobs.values()].join()).not.toMatch(/access-|subject-1/);
    await request(sidecar.url, { path: '/.auth/logout', headers: cookie(jar) });
    expect([...blobs.keys()].filter((key) => key.includes('tokens'))).toEqual([]);
    await sidecar.stop();
    await app.close();
    await idp.close();
  });

  test('holds what replicas with stores of their own must know of sessions: started and ended', async () => {
    const idp = await new TestIdentityProvider().start();
    const app = await startRecordingApp();
    blobs.clear();
    const start = (options: { publicOrigins?: readonly string[] }) =>
      startUnderTest({
        config: directoryConfig(idp, {
          login: { tokenStore: { enabled: true, azureBlobStorage: { sasUrlSettingName: 'sas' } } },
          encryptionSettings: { containerAppAuthEncryptionSecretName: 'shared-key' },
        }),
        upstream: app.url,
        secrets: {
          sas: `${address()}/container?sv=1&sig=secret`,
          'shared-key': 'a key of at least sixteen characters',
        },
        options: { adminListen: '127.0.0.1:0', ...options },
      });
    const firstReplica = await start({});
    const secondReplica = await start({ publicOrigins: [firstReplica.url] });
    const host = { ...browser, Host: new URL(firstReplica.url).host };
    const visit = async (url: string, jar: CookieJar): Promise<number> =>
      (await request(url, { headers: { ...host, ...cookie(jar) } })).status;
    const waitUntilRead = () => new Promise((done) => setTimeout(done, cacheMs + 100));

    const [signedOut, ended] = [
      (await signIn(firstReplica, idp)).jar,
      (await signIn(firstReplica, idp)).jar,
    ];
    for (const jar of [signedOut, ended]) expect(await visit(secondReplica.url, jar)).toBe(200);
    const headers = { ...host, ...cookie(signedOut) };
    await request(secondReplica.url, { path: '/.auth/logout', headers });
    await waitUntilRead();
    expect(await visit(firstReplica.url, signedOut)).toBe(302);
    expect(await visit(firstReplica.url, ended)).toBe(200);
    await request(secondReplica.admin ?? '', {
      method: 'POST',
      path: '/admin/sessions/end',
      headers: { 'Content-Type': 'application/json' },
      body: '{"all":true}',
    });
    await waitUntilRead();
    expect(await visit(firstReplica.url, ended)).toBe(302);
    for (const each of [firstReplica, secondReplica]) await each.stop();
    await app.close();
    await idp.close();
  });
});

describe('the blob store in a cloud that misbehaves', () => {
  afterEach(() => vi.restoreAllMocks());
  /** Answers the calls of the store in place of the network. @returns the addresses called */
  function answerCalls(answer: (url: URL, method: string) => Response): string[] {
    const calls: string[] = [];
    vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
      const url = new URL(input as URL);
      calls.push(url.origin + url.pathname);
      return Promise.resolve(answer(url, init?.method ?? 'GET'));
    });
    return calls;
  }
  const container = 'https://blobs.example/container';

  test('a write that the container refuses fails', async () => {
    answerCalls(() => new Response(null, { status: 409 })); // another client has a lease
    const store = openBlobStore({ sasUrl: `${container}?sig=x` }, clock.now, {});
    await expect(store.write('revoked', '1', clock.time + 5)).rejects.toThrow('status 409');
    expect(await store.add('used', '1', clock.time + 5)).toBe(false);
  });

  test('reads at the same time share one token of the identity, at the usual address if the variable is empty', async () => {
    const token = { access_token: 'identity-token', expires_on: '9999999999' };
    const calls = answerCalls((url) =>
      url.hostname === '169.254.169.254'
        ? Response.json(token)
        : new Response(null, { status: 404 }),
    );
    const store = openBlobStore({ containerUri: container }, clock.now, { IDENTITY_ENDPOINT: '' });
    await store.read(['a', 'b', 'c']);
    expect(calls.filter((each) => !each.startsWith(container))).toEqual([
      'http://169.254.169.254/metadata/identity/oauth2/token',
    ]);
  });

  test('an identity endpoint that fails is named with its status', async () => {
    const IDENTITY_ENDPOINT = 'http://identity.example/token';
    answerCalls(() => new Response('<html>busy</html>', { status: 503 }));
    const store = openBlobStore({ containerUri: container }, clock.now, { IDENTITY_ENDPOINT });
    await expect(store.read(['a'])).rejects.toThrow(`${IDENTITY_ENDPOINT}: status 503`);
  });
});
