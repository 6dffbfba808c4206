import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { castellan, type RunningCli, startCastellan } from '../../support/cli.js';
import { cookie, directoryConfig, signIn } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

const idp = new TestIdentityProvider();
let app: RecordingApp;
const directory = mkdtempSync(join(tmpdir(), 'sidecar-restart-'));
const file = join(directory, 'auth.json');
const env = { DIRECTORY_SECRET: idp.secret, SEALING_KEYS: 'a key of at least sixteen characters' };

beforeAll(async () => {
  await idp.start();
  app = await startRecordingApp();
  const settings = {
    globalValidation: { unauthenticatedClientAction: 'Return401' },
    login: { tokenStore: { enabled: true } },
    encryptionSettings: { containerAppAuthEncryptionSecretName: 'sealing-keys' },
  };
  writeFileSync(file, JSON.stringify(directoryConfig(idp, settings)));
});
afterAll(async () => {
  await app.close();
  await idp.close();
  rmSync(directory, { recursive: true, force: true });
});

const args = (listen: string): string[] => [
  'sidecar',
  '--config',
  file,
  '--upstream',
  app.url,
  '--listen',
  listen,
];
const start = (listen = '127.0.0.1:0', ...moreArgs: string[]): Promise<RunningCli> =>
  startCastellan([...args(listen), ...moreArgs], { cwd: directory, env });
const urlOf = (sidecar: RunningCli): string => String(sidecar.ready['listening']);

test('a restart, even after a crash, keeps sessions and tokens, and keeps ended sessions ended', async () => {
  const first = await start();
  const url = urlOf(first);
  const [endedJar, keptJar] = [(await signIn({ url }, idp)).jar, (await signIn({ url }, idp)).jar];
  await request(url, { path: '/.auth/logout', headers: cookie(endedJar) });
  await first.stop('SIGKILL');
  const second = await start(new URL(url).host, '--workers', '2');
  expect(urlOf(second)).toBe(url);
  for (let round = 0; round < 4; round++)
    expect((await request(url, { headers: cookie(endedJar) })).status).toBe(401);
  const me = JSON.parse(
    (await request(url, { path: '/.auth/me', headers: cookie(keptJar) })).body,
  ) as Record<string, string>[];
  expect(me[0]?.['access_token']).toMatch(/^access-/);
  expect(await second.stop()).toBe(0);
  expect(
    readdirSync(join(directory, '.castellan', 'auth-sidecar')).filter((name) =>
      name.endsWith('.db'),
    ),
  ).toHaveLength(1);
});

test('where the working directory cannot be written entries are below TMPDIR, and without that the error names the option', async () => {
  const [blockedFolder, temporary] = [join(directory, 'blocked'), join(directory, 'temporary')];
  for (const each of [blockedFolder, temporary]) mkdirSync(each);
  writeFileSync(join(blockedFolder, '.castellan'), '');
  const sidecar = await startCastellan(args('127.0.0.1:0'), {
    cwd: blockedFolder,
    env: { ...env, TMPDIR: temporary },
  });
  expect(await sidecar.stop()).toBe(0);
  expect(sidecar.log()).toMatch(
    /the token store is .*temporary\/castellan-\d+\/auth-sidecar\/[0-9a-f]{16}\.db/,
  );
  const refused = await castellan(args('127.0.0.1:0'), {
    cwd: blockedFolder,
    env: { ...env, TMPDIR: join(blockedFolder, '.castellan') },
  });
  expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toMatch(/CAS6005|no place for the default token store/);
  expect(refused.stderr).toContain('--token-store');
  expect(existsSync(join(blockedFolder, '.castellan', 'auth-sidecar'))).toBe(false);
});
