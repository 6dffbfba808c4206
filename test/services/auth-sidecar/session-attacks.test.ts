import {
  cookie,
  directoryConfig,
  type SidecarUnderTest,
  signIn,
  startUnderTest,
} from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
let app: RecordingApp;
let sidecar: SidecarUnderTest;

beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp();
  sidecar = await startUnderTest({ config: directoryConfig(idp), upstream: app.url });
});
afterAll(async () => {
  await sidecar.stop();
  await app.close();
  await idp.close();
});

describe('sessions', () => {
  test('are fresh at every sign-in, and the one before ends', async () => {
    const { jar } = await signIn(sidecar, idp);
    const first = jar.header;
    await signIn(sidecar, idp, '/.auth/login/directory', jar);
    expect(jar.header).not.toBe(first);
    expect((await request(sidecar.url, { headers: { Cookie: first } })).status).toBe(401);
    expect((await request(sidecar.url, { headers: cookie(jar) })).status).toBe(200);
  });

  test('cannot be changed by a byte, and an invalid cookie is cleared', async () => {
    const { jar } = await signIn(sidecar, idp);
    const value = jar.cookies.get('SvcAuthSession') ?? '';
    const withChangedLetter = (position: number): string =>
      value.slice(0, position) + (value[position] === 'A' ? 'B' : 'A') + value.slice(position + 1);
    const isOfOtherKey = (each: string): boolean =>
      each.startsWith('v1.') &&
      each.slice(3, 12) !== value.slice(3, 12) &&
      each.length === value.length &&
      each[11] === '.';
    const forgedValues = [
      ...Array.from({ length: 40 }, (_, index) =>
        withChangedLetter(Math.floor((value.length * index) / 40)),
      ),
      value.slice(0, -1),
      `${value}A`,
      '',
      'v1',
      `v2${value.slice(2)}`,
      `2~${value}`,
      `9~${value}`,
    ];
    for (const each of forgedValues) {
      const answer = await request(sidecar.url, {
        headers: { Cookie: `SvcAuthSession=${each}` },
      });
      expect(answer.status).toBe(401);
      // With another key id it may be a cookie of another replica, while keys are replaced.
      if (isOfOtherKey(each)) continue;
      expect(answer.headers['set-cookie']?.[0]).toMatch(/^SvcAuthSession=; .*Max-Age=0/);
    }
    expect(
      (
        await request(sidecar.url, {
          headers: { Cookie: `SvcAuthSession=${value}; SvcAuthSession=other` },
        })
      ).status,
    ).toBe(401);
  });

  test('of one app are invalid at another', async () => {
    const stranger = await startUnderTest({ config: directoryConfig(idp), upstream: app.url });
    const { jar } = await signIn(sidecar, idp);
    expect((await request(stranger.url, { headers: cookie(jar) })).status).toBe(401);
    await stranger.stop();
  });

  test('belong to one origin even with the same keys', async () => {
    const keys = {
      config: {
        ...(directoryConfig(idp) as object),
        encryptionSettings: { containerAppAuthEncryptionSecretName: 'enc' },
      },
      secrets: { enc: 'a'.repeat(64) },
      upstream: app.url,
    };
    const [firstSidecar, secondSidecar] = [await startUnderTest(keys), await startUnderTest(keys)];
    const { jar } = await signIn(firstSidecar, idp);
    expect((await request(firstSidecar.url, { headers: cookie(jar) })).status).toBe(200);
    expect((await request(secondSidecar.url, { headers: cookie(jar) })).status).toBe(401);
    await firstSidecar.stop();
    await secondSidecar.stop();
  });
});
