import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  App,
  CastellanStack,
  ContainerApp,
  Eventhouse,
  Group,
  Registration,
  SecurityGroup,
  UnifiedGroup,
  User,
  Workspace,
} from '../../../constructs/index.js';
import { targetOf } from '../../../stacks/index.js';
import { type CliRun, runCliWithTestEnvironment } from '../../support/run-cli.js';
import { terraformProgram } from '../../support/terraform-program.js';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const project = mkdtempSync(join(tmpdir(), 'castellan-stacks-e2e-'));
let env: Record<string, string> = {};
const run = (...args: string[]): Promise<CliRun> =>
  runCliWithTestEnvironment(args, { cwd: project });

/** Two stacks: the second one uses objects of the first, and looks one up by its name. */
function synthesize(): void {
  const app = new App({ outdir: join(project, 'cdktf.out') });
  const props = {
    azure: { location: 'westeurope', tenantId: env['ARM_TENANT_ID'] },
    sandbox: { dialect: 'neutral' },
  } as const;
  const first = new CastellanStack(app, 'first', props);
  const people = ['ada', 'grace'].map((name) => {
    return User.fromPrincipalName(first, name, `${name}@contoso.example`);
  });
  const workspace = new Workspace(first, 'telemetry', { displayName: 'Telemetry' });
  const shoppers = new UnifiedGroup(first, 'shoppers', { displayName: 'Shoppers', owners: people });
  new SecurityGroup(first, 'analysts', { displayName: 'Analysts', owners: people });
  const registration = new Registration(first, 'login', { displayName: 'Sign-in' });

  const second = new CastellanStack(app, 'second', props);
  second.addDependency(first); // the group is looked up, which cdktf does not see
  new Eventhouse(second, 'clicks', { workspace, displayName: 'clicks' });
  new Workspace(second, 'reports', { displayName: 'Reports' }).grant(
    Group.fromDisplayName(second, 'analysts', 'Analysts'),
    'Viewer',
  );
  const web = new ContainerApp(second, 'web', {
    image: 'ghcr.io/contoso/web:1.0.0',
    targetPort: 8080,
    auth: { providers: { directory: { registration } } },
  });
  web.grantAccess(shoppers);
  app.synth();
}

function terraform(stack: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(terraformProgram, [...args, '-no-color'], {
    cwd: join(project, 'cdktf.out/stacks', stack),
    env: { ...process.env, ...env, CHECKPOINT_DISABLE: '1', TF_CLI_CONFIG_FILE: '/dev/null' },
    encoding: 'utf8',
  });
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  return stdout;
}

beforeAll(async () => {
  writeFileSync(
    join(project, 'seed.yaml'),
    'users:\n' +
      ['ada', 'grace']
        .map((name) => `  - { userPrincipalName: ${name}@contoso.example }\n`)
        .join(''),
  );
  const startResult = await run('sandbox', 'start', '--seed', 'seed.yaml');
  expect([startResult.exitCode, startResult.exitCode === 0 ? '' : startResult.stderr]).toEqual([
    0,
    '',
  ]);
  const exportLines = (await run('sandbox', 'env')).stdout;
  env = Object.fromEntries(
    [...exportLines.matchAll(/^export ([A-Z_0-9]+)='(.*)'$/gm)].map(([, name, value]) => [
      String(name),
      String(value),
    ]),
  );
});
afterAll(async () => {
  await run('sandbox', 'stop');
  rmSync(project, { recursive: true, force: true });
});

describe('two stacks of constructs in the sandbox', () => {
  it('are applied with references through the state and with lookups', () => {
    expect(targetOf(env)).toBe('sandbox');
    synthesize();
    for (const stack of ['first', 'second']) {
      terraform(stack, 'init');
      terraform(stack, 'apply', '-auto-approve');
    }
    const state = terraform('second', 'show', '-json');
    expect(state).toContain('"https://web.');
    expect(terraform('second', 'plan')).toContain('No changes');
    expect(terraform('first', 'plan')).toContain('No changes');
  });

  it('are destroyed in reverse order', () => {
    for (const stack of ['second', 'first'])
      expect(terraform(stack, 'destroy', '-auto-approve')).toContain('Destroy complete');
  });
});
