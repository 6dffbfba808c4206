import { spawn } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newProject, startSandbox, type TestSandbox } from '../sandbox/e2e-support.js';
import { cliPath } from '../support/cli.js';
import { kill } from '../support/processes.js';
import { type CliRun, runCliWithTestEnvironment } from '../support/run-cli.js';
import { terraformProgram } from '../support/terraform-program.js';

const project = newProject();
let sandbox: TestSandbox;
const run = (...args: string[]): Promise<CliRun> =>
  runCliWithTestEnvironment(args, { cwd: project });

const people = `principals:
  ada: { user: ada@contoso.example }
  grace: { user: grace@contoso.example }
`;
const owners = 'owners: [ada, grace]';
const login = `registrations: { login: { displayName: Login, ${owners} } }\n`;
const group = (key: string): string =>
  `  ${key}: { kind: security, displayName: ${key}, ${owners} }\n`;

/**
 * Two arrangements of the same objects. Each gets to the other by moves between both stacks in both
 * directions; a group of the left stack gets another key each time, and one more is created.
 */
const arrangements = {
  first: {
    moved: `  - { from: right/groups.one, to: groups.one }
  - { from: right/registrations.login, to: registrations.login }
  - { from: groups.two, to: right/groups.two }
`,
    left: `${login}groups:\n${group('one')}`,
    right: `groups:\n${group('two')}`,
  },
  second: {
    moved: `  - { from: right/groups.two, to: groups.two }
  - { from: groups.one, to: right/groups.one }
  - { from: registrations.login, to: right/registrations.login }
`,
    left: `groups:\n${group('two')}`,
    right: `${login}groups:\n${group('one')}`,
  },
};

function declare(createdCount: number): void {
  const { moved, left, right } = arrangements[createdCount % 2 === 0 ? 'first' : 'second'];
  const numbers = [...Array(createdCount).keys()];
  const teamMoves = numbers.map(
    (each) => `  - { from: groups.team${each}, to: groups.team${each + 1} }\n`,
  );
  const team = `  team${createdCount}: { kind: unified, displayName: Team, ${owners} }\n`;
  const movedSection = createdCount === 0 ? '' : `moved:\n${teamMoves.join('')}${moved}`;
  writeFileSync(
    join(project, 'castellan.yaml'),
    `version: 1
stack: left
${movedSection}${people}${left}${team}${numbers.map((each) => group(`new${each}`)).join('')}---
version: 1
stack: right
${people}${right}`,
  );
}

/** Every object of the directory, with its id: what is made twice is listed twice. */
async function objects(): Promise<readonly string[]> {
  const collections = ['groups', 'applications', 'servicePrincipals'];
  const lists = await Promise.all(
    collections.map(async (collection) => {
      const { body } = await sandbox.api('GET', `/v1.0/${collection}`);
      return (body as { value: { id: string; displayName: string }[] }).value.map(
        ({ id, displayName }) => `${collection} ${displayName} ${id}`,
      );
    }),
  );
  return lists.flat().sort();
}

const namesOf = (list: readonly string[]): string[] => list.map((each) => each.slice(0, -37));

/** How often each state of the stacks has an object: by its id. */
function idsInStates(): readonly string[] {
  return ['left', 'right']
    .flatMap((stack) => {
      const text = readFileSync(join(project, `.castellan/terraform.${stack}.tfstate`), 'utf8');
      const { resources } = JSON.parse(text) as {
        resources: { mode: string; type: string; instances: { attributes: { id: string } }[] }[];
      };
      return resources
        .filter(({ mode }) => mode === 'managed')
        .flatMap(({ type, instances }) =>
          instances.map(({ attributes: { id } }) => `${type} ${id}`),
        );
    })
    .sort();
}

/** What kills an `up`: the end of its nth writing of a state, or a line of its progress. */
type Moment = { readonly states: number } | { readonly line: RegExp };

/** Runs `up` and kills it with its engine by SIGKILL. @returns by what the command ended */
function runAndKillUp(moment: Moment): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [cliPath, 'up'], {
    cwd: project,
    env: {
      ...process.env,
      CI: '1',
      CASTELLAN_TERRAFORM:
        'states' in moment ? engineKillingAfter(moment.states) : terraformProgram,
    },
    detached: true, // the leader of a group, which its engine belongs to
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if ('line' in moment && moment.line.test(text) && child.pid !== undefined) kill(-child.pid);
  });
  return new Promise((done) => child.once('close', (_code, signal) => done(signal)));
}

/** An engine that kills its process group when it has written some states. */
function engineKillingAfter(states: number): string {
  const program = join(project, `killing-${String(states)}`);
  writeFileSync(
    program,
    `#!/bin/sh
[ "$1 $2" = "state push" ] || exec ${terraformProgram} "$@"
${terraformProgram} "$@" || exit
echo >> "$0.written"
[ "$(wc -l < "$0.written")" -lt ${String(states)} ] || kill -KILL 0
`,
  );
  chmodSync(program, 0o755);
  return program;
}

beforeAll(async () => {
  sandbox = await startSandbox(project);
  declare(0);
  const { exitCode, stderr } = await run('up');
  if (exitCode !== 0) throw new Error(stderr);
});
afterAll(() => sandbox.stop());

describe('an up that moves, killed with its engine', () => {
  it.each([
    [1, 'when it has written the first state', { states: 1 }],
    [2, 'when it has written both states that receive', { states: 2 }],
    [3, 'when it has written the first state that gives', { states: 3 }],
    [4, 'when it has written all states', { states: 4 }],
    [5, 'while it creates what is new', { line: /azuread_group\.\w+: Creating/ }],
  ] as const)('(%i) %s, leaves nothing twice and loses nothing', async (count, _when, moment) => {
    const [before, managedBefore] = [await objects(), idsInStates()];
    declare(count);

    expect(await runAndKillUp(moment)).toBe('SIGKILL');
    const afterKill = await objects();
    expect(afterKill).toEqual(expect.arrayContaining([...before]));

    const { exitCode, stderr } = await run('up');
    expect([exitCode, exitCode === 0 ? '' : stderr]).toEqual([0, '']);
    const after = await objects();
    expect(after).toEqual(expect.arrayContaining([...afterKill]));
    expect(namesOf(after)).toEqual([...namesOf(before), `groups new${count - 1}`].sort());
    const managedAfter = idsInStates();
    expect(new Set(managedAfter).size).toBe(managedAfter.length);
    expect(managedAfter).toEqual(expect.arrayContaining([...managedBefore]));
    expect(managedAfter.length).toBe(managedBefore.length + 1);

    const secondRun = await run('up', '--format', 'json');
    const { stacks } = JSON.parse(secondRun.stdout) as { stacks: { clean: boolean }[] };
    expect(stacks.map(({ clean }) => clean)).toEqual([true, true]);
    expect(await objects()).toEqual(after);
    expect(idsInStates()).toEqual(managedAfter);
  });
});
