// The wall time of `castellan up` of 1,000 groups beside that of Terraform by itself. The sandbox
// runs in its own process.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeConfiguration } from './corpora.mjs';
import { median, secondsOf } from './measure.mjs';

const count = 1_000;
const terraform = process.env.CASTELLAN_TERRAFORM ?? 'terraform';
const people = [
  '{ id: 0a2b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60, userPrincipalName: ada@contoso.example, displayName: Ada Lovelace, mailNickname: ada, accountEnabled: true }',
  '{ id: 1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071, userPrincipalName: grace@contoso.example, displayName: Grace Hopper, mailNickname: grace, accountEnabled: true }',
];

/**
 * Two comparisons, of the first and of the second `up`: functions of the number of rounds that
 * return the median ratio, or undefined if Terraform is not installed. Both take it from the same
 * runs.
 */
export function upComparisons({ root, folder }) {
  let measuredRounds;
  const measure = (kind) => (rounds) => {
    if (spawnSync(terraform, ['version']).status !== 0) return undefined;
    measuredRounds ??= Array.from({ length: Math.min(rounds, 3) }, (_, index) =>
      measureRound(root, folder, index % 2 === 0),
    );
    return { wall: median(measuredRounds.map((each) => each[kind])) };
  };
  return { first: measure('first'), second: measure('second') };
}

/**
 * The ratios of one round, in a new sandbox. Both sides use one state of 1,000 resources, since the
 * time of an apply grows with the square of its state.
 */
function measureRound(root, folder, oursIsFirst) {
  const project = writeConfiguration(mkdtempSync(join(folder, 'up-')), 'groups', count);
  const castellan = (...args) => ({
    command: [process.execPath, join(root, 'dist/cli/bin.js'), ...args],
    cwd: project,
    env: { CI: '1' },
  });
  const up = castellan('up', '--auto-approve');
  writeFileSync(
    join(project, 'seed.yaml'),
    `users:\n${people.map((each) => `  - ${each}\n`).join('')}`,
  );
  const terraformSeconds = oursIsFirst ? undefined : applyBuiltIn(folder);
  try {
    const first = secondsOf(up).wall;
    const plan = {
      command: [terraform, 'plan', '-input=false'],
      cwd: join(project, '.castellan/stacks/groups'),
      env: environmentOf(castellan('sandbox', 'env')),
    };
    const second = secondsOf(up).wall / secondsOf(plan).wall;
    return { first: first / (terraformSeconds ?? applyBuiltIn(folder)), second };
  } finally {
    const { command, cwd } = castellan('sandbox', 'stop');
    spawnSync(command[0], command.slice(1), { cwd });
  }
}

/** The seconds in which Terraform applies the same number of built-in resources. */
function applyBuiltIn(folder) {
  const cwd = mkdtempSync(join(folder, 'built-in-'));
  const resources = Array.from({ length: count }, (_, index) => [
    `group-${index}`,
    { input: `group-${index}` },
  ]);
  writeFileSync(
    join(cwd, 'main.tf.json'),
    JSON.stringify({ resource: { terraform_data: Object.fromEntries(resources) } }),
  );
  const run = (...args) => ({
    command: [terraform, ...args],
    cwd,
    env: { CHECKPOINT_DISABLE: '1' },
  });
  secondsOf(run('init'));
  return secondsOf(run('apply', '-auto-approve')).wall;
}

/** The environment of a shell after it has evaluated a command's output. */
function environmentOf({ command, cwd }) {
  const { stdout } = spawnSync('bash', ['-c', 'eval "$("$@")" && env -0', 'bash', ...command], {
    cwd,
    encoding: 'utf8',
  });
  return Object.fromEntries(
    stdout.split('\0').flatMap((line) => (line === '' ? [] : [line.split(/=(.*)/s).slice(0, 2)])),
  );
}
