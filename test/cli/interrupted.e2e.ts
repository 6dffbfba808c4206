import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectToSandbox } from '../sandbox/e2e-support.js';
import { cliPath, root } from '../support/cli.js';
import { type CliRun, runCliWithTestEnvironment } from '../support/run-cli.js';

const project = mkdtempSync(join(tmpdir(), 'castellan-interrupted-'));
const run = (...args: string[]): Promise<CliRun> =>
  runCliWithTestEnvironment(args, { cwd: project });

beforeAll(() =>
  cpSync(join(root, 'examples/storefront'), join(project, 'storefront'), { recursive: true }),
);
afterAll(async () => {
  await run('sandbox', 'stop');
  rmSync(project, { recursive: true, force: true });
});

type KillTarget = 'terraform' | 'sandbox' | 'everything';

/**
 * Starts a command and kills the target with SIGKILL once a line of its progress matches.
 *
 * @returns whether a line matched
 */
function runUntil(
  command: 'up' | 'down',
  line: RegExp,
  kill: KillTarget,
  delayMs: number,
): Promise<boolean> {
  const child = spawn(process.execPath, [cliPath, command, 'storefront'], {
    cwd: project,
    env: { ...process.env, CI: '1' },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const sandboxPid = (): number =>
    (JSON.parse(readFileSync(join(project, '.castellan/sandbox.json'), 'utf8')) as { pid: number })
      .pid;
  let hasSeenLine = false;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (hasSeenLine || !line.test(text)) return;
    hasSeenLine = true;
    setTimeout(() => {
      if (kill !== 'terraform') process.kill(sandboxPid(), 'SIGKILL');
      if (kill !== 'sandbox' && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, delayMs);
  });
  return new Promise((done) => child.once('close', () => done(hasSeenLine)));
}

async function succeeds(command: 'up' | 'down'): Promise<void> {
  const { exitCode, stderr } = await run(command, 'storefront');
  expect({ exitCode, output: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, output: '' });
}

/**
 * What the state holds and what the services hold must be the same: nothing twice, nothing
 * forgotten.
 */
async function expectConvergence(): Promise<void> {
  await succeeds('up');
  const plan = await run('plan', 'storefront');
  expect(plan.stdout).toMatch(/no changes/);
  expect(await groups()).toEqual(['Shoppers', 'Storefront administrators']);
}

async function groups(): Promise<readonly string[]> {
  const { stdout } = await run('directory', 'groups', '--sandbox', '--json');
  const names = JSON.parse(stdout) as
    { displayName: string }[] | { value: { displayName: string }[] };
  return (Array.isArray(names) ? names : names.value).map(({ displayName }) => displayName).sort();
}

function resourcesInState(): readonly unknown[] {
  const state = readFileSync(join(project, '.castellan/terraform.storefront.tfstate'), 'utf8');
  return (JSON.parse(state) as { resources: unknown[] }).resources;
}

describe('an up killed at any moment, and a down', () => {
  it.each([
    [
      'terraform, while groups are made and deleted',
      /azuread_group\S*: Creating/,
      'terraform',
      20,
      /azuread_group\S*: Destroying/,
    ],
    [
      'the sandbox, while registrations are made and deleted',
      /azuread_application_registration\S*: Creating/,
      'sandbox',
      5,
      /azuread_application_registration\S*: Destroying/,
    ],
    [
      'everything, while the app is made and deleted',
      /azurerm_container_app\.\S*: Creating/,
      'everything',
      20,
      /azurerm_container_app\.\S*: Destroying/,
    ],
  ] as const)(
    'converges with the next command after a kill of %s',
    async (_case, creationLine, kill, delay, deletionLine) => {
      expect(await runUntil('up', creationLine, kill, delay)).toBe(true);
      await expectConvergence();
      expect(await runUntil('down', deletionLine, kill, delay)).toBe(true);
      await succeeds('down');
      expect(await groups()).toEqual([]);
      expect(resourcesInState()).toEqual([]);
    },
  );
});

describe('a down', () => {
  it('leaves no deleted resources in the state, as after a killed down', async () => {
    mkdirSync(join(project, 'small'));
    writeFileSync(
      join(project, 'small/castellan.yaml'),
      'version: 1\nstack: small\ngroups:\n  readers: { kind: security, displayName: Readers, mailNickname: readers }\n',
    );
    expect((await run('up', 'small')).exitCode).toBe(0);
    const sandbox = connectToSandbox(project);
    const { body } = await sandbox.api('GET', '/v1.0/groups');
    for (const { id } of body.value as { id: string }[])
      await sandbox.api('DELETE', `/v1.0/groups/${id}`);
    const { exitCode, stdout } = await run('down', 'small');
    expect([exitCode, stdout]).toEqual([0, 'small: nothing to delete\n']);
    expect((await run('status')).stdout).toContain('small: nothing applied');
  });
});
