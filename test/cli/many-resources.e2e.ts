import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newProject, startSandbox, type TestSandbox } from '../sandbox/e2e-support.js';
import { cliPath } from '../support/cli.js';
import { type CliRun, runCliWithTestEnvironment } from '../support/run-cli.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Many enough that a kill finds creations done, under way and ahead. */
const count = 24;
const project = newProject();
let sandbox: TestSandbox;
const run = (...args: string[]): Promise<CliRun> =>
  runCliWithTestEnvironment(args, { cwd: project });

function declare(description: string, howMany = count): void {
  const groups = Array.from(
    { length: howMany },
    (_, index) =>
      `  group-${index}: { kind: security, displayName: Group ${index}, mailNickname: group-${index}, description: ${description} }\n`,
  );
  writeFileSync(
    join(project, 'castellan.yaml'),
    `version: 1\nstack: many\ngroups:\n${groups.join('')}`,
  );
}

/** The descriptions of all groups, with how many have each. */
async function groups(): Promise<Readonly<Record<string, number>>> {
  const { stdout } = await run('directory', 'groups', '--sandbox', '--json');
  const groupList = JSON.parse(stdout) as { description: string }[];
  return groupList.reduce<Record<string, number>>(
    (sum, { description }) => ({ ...sum, [description]: (sum[description] ?? 0) + 1 }),
    {},
  );
}

const succeeds = async (...args: string[]): Promise<string> => {
  const { exitCode, stdout, stderr } = await run(...args);
  expect({ exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout + stderr;
};

/** Starts `up` and kills with SIGKILL once so many groups were created. */
async function killUp(created: number, kill: 'castellan' | 'castellan and terraform') {
  const child = spawn(process.execPath, [cliPath, 'up'], {
    cwd: project,
    env: { ...process.env, CI: '1' },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('castellan was not started');
  let lines = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (lines += text));
  const closed = new Promise((done) => child.once('close', done));
  await vi.waitFor(() => expect(lines.split('Creation complete').length).toBeGreaterThan(created), {
    timeout: 60_000,
    interval: 20,
  });
  process.kill(kill === 'castellan' ? pid : -pid, 'SIGKILL');
  await closed;
  expect(lines.split('Creation complete').length).toBeLessThan(count);
}

beforeAll(async () => {
  declare('first');
  sandbox = await startSandbox(project);
});
afterAll(() => sandbox.stop());

describe('a stack of many resources', () => {
  it('is created, changed and deleted', async () => {
    expect(await succeeds('up')).toContain(`many: ${count} resources created`);
    expect(await succeeds('plan')).toContain('many: no changes');
    declare('second');
    expect(await succeeds('up')).toContain(`many: ${count} resources updated`);
    expect(await groups()).toEqual({ second: count });
    expect(await succeeds('status')).toContain(`many: ${count} resources applied`);
    expect(await succeeds('down')).toContain(`many: ${count} resources deleted`);
    expect(await groups()).toEqual({});
  });

  it.each(['castellan', 'castellan and terraform'] as const)(
    'is complete and without duplicates after a second up, when %s was killed',
    async (kill) => {
      declare('killed');
      await killUp(8, kill);
      await succeeds('up');
      expect(await groups()).toEqual({ killed: count });
      expect(await succeeds('plan')).toContain('many: no changes');
      await succeeds('down');
      expect(await groups()).toEqual({});
    },
  );
});

describe('two stacks that declare an equal group', () => {
  it('get one each', async () => {
    for (const stack of ['one', 'two']) {
      mkdirSync(join(project, stack));
      writeFileSync(
        join(project, stack, 'castellan.yaml'),
        `version: 1\nstack: ${stack}\ngroups:\n  team: { kind: security, displayName: Team, mailNickname: team, description: equal }\n`,
      );
      await succeeds('up', stack);
    }
    expect(await groups()).toEqual({ equal: 2 });
  });
});
