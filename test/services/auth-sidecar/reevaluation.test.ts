import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cookie, type SidecarUnderTest, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, CookieJar, request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
let app: RecordingApp;
let firstReplica: SidecarUnderTest;
let secondReplica: SidecarUnderTest;
let folder = '';

const origin = 'http://app.example';
const keys = { encryption: 'e'.repeat(40), signing: 's'.repeat(40) };
const requestHeaders = { ...browser, Host: 'app.example' };
const sidecarConfig = (): unknown => ({
  identityProviders: {
    customOpenIdConnectProviders: {
      staff: {
        registration: {
          clientId: idp.clientId,
          clientCredential: { clientSecretSettingName: 'directory-secret' },
          openIdConnectConfiguration: { issuer: idp.url },
        },
      },
    },
  },
  login: { tokenStore: { enabled: true }, sessions: { reevaluateAfter: '00:00:01' } },
  encryptionSettings: {
    containerAppAuthEncryptionSecretName: 'encryption',
    containerAppAuthSigningSecretName: 'signing',
  },
});
/** A replica: keys and store are shared. */
const startReplica = () =>
  startUnderTest({
    config: sidecarConfig(),
    upstream: app.url,
    secrets: keys,
    options: { tokenStore: `sqlite:${join(folder, 'store.db')}`, publicOrigins: [origin] },
  });

beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp();
});
afterAll(async () => {
  await app.close();
  await idp.close();
});
beforeEach(async () => {
  Object.assign(idp, { delay: 0, tokenFailure: undefined });
  folder = mkdtempSync(join(tmpdir(), 'sidecar-reevaluation-'));
  firstReplica = await startReplica();
  secondReplica = await startReplica();
});
afterEach(async () => {
  await Promise.all([firstReplica.stop(), secondReplica.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

async function signInAtFirst(): Promise<CookieJar> {
  const jar = new CookieJar();
  const login = await request(firstReplica.url, {
    path: '/.auth/login/staff',
    headers: requestHeaders,
  });
  jar.take(login);
  const callback = new URL(idp.authorize(new URL(login.headers['location']?.[0] ?? '')));
  const path = callback.pathname + callback.search;
  jar.take(
    await request(firstReplica.url, { path, headers: { ...requestHeaders, ...cookie(jar) } }),
  );
  return jar;
}
/** The answers of both replicas when they ask at once: one asks the provider, the other waits. */
const visitBoth = (jar: CookieJar) =>
  Promise.all(
    [firstReplica, secondReplica].map(({ url }) =>
      request(url, { headers: { ...requestHeaders, ...cookie(jar) } }).then(({ status }) => status),
    ),
  );

describe('when the provider is asked again (login.sessions.reevaluateAfter)', () => {
  test.each([
    ['is not available', [503, {}], [502, 502]],
    ['has too many requests', [429, {}], [502, 502]],
    ['is temporarily unavailable', [400, { error: 'temporarily_unavailable' }], [502, 502]],
    ['no longer takes the secret of the app', [401, { error: 'invalid_client' }], [502, 502]],
  ] as const)(
    'a provider that %s admits no one unchecked and ends no session, on any replica',
    async (_, failure, answers) => {
      const jar = await signInAtFirst();
      await pause(1100);
      Object.assign(idp, { delay: 500, tokenFailure: failure });
      const callsBefore = idp.calls.length;
      expect(await visitBoth(jar)).toEqual(answers);
      expect(idp.calls.slice(callsBefore)).toEqual(['POST /token']);
      Object.assign(idp, { delay: 0, tokenFailure: undefined });
      idp.user = { sub: 'subject-1', name: 'Ada Lovelace' };
      expect(await visitBoth(jar)).toEqual([200, 200]);
    },
  );

  test('a provider that refuses the person ends the session on every replica, for good', async () => {
    const jar = await signInAtFirst();
    await pause(1100);
    Object.assign(idp, { delay: 500, tokenFailure: [400, { error: 'invalid_grant' }] });
    expect(await visitBoth(jar)).toEqual([302, 302]);
    Object.assign(idp, { delay: 0, tokenFailure: undefined });
    expect(await visitBoth(jar)).toEqual([302, 302]);
  });

  test('a replica that does not know the key of the newest statement ends no session', async () => {
    const jar = await signInAtFirst();
    idp.user = { sub: 'subject-1', name: 'Ada Lovelace' };
    writeFileSync(
      join(firstReplica.directory, 'encryption'),
      `${'n'.repeat(40)}\n${keys.encryption}`,
    );
    firstReplica.reload();
    await pause(1100);
    const visit = async (replica: SidecarUnderTest) => {
      const { status, headers } = await request(replica.url, {
        headers: { ...requestHeaders, ...cookie(jar) },
      });
      return [status, headers['set-cookie']];
    };
    expect(await visit(firstReplica)).toEqual([200, undefined]);
    await pause(1100);
    expect(await visit(secondReplica)).toEqual([302, undefined]);
    expect(await visit(firstReplica)).toEqual([200, undefined]);
  });
});
