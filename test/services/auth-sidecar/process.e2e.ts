import { generateKeyPairSync } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { castellan, type RunningCli, startCastellan } from '../../support/cli.js';
import { freePort } from '../../support/ports.js';
import { cookie, signIn } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { browser, request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
let app: RecordingApp;
const directory = mkdtempSync(join(tmpdir(), 'sidecar-process-'));
const file = join(directory, 'auth.json');
const secrets = join(directory, 'secrets');

beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp();
  execFileSync('mkdir', ['-p', secrets]);
  writeFileSync(join(secrets, 'very-secret-name'), `${idp.secret}\n`);
});
afterAll(async () => {
  await app.close();
  await idp.close();
  rmSync(directory, { recursive: true, force: true });
});

const providers = (): unknown => ({
  azureActiveDirectory: {
    registration: {
      clientId: idp.clientId,
      clientSecretSettingName: 'very-secret-name',
      openIdIssuer: idp.url,
    },
  },
});
const writeConfig = (config: unknown): void => {
  writeFileSync(`${file}.new`, typeof config === 'string' ? config : JSON.stringify(config));
  renameSync(`${file}.new`, file);
};
const start = (...flags: string[]): Promise<RunningCli> =>
  startCastellan(
    [
      'sidecar',
      '--config',
      file,
      '--upstream',
      app.url,
      '--listen',
      '127.0.0.1:0',
      '--admin-listen',
      '127.0.0.1:0',
      '--secrets',
      secrets,
      ...flags,
    ],
    { cwd: directory },
  );

describe('castellan sidecar', () => {
  test('tests a configuration, and reports what is wrong', async () => {
    writeConfig({
      identityProviders: {
        gitHub: { registration: { clientSecretSettingName: 'very-secret-name' } },
      },
      login: { nonce: { nonceExpirationInterval: 'x' } },
    });
    const invalid = await castellan([
      'sidecar',
      '--config',
      file,
      '--secrets',
      secrets,
      '--config-test',
    ]);
    expect(invalid.exitCode).toBe(1);
    expect(invalid.stdout).toContain('identityProviders.gitHub.registration.clientId: is required');
    expect(invalid.stdout).toContain('login.nonce.nonceExpirationInterval');
    expect(invalid.stderr).toBe(`castellan: ${file}: not valid\n`);
    writeConfig({ identityProviders: providers() });
    expect(
      (await castellan(['sidecar', '--config', file, '--secrets', secrets, '--config-test']))
        .exitCode,
    ).toBe(0);
    const missing = await castellan(
      ['sidecar', '--config', file, '--upstream', app.url, '--listen', '127.0.0.1:0'],
      { cwd: directory },
    );
    expect(missing.exitCode).toBe(2);
    expect(missing.stderr).toContain('very-secret-name');
    expect(
      (
        await castellan([
          'sidecar',
          '--config',
          file,
          '--secrets',
          secrets,
          '--upstream',
          'ftp://x',
          '--listen',
          '127.0.0.1:0',
        ])
      ).stderr,
    ).toContain('--upstream');
  });

  test('reads its flags and settings from the environment after the command line, and names the variable of a mistake', async () => {
    const env = {
      CASTELLAN_SIDECAR_UPSTREAM: app.url,
      CASTELLAN_SIDECAR_LISTEN: '127.0.0.1:0',
      CASTELLAN_SIDECAR_LOG_LEVEL: 'warn',
      CASTELLAN_SIDECAR_FORWARD_AUTH: 'false',
      CASTELLAN_SIDECAR_TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1',
      CASTELLAN_SIDECAR_TLS_CERT: '',
      CASTELLAN_SIDECAR_PORT: 'tcp://10.0.0.1:80',
      CASTELLAN_SIDECAR_LISEN: 'x',
      CASTELLAN_AUTH__globalValidation__unauthenticatedClientAction: 'Return403',
      CASTELLAN_AUTH__identityProviders__gitHub__registration__clientId: 'x',
    };
    const sidecar = await startCastellan(['sidecar', '--log-level', 'info'], {
      cwd: directory,
      env,
    });
    expect((await request(String(sidecar.ready['listening']))).status).toBe(403);
    expect(await sidecar.stop()).toBe(0);
    expect(sidecar.log()).toContain('"msg":"request"');
    expect(sidecar.log()).toContain(
      'warning: CASTELLAN_SIDECAR_LISEN is not known, did you mean CASTELLAN_SIDECAR_LISTEN?',
    );
    expect(sidecar.log()).not.toContain('CASTELLAN_SIDECAR_PORT');
    const errorWith = async (variables: Record<string, string>): Promise<string> => {
      const { exitCode, stderr } = await castellan(['sidecar'], {
        cwd: directory,
        env: { ...env, ...variables },
      });
      expect(exitCode).toBe(2);
      return stderr;
    };
    expect(await errorWith({ CASTELLAN_SIDECAR_WORKERS: 'many' })).toContain(
      'CASTELLAN_SIDECAR_WORKERS "many" is not a number',
    );
    expect(await errorWith({ CASTELLAN_SIDECAR_TRUSTED_PROXIES: 'me' })).toContain(
      'CASTELLAN_SIDECAR_TRUSTED_PROXIES: "me"',
    );
    expect(await errorWith({ CASTELLAN_SIDECAR_FORWARD_AUTH: 'perhaps' })).toContain(
      'CASTELLAN_SIDECAR_FORWARD_AUTH',
    );
    expect(
      await errorWith({ CASTELLAN_SIDECAR_PUBLIC_ORIGIN: 'https://x\r\nSet-Cookie: a' }),
    ).toContain('CASTELLAN_SIDECAR_PUBLIC_ORIGIN');
    const configTest = await castellan(['sidecar', '--config-test'], {
      cwd: directory,
      env: { ...env, CASTELLAN_AUTH__login__nope: '1' },
    });
    expect([configTest.exitCode, configTest.stdout]).toEqual([
      1,
      'CASTELLAN_AUTH__login__nope: names no property: "nope" is not known, did you mean "nonce"?\n',
    ]);
    expect((await castellan(['sidecar'], { cwd: directory })).stderr).toMatch(
      /needs --config .* and --upstream/,
    );
  });

  test('keeps sessions during a reload, keeps the old configuration if the new one is invalid, drains on SIGTERM', async () => {
    writeConfig({
      identityProviders: providers(),
      globalValidation: { unauthenticatedClientAction: 'Return401' },
    });
    const sidecar = await start('--log-level', 'trace');
    const url = String(sidecar.ready['listening']);
    const { jar } = await signIn({ url }, idp);
    const anonymous = async (): Promise<number> => (await request(url)).status;
    expect(await anonymous()).toBe(401);
    writeConfig({
      identityProviders: providers(),
      globalValidation: { unauthenticatedClientAction: 'Return403' },
    });
    await expect.poll(anonymous).toBe(403);
    expect((await request(url, { headers: cookie(jar) })).status).toBe(200);
    writeConfig('{"globalValidaton": {}}');
    await expect.poll(sidecar.log).toContain('reload was refused');
    expect(sidecar.log()).toContain('globalValidaton');
    expect(await anonymous()).toBe(403);
    writeConfig({
      identityProviders: providers(),
      globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
    });
    sidecar.process.kill('SIGHUP');
    await expect.poll(anonymous).toBe(200);
    const metrics = await request(String(sidecar.ready['admin']), { path: '/metrics' });
    expect(metrics.body).toMatch(
      /castellan_sidecar_sign_ins_total\{provider="directory",flow="server"\} 1/,
    );
    expect(metrics.body).toMatch(/castellan_sidecar_reloads_total\{outcome="refused"\} 1/);
    for (const path of ['/healthz', '/readyz']) {
      expect((await request(String(sidecar.ready['admin']), { path })).status).toBe(200);
      expect(JSON.parse((await request(url, { path })).body)).toMatchObject({ url: path });
    }
    expect(await sidecar.stop()).toBe(0);
    expect(sidecar.log()).toContain('stopped');
  });

  test('logs no secret, secret name, cookie, code or token at any level', async () => {
    writeConfig({ identityProviders: providers(), login: { tokenStore: { enabled: true } } });
    const sidecar = await start('--log-level', 'trace');
    const url = String(sidecar.ready['listening']);
    const { jar, callback } = await signIn({ url }, idp);
    await request(url, { path: callback, headers: { ...browser, ...cookie(jar) } });
    const token = await idp.sign({ name: 'Marker Of A Name' });
    await request(url, {
      path: `/x?access_token=${token}`,
      headers: { Authorization: `Bearer ${token}`, ...cookie(jar) },
    });
    await request(url, {
      method: 'POST',
      path: '/.auth/login/directory',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ access_token: token, id_token: `${token}x` }),
    });
    const me = await request(url, { path: '/.auth/me', headers: cookie(jar) });
    await request(url, { path: '/.auth/refresh', headers: cookie(jar) });
    idp.refreshAllowed = false;
    await request(url, { path: '/.auth/refresh', headers: cookie(jar) });
    idp.refreshAllowed = true;
    await request(url, { path: '/.auth/logout', headers: cookie(jar) });
    writeConfig(
      '{"identityProviders": {"gitHub": {"registration": {"clientId": "x", "clientSecretSettingName": "another-secret-name"}}}}',
    );
    await expect.poll(sidecar.log).toContain('reload was refused');
    await sidecar.stop();
    const [entry] = JSON.parse(me.body) as [Record<string, string>];
    const values = [
      idp.secret,
      'very-secret-name',
      'another-secret-name',
      token,
      token.slice(0, 60),
      'Marker',
      'Ada',
      new URLSearchParams(callback.split('?')[1]).get('code'),
      new URLSearchParams(callback.split('?')[1]).get('state'),
      jar.cookies.get('SvcAuthSession'),
      entry['access_token'],
      entry['refresh_token'],
      entry['id_token'],
    ];
    for (const value of values) {
      expect(typeof value).toBe('string');
      expect(sidecar.log()).not.toContain(value);
    }
    expect(sidecar.log()).toContain('"path":"/x"');
  });

  test('works with several workers: a state works once, a sign-out is known to all', async () => {
    writeConfig({ identityProviders: providers(), login: { tokenStore: { enabled: true } } });
    const sidecar = await start('--workers', '2');
    const url = String(sidecar.ready['listening']);
    const { jar, callback } = await signIn({ url }, idp);
    const statuses = (headers: Record<string, string>, path = '/'): Promise<number[]> =>
      Promise.all(
        Array.from({ length: 8 }, () =>
          request(url, { path, headers }).then(({ status }) => status),
        ),
      );
    expect(new Set(await statuses({ ...cookie(jar) }))).toEqual(new Set([200]));
    expect(new Set(await statuses({ ...browser }, callback))).toEqual(new Set([401]));
    await request(url, { path: '/.auth/logout', headers: cookie(jar) });
    expect(new Set(await statuses({ ...cookie(jar) }))).toEqual(new Set([401]));
    const metrics = await request(String(sidecar.ready['admin']), { path: '/metrics' });
    expect(metrics.body).toMatch(/sign_ins_total\{provider="directory",flow="server"\} 1/);
    writeConfig({
      identityProviders: providers(),
      globalValidation: { unauthenticatedClientAction: 'Return403' },
    });
    await expect.poll(async () => [...new Set(await statuses({}))]).toEqual([403]);
    expect((await request(String(sidecar.ready['admin']), { path: '/readyz' })).status).toBe(200);
    expect(await sidecar.stop()).toBe(0);
  });

  test('replaces workers that end, also those that end while the configuration is broken', async () => {
    writeConfig({ identityProviders: providers() });
    // with port 0, workers that start after all others have ended would get another one
    const listen = `127.0.0.1:${String(await freePort())}`;
    const sidecar = await start('--workers', '2', '--listen', listen);
    const workers = (): number[] =>
      execFileSync('pgrep', ['-P', String(sidecar.process.pid)], { encoding: 'utf8' })
        .split('\n')
        .filter(Boolean)
        .map(Number);
    writeConfig('{');
    for (const pid of workers()) process.kill(pid, 'SIGKILL');
    const patience = { timeout: 15_000, interval: 100 };
    await expect.poll(() => sidecar.log(), patience).toContain('a worker could not start');
    writeConfig({ identityProviders: providers() });
    const status = () =>
      request(String(sidecar.ready['listening'])).then(
        (answer) => answer.status,
        () => undefined,
      );
    await expect.poll(status, patience).toBe(401);
    await expect.poll(() => workers().length, patience).toBe(2);
    expect(await sidecar.stop()).toBe(0);
  });

  test('terminates TLS itself, with cookies bound to the host', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(join(directory, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-key',
        join(directory, 'key.pem'),
        '-out',
        join(directory, 'cert.pem'),
        '-subj',
        '/CN=localhost',
        '-days',
        '2',
      ],
      { stdio: 'ignore' },
    );
    writeConfig({ identityProviders: providers(), httpSettings: { requireHttps: true } });
    const sidecar = await start(
      '--tls-cert',
      join(directory, 'cert.pem'),
      '--tls-key',
      join(directory, 'key.pem'),
    );
    const url = String(sidecar.ready['listening']);
    expect(url).toMatch(/^https:/);
    const answer = await new Promise<{ status: number | undefined; cookie: string | undefined }>(
      (done, fail) =>
        https
          .get(`${url}/.auth/login/directory`, { rejectUnauthorized: false }, (response) => {
            response.resume();
            done({ status: response.statusCode, cookie: response.headers['set-cookie']?.[0] });
          })
          .on('error', fail),
    );
    expect(answer.status).toBe(302);
    expect(answer.cookie).toMatch(/^__Host-SvcAuthLogin\..*; Secure$/);
    // A certificate that can't be read takes nothing of the new configuration with it.
    writeFileSync(join(directory, 'cert.pem'), 'no certificate');
    writeConfig({
      identityProviders: providers(),
      globalValidation: { unauthenticatedClientAction: 'Return403' },
    });
    sidecar.process.kill('SIGHUP');
    await expect.poll(sidecar.log).toContain('reload was refused');
    const status = await new Promise((done, fail) =>
      https
        .get(url, { rejectUnauthorized: false }, (response) => done(response.resume().statusCode))
        .on('error', fail),
    );
    expect(status).toBe(401);
    expect(await sidecar.stop('SIGINT')).toBe(0);
  });
});
