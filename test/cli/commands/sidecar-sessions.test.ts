import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { runCli } from '../../support/run-cli.js';
import {
  directoryConfig,
  signIn,
  startUnderTest,
} from '../../services/auth-sidecar/support/harness.js';
import { TestIdentityProvider } from '../../services/auth-sidecar/support/identity-provider.js';

const idp = new TestIdentityProvider();
beforeAll(() => idp.start());
afterAll(() => idp.close());

const start = (adminToken?: string) =>
  startUnderTest({
    config: directoryConfig(idp),
    options: { adminListen: '127.0.0.1:0', ...omitUndefined({ adminToken }) },
  });
const sessions = (words: readonly string[], env: Record<string, string> = {}) =>
  runCli(['sidecar', 'sessions', ...words], { cwd: process.cwd(), env });

test('lists and ends the sessions of a running sidecar', async () => {
  const sidecar = await start();
  const admin = ['--admin', sidecar.admin ?? ''];
  await signIn(sidecar, idp);
  const listed = await sessions(['list', ...admin, '--json']);
  const [session] = (JSON.parse(listed.stdout) as { sessions: { session: string }[] }).sessions;
  expect(session).toMatchObject({ provider: 'directory', subject: 'subject-1' });
  expect((await sessions(['list', ...admin])).stdout).toContain(session?.session);
  const ended = await sessions(['end', ...admin, '--session', session?.session ?? '']);
  expect(ended).toMatchObject({ stdout: 'ended 1 session\n', exitCode: 0 });
  expect((await sessions(['list', ...admin])).stdout).toBe('no open sessions\n');
  expect((await sessions(['end', ...admin, '--all', '--json'])).stdout).toContain('"ended": 0');
  await sidecar.stop();
});

test('sends the bearer token of the environment, and says what is missing', async () => {
  const sidecar = await start('operator-token');
  const all = ['end', '--admin', sidecar.admin ?? '', '--all'];
  expect((await sessions(all, { CASTELLAN_SIDECAR_ADMIN_TOKEN: 'operator-token' })).exitCode).toBe(
    0,
  );
  const refused = await sessions(all);
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining('CASTELLAN_SIDECAR_ADMIN_TOKEN is required') as string,
  ]);
  await sidecar.stop();
  expect((await sessions(all)).stderr).toContain('does not answer');
  expect((await sessions(['end'])).stderr).toContain('needs --subject');
});
