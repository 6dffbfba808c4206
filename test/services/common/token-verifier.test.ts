import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTVerifyGetKey, SignJWT } from 'jose';
import { createTokenVerifier } from '../../../services/common/token-verifier.js';

const issuer = 'https://issuer.example';
const start = new Date('2026-01-01T00:00:00Z');

async function startVerifier(): Promise<{
  verify: (
    token: string,
    audience?: string,
  ) => ReturnType<ReturnType<typeof createTokenVerifier>['verify']>;
  sign: (claims: Record<string, unknown>) => Promise<string>;
  keyLookups: () => number;
  passSeconds: (seconds: number) => void;
}> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  let [keyLookups, now] = [0, start.getTime()];
  const key = (() => (keyLookups++, Promise.resolve(publicKey))) as unknown as JWTVerifyGetKey;
  const tokens = createTokenVerifier({
    issuers: [issuer],
    clock: { now: () => new Date(now) },
    localKeys: new Map([[issuer, key]]),
  });
  return {
    verify: (token, audience = 'https://here') => tokens.verify(`Bearer ${token}`, [audience]),
    sign: (claims) =>
      new SignJWT({ oid: 'o', exp: start.getTime() / 1000 + 30, ...claims })
        .setProtectedHeader({ alg: 'ES256' })
        .setIssuer(issuer)
        .setAudience('https://here/')
        .sign(privateKey),
    keyLookups: () => keyLookups,
    passSeconds: (seconds) => (now += seconds * 1000),
  };
}

test('a repeated token is not verified again, but never accepted after its end', async () => {
  const { verify, sign, keyLookups, passSeconds } = await startVerifier();
  const token = await sign({ scp: 'Item.Read.All' });
  for (let round = 0; round < 3; round++)
    expect(await verify(token)).toMatchObject({ caller: { objectId: 'o', kind: 'user' } });
  expect(keyLookups()).toBe(1);
  passSeconds(31);
  expect(await verify(token)).toMatchObject({ refusal: 'expired' });
});

test('the signature of a long-lived token is verified again after a minute', async () => {
  const { verify, sign, keyLookups, passSeconds } = await startVerifier();
  const token = await sign({ scp: 'a', exp: start.getTime() / 1000 + 3600 });
  await verify(token);
  passSeconds(61);
  expect(await verify(token)).toMatchObject({ caller: { kind: 'user' } });
  expect(keyLookups()).toBe(2);
});

test('a cached token is checked for the audience of each request', async () => {
  const { verify, sign } = await startVerifier();
  const token = await sign({ scp: 'a' });
  expect(await verify(token, 'https://elsewhere')).toMatchObject({ refusal: 'audience' });
  expect(await verify(token)).toMatchObject({ caller: { kind: 'user' } });
  expect(await verify(token, 'https://elsewhere')).toMatchObject({ refusal: 'audience' });
});

test('a changed token is refused, also after the genuine one', async () => {
  const { verify, sign } = await startVerifier();
  const token = await sign({ scp: 'a' });
  await verify(token);
  const [head = '', , signature = ''] = token.split('.');
  const claims = Buffer.from(
    JSON.stringify({ iss: issuer, aud: 'https://here', oid: 'other', exp: 9e9 }),
  ).toString('base64url');
  expect(await verify(`${head}.${claims}.${signature}`)).toMatchObject({ refusal: 'invalid' });
});

test('the groups in a token are in lower case', async () => {
  const { verify, sign } = await startVerifier();
  const verified = await verify(await sign({ scp: 'a', groups: ['AAAA-1', 'bbbb-2'] }));
  expect([...(('caller' in verified && verified.caller.groups) || [])]).toEqual([
    'aaaa-1',
    'bbbb-2',
  ]);
});

test.each<[Record<string, unknown>, 'application' | 'user']>([
  [{ idtyp: 'app' }, 'application'],
  [{ idtyp: 'app', sub: 'other' }, 'application'],
  [{ sub: 'o' }, 'application'],
  [{ sub: 'other' }, 'user'],
  [{}, 'user'],
  [{ sub: 'o', idtyp: 'user' }, 'user'],
  [{ sub: 'o', idtyp: ['app'] }, 'user'],
  [{ sub: 'o', scp: '' }, 'user'],
  [{ sub: 'o', scp: ['Item.ReadWrite.All'] }, 'user'],
  [{ sub: 'o', scp: 'Item.Read.All' }, 'user'],
])('the claims %j are those of an %s', async (claims, kind) => {
  const { verify, sign } = await startVerifier();
  expect(await verify(await sign(claims))).toMatchObject({ caller: { kind } });
});

test('a token identifies its owner: an application at least by its id', async () => {
  const { verify, sign } = await startVerifier();
  expect(await verify(await sign({ oid: undefined, scp: 'a' }))).toMatchObject({
    refusal: 'invalid',
    reason: expect.stringContaining('oid'),
  });
  expect(await verify(await sign({ oid: undefined, appid: 'a', scp: 'a' }))).toMatchObject({
    refusal: 'invalid',
  });
  expect(await verify(await sign({ oid: undefined, appid: 'a', idtyp: 'app' }))).toMatchObject({
    caller: { objectId: 'a' },
  });
});

test.each([{}, { scp: '' }, { scp: ['Item.ReadWrite.All'] }, { scp: 5 }])(
  'a token with %j has no delegated permission',
  async (claims) => {
    const { verify, sign } = await startVerifier();
    expect(await verify(await sign({ sub: 'other', ...claims }))).toMatchObject({
      caller: { kind: 'user', scopes: new Set() },
    });
  },
);

test.each([
  ['127.0.0.1', { caller: { kind: 'user' } }],
  // the same server, by an address that does not count as this machine
  ['0.0.0.0', { refusal: 'invalid', reason: 'The keys of the issuer could not be fetched.' }],
])('keys over http are taken from this machine only: %s', async (host, expected) => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'a', alg: 'ES256' }] };
  const server = http.createServer((request, response) =>
    response.end(
      JSON.stringify(request.url === '/keys' ? jwks : { jwks_uri: `http://${host}:${port}/keys` }),
    ),
  );
  await new Promise<void>((done) => server.listen(0, '0.0.0.0', done));
  const { port } = server.address() as AddressInfo;
  const localIssuer = `http://127.0.0.1:${port}`;
  const tokens = createTokenVerifier({
    issuers: [localIssuer],
    clock: { now: () => new Date() },
  });
  const token = await new SignJWT({ oid: 'o', scp: 'a' })
    .setProtectedHeader({ alg: 'ES256', kid: 'a' })
    .setIssuer(localIssuer)
    .setAudience('https://here')
    .setExpirationTime('1 minute')
    .sign(privateKey);
  expect(await tokens.verify(`Bearer ${token}`, ['https://here'])).toMatchObject(expected);
  server.close();
  server.closeAllConnections();
});
