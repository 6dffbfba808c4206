import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBlobStore } from '../../../services/auth-sidecar/token-store/blob-store.js';
import { freePort, waitUntilReachable } from '../../support/ports.js';
import { cookie, directoryConfig, signIn, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, request } from './support/raw-client.js';
import { startRecordingApp } from './support/recording-app.js';
import { testBasicOperations, clock } from './support/store-behaviour.js';

/** The file that starts the blob service of Azurite; `npm run test:long` installs it. */
const azurite = process.env['CASTELLAN_AZURITE'];
const account = 'devstoreaccount1';
/** Azurite's published key, the same everywhere. */
const accountKey =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** A shared access signature for the blobs and containers of the account. */
function signature(permissions: string): string {
  const [version, expiry] = ['2021-12-02', '2099-01-01T00:00:00Z'];
  const textToSign = [account, permissions, 'b', 'co', '', expiry, '', '', version, '', ''].join(
    '\n',
  );
  const sig = createHmac('sha256', Buffer.from(accountKey, 'base64'))
    .update(textToSign)
    .digest('base64');
  return new URLSearchParams({
    sv: version,
    ss: 'b',
    srt: 'co',
    sp: permissions,
    se: expiry,
    sig,
  }).toString();
}

(azurite === undefined ? describe.skip : describe)('the store in the blobs of Azurite', () => {
  const directory = mkdtempSync(join(tmpdir(), 'sidecar-azurite-'));
  let server: ChildProcess;
  let container: string;
  const sasUrl = (permissions = 'rwdlac'): string => `${container}?${signature(permissions)}`;
  beforeAll(async () => {
    const port = await freePort();
    const args = [
      '--silent',
      '--blobHost',
      '127.0.0.1',
      '--blobPort',
      String(port),
      '--location',
      directory,
      '--skipApiVersionCheck',
    ];
    server = spawn(process.execPath, [String(azurite), ...args], { stdio: 'ignore' });
    await waitUntilReachable(port);
    container = `http://127.0.0.1:${port}/${account}/tokens`;
    const response = await fetch(`${sasUrl()}&restype=container`, {
      method: 'PUT',
      headers: { 'x-ms-version': '2021-12-02' },
    });
    expect(response.status).toBe(201);
  });
  afterAll(() => {
    server.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });

  testBasicOperations(() => Promise.resolve(openBlobStore({ sasUrl: sasUrl() }, clock.now, {})));

  test('a signature without write permission is an error that names the blob and not the signature', async () => {
    const store = openBlobStore({ sasUrl: sasUrl('r') }, clock.now, {});
    const failure = await Promise.resolve(store.write('key', 'value', clock.time + 100)).catch(
      (error: Error) => error,
    );
    expect(failure).toMatchObject({ code: 'status 403', address: `${container}/key` });
    expect(JSON.stringify(failure) + String(failure)).not.toContain('sig=');
  });

  test('stores tokens for all replicas, encrypted, until the sign-out', async () => {
    const idp = await new TestIdentityProvider().start();
    const app = await startRecordingApp();
    const options = {
      config: directoryConfig(idp, {
        login: { tokenStore: { enabled: true, azureBlobStorage: { sasUrlSettingName: 'sas' } } },
        encryptionSettings: {
          containerAppAuthEncryptionSecretName: 'enc',
          containerAppAuthSigningSecretName: 'sig',
        },
      }),
      upstream: app.url,
      secrets: { sas: sasUrl(), enc: 'e'.repeat(64), sig: 's'.repeat(64) },
      options: { publicOrigins: ['http://127.0.0.1'] },
    };
    const firstReplica = await startUnderTest({ ...options, options: {} });
    const { jar } = await signIn(firstReplica, idp);
    const headers = { ...browser, ...cookie(jar), Host: new URL(firstReplica.url).host };
    const secondReplica = await startUnderTest({
      ...options,
      options: { publicOrigins: [firstReplica.url] },
    });
    for (const { url } of [firstReplica, secondReplica])
      expect((await request(url, { headers })).status).toBe(200);
    const tokens = app.requests.map((each) => each.headers['x-svc-token-directory-access-token']);
    expect(tokens[0]).toMatch(/^access-/);
    expect(tokens[1]).toBe(tokens[0]);
    const list = async (): Promise<string> =>
      (await fetch(`${sasUrl()}&restype=container&comp=list`)).text();
    const names = [...(await list()).matchAll(/<Name>(tokens-[^<]+)<\/Name>/g)].map(
      ([, name]) => name,
    );
    expect(names).toHaveLength(1);
    expect(
      await (await fetch(`${container}/${String(names[0])}?${signature('r')}`)).text(),
    ).not.toMatch(/access-|subject-1/);
    await request(firstReplica.url, { path: '/.auth/logout', headers });
    expect(await list()).not.toContain('<Name>tokens-');
    // A replica caches what it has read for two seconds.
    await new Promise((done) => setTimeout(done, 2100));
    expect((await request(secondReplica.url, { headers })).status).toBe(302);
    await firstReplica.stop();
    await secondReplica.stop();
    await app.close();
    await idp.close();
  });
});
