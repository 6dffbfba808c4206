import fc from 'fast-check';
import { SessionCodec } from '../../../services/auth-sidecar/session/session-codec.js';
import { KeyRing } from '../../../services/auth-sidecar/session/key-ring.js';
import { createSession } from '../../../services/auth-sidecar/session/session.js';
import { runs } from '../../support/property-tests.js';
import { cookie, directoryConfig, signIn, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { request } from './support/raw-client.js';
import { startRecordingApp } from './support/recording-app.js';

const keys = KeyRing.of([], [], Buffer.alloc(32, 1));
const origin = 'https://app.example';
const session = createSession(
  'azureActiveDirectory',
  { id: 'u1', name: 'Ada', claims: { email: 'ada@example.com', roles: ['reader', 'writer'] } },
  { issuedAt: 1, expiresAt: 2, renewableUntil: 3 },
);

/** Every spelling that a forgiving decoder would read as the same bytes, or nearly. */
const respellings = (sealed: string): string[] => [
  `${sealed}=`,
  `${sealed}==`,
  `${sealed} `,
  `${sealed}A`,
  `${sealed.slice(0, -1)}\n${sealed.slice(-1)}`,
  sealed.replaceAll('-', '+').replaceAll('_', '/'),
  sealed.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 0x100)),
  sealed.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
  sealed.slice(0, -1),
  sealed.replace('v1.', 'v2.'),
  sealed.replace(/^v1\.(.{8})\./, 'v1.$1-'),
];

test.each([1, 2, 3, 700, 20_000])(
  '%i encrypted bytes decrypt in the one spelling that was written, and in no other',
  (length) => {
    const sealed = keys.seal(Buffer.alloc(length, 7), 'p');
    expect(keys.open(sealed, 'p')).toEqual(Buffer.alloc(length, 7));
    for (const other of respellings(sealed))
      if (other !== sealed) expect(keys.open(other, 'p')).toBeUndefined();
  },
);

describe.each([
  ['that remembers sealed texts', 100],
  ['that verifies every request', 0],
])('a codec %s', (_, capacity) => {
  const codec = new SessionCodec(keys, capacity);
  const sealed = codec.seal(session, 'cookie', origin);

  test('decrypts a session repeatedly, as the same object', () => {
    const first = codec.open(sealed, 'cookie', origin);
    expect(first).toEqual(session);
    expect(codec.open(sealed, 'cookie', origin)).toBe(first);
  });

  test('decrypts it only for its own purpose', () => {
    codec.open(sealed, 'cookie', origin);
    expect(codec.open(sealed, 'token', origin)).toBeUndefined();
    expect(codec.open(sealed, 'cookie', 'https://other.example')).toBeUndefined();
  });

  test('decrypts nothing in which a letter was changed, however much of it is cached', () => {
    codec.open(sealed, 'cookie', origin);
    fc.assert(
      fc.property(
        fc.nat(sealed.length - 1),
        fc.constantFrom(...'AZaz09-_.+/=~ \u0141'),
        (index, letter) => {
          const other = sealed.slice(0, index) + letter + sealed.slice(index + 1);
          return other === sealed || codec.open(other, 'cookie', origin) === undefined;
        },
      ),
      { numRuns: runs(300) },
    );
  });

  test('distinguishes sessions with the same text', () => {
    const twin = codec.seal(session, 'cookie', origin);
    expect(codec.open(twin, 'cookie', origin)).toEqual(session);
    expect(codec.open(sealed, 'cookie', origin)).toEqual(session);
  });
});

test('a sidecar that verifies every request ends sessions like any other', async () => {
  const idp = await new TestIdentityProvider().start();
  const app = await startRecordingApp();
  const sidecar = await startUnderTest({
    config: directoryConfig(idp),
    upstream: app.url,
    options: { sessionCache: 0 },
  });
  const { jar } = await signIn(sidecar, idp);
  for (const _ of [1, 2])
    expect((await request(sidecar.url, { headers: cookie(jar) })).status).toBe(200);
  const identities = app.requests.map(({ headers }) => headers['x-svc-client-principal']);
  expect(identities.at(-1)).toBe(identities.at(-2));
  expect(identities.at(-1)).toBeTruthy();
  await request(sidecar.url, { path: '/.auth/logout', headers: cookie(jar) });
  expect((await request(sidecar.url, { headers: cookie(jar) })).status).toBe(401);
  await sidecar.stop();
  await app.close();
  await idp.close();
});
