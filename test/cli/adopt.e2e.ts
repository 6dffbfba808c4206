import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type CliRun, runCliWithTestEnvironment } from '../support/run-cli.js';

const [ada, grace] = [
  '00000001-0000-4000-8000-000000000001',
  '00000002-0000-4000-8000-000000000002',
];
const seed = {
  users: [
    { id: ada, displayName: 'Ada', userPrincipalName: 'ada@contoso.example' },
    {
      id: grace,
      displayName: 'Grace',
      userPrincipalName: 'grace@contoso.example',
      department: 'Sales',
    },
  ],
  groups: [
    {
      id: '00000010-0000-4000-8000-000000000010',
      displayName: 'Sales EMEA',
      mailNickname: 'sales-emea',
      mailEnabled: false,
      securityEnabled: true,
      owners: [ada, grace],
      members: [grace],
    },
    {
      id: '00000011-0000-4000-8000-000000000011',
      displayName: 'Shoppers',
      mailNickname: 'shoppers',
      mailEnabled: true,
      securityEnabled: false,
      groupTypes: ['Unified', 'DynamicMembership'],
      membershipRule: 'user.department -eq "Sales"',
      membershipRuleProcessingState: 'On',
      preferredLanguage: 'en-US',
      owners: [ada, grace],
    },
    // this group has no owner, and adoption must not add one
    {
      id: '00000013-0000-4000-8000-000000000013',
      displayName: 'Spare',
      mailNickname: 'spare',
      mailEnabled: false,
      securityEnabled: true,
    },
    {
      id: '00000012-0000-4000-8000-000000000012',
      displayName: 'Elsewhere',
      mailNickname: 'elsewhere',
      mailEnabled: false,
      securityEnabled: true,
    },
    // two of the same name
    ...['00000014-0000-4000-8000-000000000014', '00000015-0000-4000-8000-000000000015'].map(
      (id) => ({
        id,
        displayName: 'Twins',
        description: `The one with ${id}`,
        mailNickname: 'twins',
        mailEnabled: false,
        securityEnabled: true,
      }),
    ),
  ],
};

const project = mkdtempSync(join(tmpdir(), 'castellan-adopt-'));
const run = (...args: string[]): Promise<CliRun> =>
  runCliWithTestEnvironment(args, { cwd: project });

beforeAll(async () => {
  writeFileSync(join(project, 'seed.yaml'), stringify(seed));
  const started = await run('sandbox', 'start', '--seed', 'seed.yaml');
  if (started.exitCode !== 0) throw new Error(started.stderr);
});
afterAll(async () => {
  await run('sandbox', 'stop');
  rmSync(project, { recursive: true, force: true });
});

describe('groups that exist', () => {
  it('are adopted into a configuration and a state, after which a plan shows no changes', async () => {
    const adopted = await run(
      'adopt',
      'groups',
      '--sandbox',
      '--filter',
      "startsWith(displayName,'s')",
      '--stack',
      'people',
      '--out',
      'castellan.yaml',
      '--import',
    );
    expect({
      exitCode: adopted.exitCode,
      stderr: adopted.exitCode === 0 ? '' : adopted.stderr,
    }).toEqual({ exitCode: 0, stderr: '' });
    expect(adopted.stderr).toContain('4 taken into the state');
    expect(readFileSync(join(project, 'castellan.yaml'), 'utf8')).not.toContain('elsewhere');
    const plan = await run('plan');
    expect(plan.stdout + (plan.exitCode === 0 ? '' : plan.stderr)).toMatch(/no changes/i);
    expect(plan.exitCode).toBe(0);
  });

  it('are each taken under their own name where two have the same', async () => {
    const options = ['--sandbox', '--filter', "displayName eq 'Twins'", '--stack', 'twins'];
    const file = 'twins/castellan.yaml';
    mkdirSync(join(project, 'twins'));
    const adopted = await run('adopt', 'groups', ...options, '--out', file, '--import');
    expect(adopted.stderr).toContain('2 taken into the state');
    const { stdout } = await run('plan', 'twins');
    expect(stdout).toMatch(/no changes/i);
  });

  it('are listed by castellan directory, adopted or not', async () => {
    const { exitCode, stdout } = await run('directory', 'groups', 'list', '--sandbox', '--json');
    expect(exitCode).toBe(0);
    expect(
      (JSON.parse(stdout) as { displayName: string }[]).map((group) => group.displayName),
    ).toEqual(['Sales EMEA', 'Shoppers', 'Spare', 'Elsewhere', 'Twins', 'Twins']);
  });
});
