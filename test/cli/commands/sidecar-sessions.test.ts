import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
const runSessionsCommand = (words: readonly string[], env: Record<string, string> = {}) =>
  runCli(['sidecar', 'sessions', ...words], { cwd: process.cwd(), env });

test('lists and ends the sessions of a running sidecar', async () => {
  const sidecar = await start();
  const admin = ['--admin', sidecar.admin ?? ''];
  await signIn(sidecar, idp);
  const listAnswer = await runSessionsCommand(['list', ...admin, '--json']);
  const [session] = (JSON.parse(listAnswer.stdout) as { sessions: { session: string }[] }).sessions;
  expect(session).toMatchObject({ provider: 'directory', subject: 'subject-1' });
  expect((await runSessionsCommand(['list', ...admin])).stdout).toContain(session?.session);
  const endAnswer = await runSessionsCommand([
    'end',
    ...admin,
    '--session',
    session?.session ?? '',
  ]);
  expect(endAnswer).toMatchObject({ stdout: 'ended 1 session\n', exitCode: 0 });
  expect((await runSessionsCommand(['list', ...admin])).stdout).toBe('no open sessions\n');
  expect((await runSessionsCommand(['end', ...admin, '--all', '--json'])).stdout).toContain(
    '"ended": 0',
  );
  await sidecar.stop();
});

test('sends the bearer token of the environment, and refuses to run without a needed option', async () => {
  const sidecar = await start('operator-token');
  const endAll = ['end', '--admin', sidecar.admin ?? '', '--all'];
  expect(
    (await runSessionsCommand(endAll, { CASTELLAN_SIDECAR_ADMIN_TOKEN: 'operator-token' }))
      .exitCode,
  ).toBe(0);
  const refused = await runSessionsCommand(endAll);
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining('CASTELLAN_SIDECAR_ADMIN_TOKEN is required') as string,
  ]);
  await sidecar.stop();
  expect((await runSessionsCommand(endAll)).stderr).toContain('does not answer');
  expect((await runSessionsCommand(['end'])).stderr).toContain('needs --subject');
});

test.each(['hello', 'null', '[]'])(
  "says that a server that answers %s is no operators' port",
  async (body) => {
    const server = createServer((_request, response) => void response.end(body));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const admin = `http://127.0.0.1:${String(port)}`;
    expect(await runSessionsCommand(['list', '--admin', admin])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`${admin} answers, but is no operators' port`) as string,
    });
    server.closeAllConnections();
    server.close();
  },
);

test('says that an answer broke off', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"sessions":', () => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const admin = `http://127.0.0.1:${String(port)}`;
  expect(await runSessionsCommand(['list', '--admin', admin])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`${admin} does not answer`) as string,
  });
  server.close();
});
