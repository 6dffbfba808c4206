import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '../../services/common/sqlite.js';
import { castellan, cliPath } from '../support/cli.js';
import { emptyPostgres } from '../support/postgres.js';
import { waitUntil } from '../support/wait-until.js';
import { newProject, startSandbox, type TestSandbox } from './e2e-support.js';

let sandbox: TestSandbox;
beforeAll(async () => (sandbox = await startSandbox()));
afterAll(async () => {
  await castellan(['sandbox', 'stop', '-e', 'copy'], { cwd: sandbox.folder });
  await sandbox.stop();
});

const run = async (...args: string[]): Promise<Record<string, unknown>> => {
  const result = await castellan(['sandbox', ...args, '--json'], { cwd: sandbox.folder });
  if (result.exitCode !== 0) throw new Error(result.stderr);
  return JSON.parse(result.stdout) as Record<string, unknown>;
};

const createGroup = async (mailNickname: string, more: object = {}): Promise<string> => {
  const created = await sandbox.api('POST', '/v1.0/groups', {
    displayName: mailNickname,
    mailNickname,
    mailEnabled: false,
    securityEnabled: true,
    ...more,
  });
  expect(created.status).toBe(201);
  return (created.body as { id: string }).id;
};
const statusOf = async (path: string): Promise<number> => (await sandbox.api('GET', path)).status;

test('a clock set ahead applies to the directory, tokens and membership rules, until a restore resets it', async () => {
  const keptGroup = await createGroup('kept');
  const unifiedGroup = await createGroup('deleted', {
    mailEnabled: true,
    securityEnabled: false,
    groupTypes: ['Unified'],
  });
  const startersGroup = await createGroup('starters', {
    groupTypes: ['DynamicMembership'],
    membershipRule: '(user.employeeHireDate -le system.now -plus p1d)',
    membershipRuleProcessingState: 'On',
  });
  const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString();
  await sandbox.api('PATCH', '/v1.0/users/ada@contoso.example', { employeeHireDate: inTenDays });
  await run('save', 'before');
  expect((await sandbox.api('DELETE', `/v1.0/groups/${unifiedGroup}`)).status).toBe(204);
  expect(await statusOf(`/v1.0/directory/deletedItems/${unifiedGroup}`)).toBe(200);
  const oldToken = await sandbox.token(`${sandbox.origin}/.default`);
  const membersOf = async (): Promise<string[]> =>
    (
      (await sandbox.api('GET', `/v1.0/groups/${startersGroup}/members`)).body as {
        value: { userPrincipalName: string }[];
      }
    ).value.map(({ userPrincipalName }) => userPrincipalName);
  expect(await membersOf()).not.toContain('ada@contoso.example');

  await run('clock', '+31d');

  expect(await statusOf(`/v1.0/directory/deletedItems/${unifiedGroup}`)).toBe(404);
  expect(await membersOf()).toContain('ada@contoso.example');
  const answer = await sandbox.send('GET', `${sandbox.origin}/v1.0/groups/${keptGroup}`, {
    headers: { authorization: `Bearer ${oldToken}` },
  });
  expect(answer.status).toBe(401);
  expect((await run('clock'))['aheadSeconds']).toBe(31 * 86_400);

  await run('restore', 'before');

  expect((await run('clock'))['aheadSeconds']).toBe(0);
  expect(await statusOf(`/v1.0/groups/${unifiedGroup}`)).toBe(200);
  expect(await membersOf()).not.toContain('ada@contoso.example');
});

test('a fork has what was created before it, and nothing that the first sandbox creates later', async () => {
  const groupBefore = await createGroup('before-fork');
  const taken = ['sandbox', 'fork', 'copy', '--port', String(sandbox.settings.port)];
  expect((await castellan(taken, { cwd: sandbox.folder })).stderr).toContain(
    "castellan: CAS4014 The sandbox's port is in use: port",
  );
  const port = sandbox.settings.port + 5000;
  const fork = await run('fork', 'copy', '--port', String(port));
  expect(fork).toMatchObject({ environment: 'copy', origin: `https://localhost:${String(port)}` });
  const groupAfter = await createGroup('after-fork');
  const statusInFork = async (id: string): Promise<number> => {
    const answer = await fetchFrom(port, `/v1.0/groups/${id}`);
    return answer.status;
  };
  expect(await statusInFork(groupBefore)).toBe(200);
  expect(await statusInFork(groupAfter)).toBe(404);
  const secondFork = await castellan(['sandbox', 'fork', 'copy', '--port', '2'], {
    cwd: sandbox.folder,
  });
  expect(secondFork.stderr).toContain('the environment copy has a sandbox already');
});

test('a fork that was killed while it copied leaves nothing in the way of the next one', async () => {
  addLargeTable(join(sandbox.folder, '.castellan/sandbox.db'));
  const port = String(sandbox.settings.port + 5001);
  const forkFolder = join(sandbox.folder, '.castellan/environments/killed');
  const filesOfFork = (): string[] =>
    existsSync(forkFolder) ? (readdirSync(forkFolder, { recursive: true }) as string[]) : [];
  const killed = spawn(process.execPath, [cliPath, 'sandbox', 'fork', 'killed', '--port', port], {
    cwd: sandbox.folder,
  });
  const end = once(killed, 'exit');
  await waitUntil('the database of the fork', () =>
    filesOfFork().some((file) => file.endsWith('sandbox.db')),
  );
  killed.kill('SIGKILL');
  expect((await end)[1]).toBe('SIGKILL');

  try {
    expect(await run('fork', 'killed', '--port', port)).toMatchObject({ environment: 'killed' });
    expect(filesOfFork().filter((file) => file.includes('draft'))).toEqual([]);
  } finally {
    await castellan(['sandbox', 'stop', '-e', 'killed'], { cwd: sandbox.folder });
  }
});

/** Adds so many rows with the sandbox's address that a fork takes a while to rewrite them. */
function addLargeTable(file: string): void {
  const sqlite = openSqlite(file);
  try {
    const address = `https://localhost:${String(sandbox.settings.port)}/`;
    sqlite.exec(`create table large (address text);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 200000)
      insert into large select '${address}' || i from n`);
  } finally {
    sqlite.close();
  }
}

/** Requests a path of the fork at a port, as Terraform's application. */
async function fetchFrom(port: number, path: string): Promise<{ readonly status: number }> {
  const { fetchTrusting } = await import('../../clients/common/index.js');
  const { readFileSync } = await import('node:fs');
  const ca = readFileSync(`${sandbox.folder}/.castellan/environments/copy/ca.pem`, 'utf8');
  const trusting = fetchTrusting(ca);
  const { clientId, clientSecret, tenantId } = sandbox.settings;
  const origin = `https://localhost:${String(port)}`;
  const token = await trusting(`${origin}/${tenantId}/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope: `${origin}/.default`,
    }),
  });
  const { access_token: bearer } = (await token.json()) as { access_token: string };
  return trusting(`${origin}${path}`, { headers: { authorization: `Bearer ${bearer}` } });
}

test('a sandbox on PostgreSQL is neither saved nor copied, and the reason is said', async () => {
  const folder = newProject();
  const env = { DATABASE_URL: await emptyPostgres() };
  const inSandbox = (...args: string[]) => castellan(['sandbox', ...args], { cwd: folder, env });
  try {
    expect((await inSandbox('start')).exitCode).toBe(0);
    for (const args of [
      ['save', 'one'],
      ['fork', 'copy', '--port', '26543'],
    ])
      expect((await inSandbox(...args)).stderr).toContain('runs on PostgreSQL (DATABASE_URL)');
  } finally {
    await inSandbox('stop');
    rmSync(folder, { recursive: true, force: true });
  }
});
