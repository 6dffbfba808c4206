import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCertificateAuthority } from '../../sandbox/tls/certificate-authority.js';
import { sandboxPaths, prepareSandboxFolder } from '../../sandbox/paths.js';
import { castellan, type CliResult, startCastellan } from '../support/cli.js';
import { runCliWithTestEnvironment } from '../support/run-cli.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-serve-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('all services run on one port, each under its own paths, and SIGTERM ends them with 0', async () => {
  const server = await startCastellan([
    'serve',
    'directory',
    'items',
    'billing',
    'resource-manager',
    '--listen',
    '127.0.0.1:0',
    '--no-auth',
  ]);
  const origin = server.ready['listening'] as string;
  expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const status = async (path: string): Promise<number> => (await fetch(`${origin}${path}`)).status;
  expect(await status('/v1.0/users')).toBe(200);
  expect(await status('/beta/groups')).toBe(200);
  expect(await status('/v1/workspaces')).toBe(200);
  expect(await status('/subscriptions?api-version=2022-12-01')).toBe(200);
  expect(await status('/nothing')).toBe(404);
  for (const path of ['/healthz', '/readyz', '/metrics', '/openapi.json'])
    expect(await status(path)).toBe(200);
  const undecodable = (await (await fetch(`${origin}/v1.0/users/%zz`)).json()) as object;
  expect(undecodable).toMatchObject({ error: { code: 'Request_BadRequest' } });
  expect(await server.stop()).toBe(0);
});

test('a service has TLS, the data of a seed, a given time, and a database that survives SIGKILL', async () => {
  const paths = sandboxPaths(folder);
  prepareSandboxFolder(paths);
  const authority = await openCertificateAuthority(paths);
  const { cert, key } = await authority.issue(['localhost', '127.0.0.1']);
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key);
  writeFileSync(
    join(folder, 'seed.yaml'),
    'groups:\n  - { displayName: Readers, mailNickname: readers, securityEnabled: true, mailEnabled: false }\n',
  );
  const args = [
    'serve',
    'directory',
    '--no-auth',
    '--database',
    `sqlite:${join(folder, 'data.db')}`,
    '--seed',
    join(folder, 'seed.yaml'),
  ];
  const start = () =>
    startCastellan([
      ...args,
      '--tls-cert',
      join(folder, 'cert.pem'),
      '--tls-key',
      join(folder, 'key.pem'),
      '--now',
      '2030-01-31T12:00:00Z',
    ]);
  const list = (
    origin: string,
  ): Promise<{ value: { displayName: string; createdDateTime: string }[] }> =>
    new Promise((done, fail) =>
      httpsRequest(`${origin}/v1.0/groups`, { ca: authority.certificate }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.once('end', () => done(JSON.parse(text) as never));
      })
        .once('error', fail)
        .end(),
    );
  let server = await start();
  expect(server.ready['listening']).toMatch(/^https:/);
  const first = await list(server.ready['listening'] as string);
  expect(first.value).toEqual([
    expect.objectContaining({
      displayName: 'Readers',
      createdDateTime: expect.stringMatching(/^2030-01-31T12:0/),
    }),
  ]);
  await server.stop('SIGKILL');
  server = await start();
  expect(
    (await list(server.ready['listening'] as string)).value.map(({ displayName }) => displayName),
  ).toEqual(['Readers']);
  await server.stop();
});

/** Refuses to start, with one message. */
function expectRefusal({ exitCode, stdout, stderr }: CliResult, message: string): void {
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('    at ');
}

test('a seed that is not there: does not start, with one message on stderr and nothing on stdout', async () => {
  expectRefusal(
    await castellan(['serve', 'items', '--seed', '/nowhere.yaml']),
    "CAS4002 The seed file is not valid: /nowhere.yaml can't be read",
  );
});

test.each<[string, string[], string]>([
  [
    'an unknown dialect',
    ['items', '--dialect', 'klingon'],
    'CAS4003 A start-up option is not valid: --dialect klingon',
  ],
  [
    'a database that can not be',
    ['items', '--database', 'sqlite:/proc/none/x.db'],
    'CAS4001 The database cannot be opened',
  ],
  ['an unknown kind of database', ['items', '--database', 'mysql://x'], 'CAS4001'],
  ['a clock that can not be read', ['items', '--now', 'noon'], 'CAS4003'],
  ['an http issuer off loopback', ['items', '--issuer', 'http://issuer.example'], 'CAS4003'],
  ['no authentication off loopback', ['items', '--no-auth', '--listen', '0.0.0.0:0'], 'CAS4003'],
  ['an unknown service', ['itmes'], 'did you mean "items"?'],
  ['an unknown flag', ['items', '--colour', 'red'], "unknown option '--colour'"],
  ['no service', [], 'castellan serve needs <service>'],
])(
  '%s: does not start, with one message on stderr and nothing on stdout',
  async (_, args, message) => {
    expectRefusal(await runCliWithTestEnvironment(['serve', ...args], { cwd: folder }), message);
  },
);

describe('with tokens', () => {
  let issuer: Server;
  let url: string;
  let token: (claims: Record<string, unknown>) => Promise<string>;
  beforeAll(async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
    issuer = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify(
          request.url === '/keys' ? { keys: [jwk] } : { issuer: url, jwks_uri: `${url}/keys` },
        ),
      );
    });
    await new Promise<void>((done) => issuer.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
    token = (claims) =>
      new SignJWT({ iss: url, sub: 's', oid: 'o', tid: 't', ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .setExpirationTime('1h')
        .sign(privateKey);
  });
  afterAll(() => void issuer.close());

  test("without an issuer every request is 401; with one, a token for the service's own origin is accepted", async () => {
    const serverWithoutIssuer = await startCastellan(['serve', 'resource-manager']);
    expect(
      (
        await fetch(
          `${serverWithoutIssuer.ready['listening'] as string}/subscriptions?api-version=2022-12-01`,
        )
      ).status,
    ).toBe(401);
    await serverWithoutIssuer.stop();
    const serverWithIssuer = await startCastellan(['serve', 'resource-manager', '--issuer', url]);
    const origin = serverWithIssuer.ready['listening'] as string;
    const statusWithToken = async (claims: Record<string, unknown>): Promise<number> =>
      (
        await fetch(`${origin}/subscriptions?api-version=2022-12-01`, {
          headers: { authorization: `Bearer ${await token(claims)}` },
        })
      ).status;
    expect(await statusWithToken({ aud: origin, idtyp: 'app' })).toBe(200);
    expect(await statusWithToken({ aud: 'https://management.azure.com/', idtyp: 'app' })).toBe(200);
    expect(await statusWithToken({ aud: 'https://elsewhere.example', idtyp: 'app' })).toBe(401);
    expect(await statusWithToken({ aud: origin, scp: 'user_impersonation' })).toBe(200);
    expect(await statusWithToken({ aud: origin, scp: 'User.Read' })).toBe(403);
    await serverWithIssuer.stop();
  });
});
