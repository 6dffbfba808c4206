import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { castellan, startCastellan } from '../../support/cli.js';
import { freePort, waitUntilReachable } from '../../support/ports.js';
import { describeWithTool } from '../../support/require-tool.js';
import { cookie, signIn } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { request } from './support/raw-client.js';
import { startRecordingApp } from './support/recording-app.js';

const directory = mkdtempSync(join(tmpdir(), 'sidecar-redis-'));
const file = (name: string): string => join(directory, name);
const password = 'p@ss/word:1';

describeWithTool('redis-server', 'a sidecar on Redis with TLS and a password', (program) => {
  let server: ChildProcess;
  let port: number;
  const idp = new TestIdentityProvider();
  beforeAll(async () => {
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const certificateArguments = [
      '-keyout',
      file('key'),
      '-out',
      file('cert'),
      '-days',
      '2',
      ...names,
    ];
    execFileSync(
      'openssl',
      ['req', '-x509', '-nodes', '-newkey', 'rsa:2048', ...certificateArguments],
      {
        stdio: 'ignore',
      },
    );
    port = await freePort();
    const tls = [
      '--tls-port',
      String(port),
      '--tls-cert-file',
      file('cert'),
      '--tls-key-file',
      file('key'),
      '--tls-auth-clients',
      'no',
    ];
    const otherArguments = [
      '--port',
      '0',
      '--tls-ca-cert-file',
      file('cert'),
      '--bind',
      '127.0.0.1',
      '--requirepass',
      password,
      '--save',
      '',
    ];
    server = spawn(program, [...tls, ...otherArguments, '--dir', directory], { stdio: 'ignore' });
    await waitUntilReachable(port);
    await idp.start();
    const registration = {
      clientId: idp.clientId,
      clientSecretSettingName: 'directory-secret',
      openIdIssuer: idp.url,
    };
    const auth = {
      identityProviders: { azureActiveDirectory: { registration } },
      login: { tokenStore: { enabled: true } },
    };
    writeFileSync(file('auth.json'), JSON.stringify(auth));
  });
  afterAll(async () => {
    server.kill('SIGKILL');
    await idp.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const address = (secret: string): string =>
    `rediss://:${encodeURIComponent(secret)}@localhost:${port}`;
  const sidecarArguments = (upstream: string, store: string): string[] => [
    'sidecar',
    '--config',
    file('auth.json'),
    '--upstream',
    upstream,
    '--listen',
    '127.0.0.1:0',
    '--admin-listen',
    '127.0.0.1:0',
    '--token-store',
    store,
  ];
  const env = { DIRECTORY_SECRET: idp.secret };

  test('stores sessions and tokens, and ends them', async () => {
    const app = await startRecordingApp();
    const sidecar = await startCastellan(sidecarArguments(app.url, address(password)), {
      cwd: directory,
      env: { ...env, NODE_EXTRA_CA_CERTS: file('cert') },
    });
    const url = String(sidecar.ready['listening']);
    const { jar } = await signIn({ url }, idp);
    expect((await request(url, { headers: cookie(jar) })).status).toBe(200);
    expect(app.requests[0]?.headers['x-svc-token-directory-access-token']).toMatch(/^access-/);
    const { body } = await request(String(sidecar.ready['admin']), { path: '/readyz' });
    expect(JSON.parse(body)).toMatchObject({
      checks: { tokenStore: { up: true, address: `rediss://localhost:${port}` } },
    });
    await request(url, { path: '/.auth/logout', headers: cookie(jar) });
    expect((await request(url, { headers: cookie(jar) })).status).toBe(401);
    expect(await sidecar.stop()).toBe(0);
    expect(sidecar.log()).not.toContain(password);
    await app.close();
  });

  test.each([
    ['a wrong password', () => address('wrong'), () => file('cert'), /can't be opened: WRONGPASS/],
    [
      'no password',
      () => `rediss://localhost:${port}`,
      () => file('cert'),
      /can't be opened: NOAUTH/,
    ],
    ['an authority that is not known', () => address(password), () => '', /SELF_SIGNED/],
    [
      'no TLS',
      () => `redis://:${encodeURIComponent(password)}@localhost:${port}`,
      () => file('cert'),
      /can't be opened: \w+/,
    ],
  ])(
    '%s is an error at start that names the address and no password',
    async (_, store, authority, reason) => {
      const result = await castellan(sidecarArguments('http://127.0.0.1:9', store()), {
        cwd: directory,
        env: { ...env, NODE_EXTRA_CA_CERTS: authority() },
      });
      expect(result.exitCode).toBe(2);
      expect(result.stderr).toContain(`localhost:${port}`);
      for (const line of result.stderr.split('\n').filter((each) => each.startsWith('{')))
        expect((JSON.parse(line) as { address: string }).address).toContain(`localhost:${port}`);
      expect(result.stderr).toMatch(reason);
      for (const secret of [password, encodeURIComponent(password), 'wrong@'])
        expect(result.stderr).not.toContain(secret);
    },
  );
});
