import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { startBackground } from '../../../sandbox/background/process.js';
import { sandboxPaths } from '../../../sandbox/paths.js';
import { castellan } from '../../support/cli.js';
import { waitUntil } from '../../support/wait-until.js';
import { declareApp, newProject, people, startSandbox, type TestSandbox } from '../e2e-support.js';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const run = (...args: string[]): ReturnType<typeof castellan> =>
  castellan(['sandbox', ...args], { cwd: sandbox.folder });
const state = (): { pid: number; origin: string } =>
  JSON.parse(readFileSync(join(sandbox.folder, '.castellan/sandbox.json'), 'utf8')) as {
    pid: number;
    origin: string;
  };
const users = async (): Promise<string[]> =>
  (await sandbox.api('GET', '/v1.0/users?$select=displayName')).body.value.map(
    ({ displayName }: { displayName: string }) => displayName,
  );

test('starting again keeps the running sandbox', async () => {
  const { pid } = state();
  const again = await run('start');
  expect([again.exitCode, again.stdout]).toEqual([
    0,
    expect.stringContaining(`runs already: ${sandbox.origin} (process ${pid})`),
  ]);
});

test('a sandbox that another version of castellan started is restarted, with its data', async () => {
  const before = { ...state(), users: await users() };
  writeFileSync(
    join(sandbox.folder, '.castellan/sandbox.json'),
    JSON.stringify({ ...state(), version: '0.0.1' }),
  );
  const { exitCode, stderr } = await run('start');
  expect([exitCode, stderr]).toEqual([
    0,
    expect.stringMatching(/restarting the sandbox with castellan \d+\.\d+\.\d+/),
  ]);
  expect(state().pid).not.toBe(before.pid);
  expect([state().origin, await users()]).toEqual([before.origin, before.users]);
});

test('a sandbox that does not answer is not reported as running', async () => {
  const { pid } = state();
  process.kill(pid, 'SIGSTOP');
  try {
    const status = await castellan(['status'], { cwd: sandbox.folder });
    expect([status.exitCode, status.stdout, status.stderr]).toEqual([
      2,
      '',
      expect.stringContaining('CAS4016 The sandbox does not answer'),
    ]);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  expect((await castellan(['status'], { cwd: sandbox.folder })).stdout).toContain(
    `sandbox: ${sandbox.origin}`,
  );
});

test('a killed sandbox that is not gone yet is not used: a new one is started', async () => {
  const { pid } = state();
  // The system accepts connections for it, as for a process that is dying
  process.kill(pid, 'SIGSTOP');
  const starting = run('start');
  await new Promise((done) => setTimeout(done, 1_000));
  process.kill(pid, 'SIGKILL');
  expect((await starting).exitCode).toBe(0);
  expect(state().pid).not.toBe(pid);
});

test('a second sandbox in the same folder is refused, with the process of the first', async () => {
  const second = await castellan(['sandbox', 'run', '--project', sandbox.folder]);
  expect(second.exitCode).toBe(2);
  expect(second.stderr).toContain(`CAS4010 A sandbox is already running: process ${state().pid}`);
});

test.each([
  ['castellan', 'NODE_EXTRA_CA_CERTS', 'ca.pem'],
  ['official', 'SSL_CERT_FILE', 'ca-bundle.pem'],
])(
  'the environment for %s providers keeps the authorities of %s, also the second time',
  async (providers, variable, ownFile) => {
    const companyFile = join(sandbox.folder, 'own.pem');
    const text = '-----BEGIN CERTIFICATE-----\nof the company\n-----END CERTIFICATE-----\n';
    writeFileSync(companyFile, text);
    const trustedFileAfter = async (before: string): Promise<string> => {
      const { stdout } = await castellan(['sandbox', 'env', '--providers', providers, '--json'], {
        cwd: sandbox.folder,
        env: { [variable]: before },
      });
      return (JSON.parse(stdout) as Record<string, string>)[variable] as string;
    };
    const first = await trustedFileAfter(companyFile);
    expect(readFileSync(first, 'utf8')).toBe(
      text + readFileSync(join(sandbox.folder, '.castellan', ownFile), 'utf8'),
    );
    expect(await trustedFileAfter(first)).toBe(first);
    expect(readFileSync(first, 'utf8')).toContain('of the company');
  },
);

test('two sandboxes that start at the same time in a folder become one', async () => {
  const folder = newProject();
  try {
    const both = await Promise.all(
      [1, 2].map(() => castellan(['sandbox', 'start'], { cwd: folder })),
    );
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    const pids = both.map(({ stdout }) => /process (\d+)/.exec(stdout)?.[1]);
    expect(pids[0]).toBe(pids[1]);
    const processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
    expect(
      processes.filter((args) => args.includes(`sandbox run --project ${folder}`)),
    ).toHaveLength(1);
  } finally {
    await castellan(['sandbox', 'stop'], { cwd: folder });
    rmSync(folder, { recursive: true, force: true });
  }
});

test('an interrupted start leaves no process', async () => {
  const folder = newProject();
  const interrupt = new AbortController();
  const starting = startBackground(sandboxPaths(folder), interrupt.signal);
  const isRunning = () =>
    execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(
      `sandbox run --project ${folder}`,
    );
  try {
    await waitUntil('the process', () => isRunning());
    interrupt.abort();
    await expect(starting).rejects.toThrow('abort');
    await waitUntil('its end', () => !isRunning());
  } finally {
    await castellan(['sandbox', 'stop'], { cwd: folder });
    rmSync(folder, { recursive: true, force: true });
  }
});

test('after kill -9 a sandbox resumes on the same port with all data, and no old process is left', async () => {
  const app = await declareApp(sandbox, 'kept');
  writeFileSync(
    join(sandbox.folder, 'sleep.js'),
    'require("http").createServer((q, s) => s.end("up " + process.pid)).listen(process.env.PORT)',
  );
  const authorization = `Bearer ${sandbox.settings.adminToken}`;
  await sandbox.send('PUT', `${sandbox.origin}/_castellan/apps`, {
    headers: { authorization },
    body: { kept: { command: 'node sleep.js' } },
  });
  const url = `https://kept.localhost:${sandbox.settings.port}/`;
  const first = await waitUntil(
    'the app',
    async () => /^up (\d+)/.exec((await sandbox.send('GET', url)).text)?.[1],
  );
  const before = state();
  process.kill(before.pid, 'SIGKILL');
  await waitUntil('its end', async () => ((await run('status')).exitCode === 1 ? true : undefined));
  expect((await run('env')).stderr).toContain('CAS4012');

  expect((await run('start')).exitCode).toBe(0);
  expect(state().origin).toBe(before.origin);
  expect(await users()).toEqual(expect.arrayContaining(['Ada Lovelace', 'Grace Hopper']));
  expect((await sandbox.api('GET', `${app}?api-version=2025-07-01`)).status).toBe(200);
  const second = await waitUntil(
    'the app again',
    async () => /^up (\d+)/.exec((await sandbox.send('GET', url)).text)?.[1],
  );
  expect(second).not.toBe(first);
  expect(
    existsSync(`/proc/${first}`) &&
      readFileSync(`/proc/${first}/stat`, 'utf8').split(' ')[2] !== 'Z',
  ).toBe(false);
});

test('a sandbox whose folder is removed ends, and its apps with it', async () => {
  const removed = await startSandbox();
  await declareApp(removed, 'kept');
  writeFileSync(
    join(removed.folder, 'pid.js'),
    'require("http").createServer((q, s) => s.end(`up ${process.pid}`)).listen(process.env.PORT)',
  );
  await removed.send('PUT', `${removed.origin}/_castellan/apps`, {
    headers: { authorization: `Bearer ${removed.settings.adminToken}` },
    body: { kept: { command: 'node pid.js' } },
  });
  const url = `https://kept.localhost:${removed.settings.port}/`;
  const app = await waitUntil(
    'the app',
    async () => /^up (\d+)/.exec((await removed.send('GET', url)).text)?.[1],
  );
  rmSync(removed.folder, { recursive: true });
  const processes = (): string => execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  await waitUntil('the end of the sandbox', () => !processes().includes(removed.folder));
  await waitUntil(
    'the end of the app',
    () => !new RegExp(`^ *${app} .*pid\\.js`, 'm').test(processes()),
  );
});

test('a stale state file of a dead process is ignored', async () => {
  await run('stop');
  writeFileSync(
    join(sandbox.folder, '.castellan/sandbox.json'),
    JSON.stringify({
      pid: process.pid,
      origin: 'https://localhost:1',
      startedAt: '',
      reattach: '{}',
    }),
  );
  expect((await run('status')).exitCode).toBe(1);
  expect((await run('stop')).stdout).toBe('none was running\n');
  expect((await run('start')).exitCode).toBe(0);
  expect(state().origin).toBe(sandbox.origin);
});

test('the variables for a shell are printed as export lines, and nothing else', async () => {
  const lines = (await run('env')).stdout.trim().split('\n');
  const names = lines.map((line) => /^export ([A-Z_]+)='/.exec(line)?.[1]);
  expect(names).toEqual(
    expect.arrayContaining(['ARM_TENANT_ID', 'ARM_SUBSCRIPTION_ID', 'TF_REATTACH_PROVIDERS']),
  );
  expect(names).not.toContain(undefined);
  const official = JSON.parse(
    (await run('env', '--providers', 'official', '--json')).stdout,
  ) as Record<string, string>;
  expect(official).toMatchObject({
    ARM_METADATA_HOSTNAME: `localhost:${sandbox.settings.port}`,
    ARM_RESOURCE_MANAGER_ENDPOINT: sandbox.origin,
    FABRIC_ENDPOINT: sandbox.origin,
    FABRIC_CLIENT_SECRET: '',
    GO_AZURE_SDK_SKIP_POLLING_DELAY: 'true',
  });
  expect(
    readFileSync(official['SSL_CERT_FILE'] as string, 'utf8').match(/BEGIN CERTIFICATE/g)?.length,
  ).toBeGreaterThan(50);
});

test('generated secrets are printed with both choices of providers, under a heading that says why', async () => {
  writeFileSync(
    join(sandbox.folder, '.castellan/stand-in-secrets.json'),
    JSON.stringify({ api_key: "made 'up'" }),
  );
  for (const providers of ['castellan', 'official']) {
    const { stdout } = await run('env', '--providers', providers);
    expect(stdout).toMatch(
      /\n# Secrets that are set nowhere have made-up values[^\n]*\nexport TF_VAR_api_key=/,
    );
    const shell = `eval "$1"; echo "$TF_VAR_api_key"; echo "\${FABRIC_CLIENT_SECRET+set}$FABRIC_CLIENT_SECRET"`;
    const evaluated = execFileSync('sh', ['-c', shell, 'sh', stdout], {
      encoding: 'utf8',
      env: {},
    });
    expect(evaluated).toBe(`made 'up'\n${providers === 'official' ? 'set' : ''}\n`);
  }
  rmSync(join(sandbox.folder, '.castellan/stand-in-secrets.json'));
});

test('all files of a sandbox are in the project, readable by the owner only, and the log contains no secret', async () => {
  const folder = join(sandbox.folder, '.castellan');
  for (const name of ['ca-key.pem', 'settings.json', 'sandbox.db', 'sandbox.json'])
    expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  expect(existsSync(join(homedir(), '.castellan'))).toBe(false);
  const log = readFileSync(join(folder, 'sandbox.log'), 'utf8');
  for (const secret of [sandbox.settings.clientSecret, sandbox.settings.adminToken, 'eyJhbGciOi'])
    expect(log).not.toContain(secret);
  expect(log).not.toMatch(/unsupported runtime|ExperimentalWarning/i);
  expect(readdirSync(folder)).toContain('.gitignore');
});

test('the background process answers only with its token', async () => {
  expect((await sandbox.send('GET', `${sandbox.origin}/_castellan/status`)).status).toBe(401);
  expect(
    (await sandbox.send('POST', `${sandbox.origin}/_castellan/seed`, { body: {} })).status,
  ).toBe(401);
});

test('a bad seed is refused with its location, and the sandbox continues', async () => {
  writeFileSync(join(sandbox.folder, 'bad.yaml'), 'usres: []\n');
  const answer = await run('start', '--seed', 'bad.yaml');
  expect([answer.exitCode, answer.stderr]).toEqual([
    2,
    expect.stringContaining('bad.yaml:1:1: "usres" is not a list of a seed, did you mean "users"?'),
  ]);
  expect((await run('status')).exitCode).toBe(0);
});

test('a project path too long for unix sockets gets its sockets in another folder', async () => {
  const folder = join(
    newProject(),
    'a-rather-long-name-for-a-folder'.repeat(3),
    'and-one-more-level-below-it',
  );
  mkdirSync(folder, { recursive: true });
  try {
    expect((await castellan(['sandbox', 'start'], { cwd: folder })).exitCode).toBe(0);
    const { stdout } = await castellan(['sandbox', 'env', '--json'], { cwd: folder });
    const { TF_REATTACH_PROVIDERS } = JSON.parse(stdout) as Record<string, string>;
    const announced = Object.values(
      JSON.parse(TF_REATTACH_PROVIDERS as string) as Record<string, { Addr: { String: string } }>,
    ).map(({ Addr }) => Addr.String);
    // each under the registries of Terraform and OpenTofu
    expect(announced).toHaveLength(10);
    const sockets = [...new Set(announced)];
    expect(sockets).toHaveLength(5);
    for (const socket of sockets) {
      expect(Buffer.byteLength(socket)).toBeLessThan(104);
      expect(statSync(socket).isSocket()).toBe(true);
    }
  } finally {
    await castellan(['sandbox', 'stop'], { cwd: folder });
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a seed is applied again only when its content has changed', async () => {
  const group = '5f3b7c1e-2d4a-4c8e-9b61-7a8b9c0d1e2f';
  const seedWith = (members: readonly string[]): void =>
    writeFileSync(
      join(sandbox.folder, 'team.yaml'),
      `groups: [{ id: ${group}, displayName: Team, members: [${members.join(', ')}] }]\n`,
    );
  const memberNames = async (): Promise<readonly string[]> =>
    (await sandbox.api('GET', `/v1.0/groups/${group}/members`)).body.value
      .map(({ displayName }: { displayName: string }) => displayName)
      .sort();
  seedWith(['ada@contoso.example']);
  await run('start', '--seed', 'team.yaml');
  expect(await memberNames()).toEqual(['Ada Lovelace']);
  const ada = `/v1.0/groups/${group}/members/${people.ada}/$ref`;
  expect((await sandbox.api('DELETE', ada)).status).toBe(204);

  await run('start', '--seed', 'team.yaml');
  expect(await memberNames()).toEqual([]);
  await run('stop');
  await run('start', '--seed', 'team.yaml');
  expect(await memberNames()).toEqual([]);

  seedWith(['grace@contoso.example']);
  await run('start', '--seed', 'team.yaml');
  expect(await memberNames()).toEqual(['Grace Hopper']);
  await run('start', '--seed', 'seed.yaml');
});

test('reset returns to the seed and keeps the authority, the port and the ids', async () => {
  const ca = readFileSync(join(sandbox.folder, '.castellan/ca.pem'), 'utf8');
  const tfstate = join(sandbox.folder, '.castellan/terraform.shop.tfstate');
  writeFileSync(tfstate, '{}');
  await sandbox.api('POST', '/v1.0/users', {
    displayName: 'New',
    userPrincipalName: 'new@contoso.example',
    mailNickname: 'new',
    accountEnabled: true,
    passwordProfile: { password: 'Aa1!secret' },
  });
  expect(await users()).toContain('New');
  expect((await run('clock', '+2d')).exitCode).toBe(0);
  expect((await run('reset')).stdout).toBe('reset to its seed\n');
  expect(readFileSync(join(sandbox.folder, '.castellan/ca.pem'), 'utf8')).toBe(ca);
  expect(state().origin).toBe(sandbox.origin);
  const names = await users();
  expect(names).toContain('Ada Lovelace');
  expect(names).not.toContain('New');
  expect(JSON.parse((await run('clock', '--json')).stdout)).toMatchObject({ aheadSeconds: 0 });
  expect(existsSync(tfstate)).toBe(false);
});

test('curl accepts every host name with the one certificate', () => {
  const ca = join(sandbox.folder, '.castellan/ca.pem');
  const { port } = sandbox.settings;
  for (const host of ['localhost', '127.0.0.1', 'any-app.localhost']) {
    const args = [
      '-sS',
      '--cacert',
      ca,
      '--resolve',
      `any-app.localhost:${port}:127.0.0.1`,
      `https://${host}:${port}/metadata/endpoints`,
    ];
    expect(execFileSync('curl', args, { encoding: 'utf8' })).toContain('{');
  }
});
