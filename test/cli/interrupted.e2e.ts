import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../sandbox/e2e-support.js';
import { castellan, cliPath, type CliResult, root } from '../support/cli.js';

const project = mkdtempSync(join(tmpdir(), 'castellan-interrupted-'));
const run = (...args: string[]): Promise<CliResult> => castellan(args, { cwd: project });

beforeAll(() => cpSync(join(root, 'examples/storefront'), join(project, 'storefront'), { recursive: true }));
afterAll(async () => {
  await run('sandbox', 'stop');
  rmSync(project, { recursive: true, force: true });
});

/** Starts `up` and kills something with SIGKILL once its progress says that the given resource is being made. */
function upUntil(line: RegExp, kill: 'terraform' | 'sandbox' | 'everything', delay: number): Promise<void> {
  const child = spawn(process.execPath, [cliPath, 'up', 'storefront'], {
    cwd: project,
    env: { ...process.env, CI: '1' },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const sandboxPid = (): number => (JSON.parse(readFileSync(join(project, '.castellan/sandbox.json'), 'utf8')) as { pid: number }).pid;
  let seen = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (seen || !line.test(text)) return;
    seen = true;
    setTimeout(() => {
      if (kill !== 'terraform') process.kill(sandboxPid(), 'SIGKILL');
      if (kill !== 'sandbox' && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, delay);
  });
  return new Promise((done) => child.once('close', () => done()));
}

/** What the state holds and what the services hold must be the same: nothing twice, nothing forgotten. */
async function converges(): Promise<void> {
  const up = await run('up', 'storefront');
  expect({ exitCode: up.exitCode, output: up.exitCode === 0 ? '' : up.stderr }).toEqual({ exitCode: 0, output: '' });
  const plan = await run('plan', 'storefront');
  expect(plan.stdout).toMatch(/no changes/);
  const groups = await run('directory', 'groups', '--sandbox', '--json');
  const names = JSON.parse(groups.stdout) as { displayName: string }[] | { value: { displayName: string }[] };
  const list = (Array.isArray(names) ? names : names.value).map(({ displayName }) => displayName).sort();
  expect(list).toEqual(['Shoppers', 'Storefront administrators']);
}

describe('an up that is killed at any moment', () => {
  it.each([
    ['terraform, while groups are made', /azuread_group\S*: Creating/, 'terraform', 20],
    ['the sandbox, while registrations are made', /azuread_application_registration\S*: Creating/, 'sandbox', 5],
    ['everything, while the eventhouse is made', /fabric_eventhouse\S*: Creating/, 'everything', 10],
    ['everything, while the app is made', /azurerm_container_app\.\S*: Creating/, 'everything', 20],
  ] as const)('converges on the next up: killed was %s', async (_case, line, kill, delay) => {
    await upUntil(line, kill, delay);
    await converges();
    expect((await run('down', 'storefront')).exitCode).toBe(0);
  });
});

describe('a down', () => {
  it('leaves nothing in the state of what is gone already, as after a down that was killed', async () => {
    const sandbox = await startSandbox();
    const inSandbox = (...args: string[]): Promise<CliResult> => castellan(args, { cwd: sandbox.folder });
    writeFileSync(
      join(sandbox.folder, 'castellan.yaml'),
      'version: 1\nstack: small\ngroups:\n  readers: { kind: security, displayName: Readers, mailNickname: readers }\n',
    );
    expect((await inSandbox('up')).exitCode).toBe(0);
    const { body } = await sandbox.api('GET', '/v1.0/groups');
    for (const { id } of body.value as { id: string }[]) await sandbox.api('DELETE', `/v1.0/groups/${id}`);
    const { exitCode, stdout } = await inSandbox('down');
    expect([exitCode, stdout]).toEqual([0, 'small: nothing to delete\n']);
    expect((await inSandbox('status')).stdout).toContain('small: nothing applied');
    await sandbox.stop();
  });
});
