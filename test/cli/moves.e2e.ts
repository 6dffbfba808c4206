import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CliRun, runCliWithTestEnvironment } from '../support/run-cli.js';
import { terraformProgram } from '../support/terraform-program.js';

const project = mkdtempSync(join(tmpdir(), 'castellan-moves-'));
const run = (...args: string[]): Promise<CliRun> =>
  runCliWithTestEnvironment(args, { cwd: project });

const people = `principals:
  ada: { user: ada@contoso.example }
  grace: { user: grace@contoso.example }
`;
const declare = (...documents: string[]): void =>
  writeFileSync(
    join(project, 'castellan.yaml'),
    documents.map((each) => `version: 1\n${each}`).join('---\n'),
  );
const team = (key: string): string =>
  `  ${key}: { kind: unified, displayName: Team, owners: [ada, grace], settings: { Group.Unified.Guest: { AllowToAddGuests: false } } }\n`;
const app = (key: string, environment: string, group: string, registration: string): string =>
  `  ${key}: { image: "web:1", environment: ${environment}, targetPort: 80, ingress: { external: true }, customDomains: { shop.contoso.example: {} }, auth: { redirectTo: directory, providers: { directory: { registration: ${registration}, allowedGroups: [${group}] } } } }\n`;

interface Outcome {
  readonly stacks: readonly {
    readonly stack: string;
    readonly clean: boolean;
    readonly moved?: readonly { readonly from: string; readonly to: string }[];
  }[];
  readonly moved?: readonly object[];
}
const runForOutcome = async (command: 'plan' | 'up'): Promise<Outcome> => {
  const { stdout, stderr, exitCode } = await run(command, '--format', 'json');
  if (exitCode !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Outcome;
};
const state = (stack: string): string =>
  readFileSync(join(project, `.castellan/terraform.${stack}.tfstate`), 'utf8');
const addresses = (stack: string): string[] =>
  (
    JSON.parse(state(stack)) as {
      resources: { mode: string; type: string; name: string; instances: unknown[] }[];
    }
  ).resources
    .filter(({ mode }) => mode === 'managed')
    .map(({ type, name }) => `${type}.${name}`)
    .sort();

beforeAll(async () => {
  writeFileSync(
    join(project, 'seed.yaml'),
    ['ada', 'grace']
      .map((name) => `{ userPrincipalName: ${name}@contoso.example, displayName: ${name} }`)
      .reduce((text, each) => `${text}  - ${each}\n`, 'users:\n'),
  );
  declare(
    `stack: storefront
azure: { location: westeurope }
${people}registrations: { login: { displayName: Login, owners: [ada, grace] } }
groups:
  shoppers: { kind: security, displayName: Shoppers, owners: [ada, grace] }
${team('team')}workspaces: { lake: { displayName: Lake, roles: [{ principal: shoppers, role: Viewer }] } }
eventhouses: { clicks: { displayName: Clicks, workspace: lake } }
environments: { main: {} }
containerApps:
${app('web', 'main', 'shoppers', 'login')}  worker: { image: "worker:1" }
`,
    'stack: platform\nazure: { location: westeurope }\n',
  );
  await runForOutcome('up');
});
afterAll(async () => {
  await run('sandbox', 'stop');
  rmSync(project, { recursive: true, force: true });
});

const renamedConfig = `stack: storefront
azure: { location: westeurope }
moved:
  - { from: registrations.login, to: registrations.entry }
  - { from: groups.shoppers, to: groups.customers }
  - { from: workspaces.lake, to: workspaces.pond }
  - { from: eventhouses.clicks, to: eventhouses.taps }
  - { from: environments.main, to: environments.first }
  - { from: containerApps.web, to: containerApps.shop }
${people}registrations: { entry: { displayName: Login, owners: [ada, grace] } }
groups:
  customers: { kind: security, displayName: Shoppers, owners: [ada, grace] }
${team('team')}workspaces: { pond: { displayName: Lake, roles: [{ principal: customers, role: Viewer }] } }
eventhouses: { taps: { displayName: Clicks, workspace: pond } }
environments: { first: {} }
containerApps:
${app('shop', 'first', 'customers', 'entry')}  worker: { image: "worker:1" }
`;

describe('what was renamed or moved', () => {
  it('keeps its state and its names within a stack: the apply changes nothing', async () => {
    declare(renamedConfig, 'stack: platform\nazure: { location: westeurope }\n');
    const { stdout } = await run('plan');
    expect(stdout).toMatch(
      /^storefront: no changes; 12 resources have another address \(.*azuread_group\.shoppers -> azuread_group\.customers.*\nplatform: no changes\n$/,
    );
    const { stacks } = await runForOutcome('up');
    expect(stacks.map(({ clean }) => clean)).toEqual([true, true]);
    expect(addresses('storefront')).toContain('azuread_group.customers');
    expect((await runForOutcome('plan')).stacks).toEqual([
      { stack: 'storefront', clean: true, changes: [] },
      { stack: 'platform', clean: true, changes: [] },
    ]);
  });

  it('keeps its state between stacks, whose names change too: a plan changes no state, an apply nothing else', async () => {
    declare(
      `stack: market
azure: { location: westeurope }
moved:
  - { from: storefront, to: market }
workspaces: { pond: { displayName: Lake } }
eventhouses: { taps: { displayName: Clicks, workspace: pond } }
containerApps: { worker: { image: "worker:1" } }
`,
      `stack: core
azure: { location: westeurope, resourceGroup: { existing: rg-storefront } }
moved:
  - { from: platform, to: core }
  - { from: market/groups.team, to: groups.crew }
  - { from: market/groups.shoppers, to: market/groups.customers }
  - { from: market/groups.customers, to: groups.customers }
  - { from: market/registrations.entry, to: registrations.entry }
  - { from: market/environments.main, to: market/environments.first }
  - { from: market/environments.first, to: environments.first }
  - { from: market/containerApps.web, to: market/containerApps.shop }
  - { from: market/containerApps.shop, to: containerApps.shop }
${people}registrations: { entry: { displayName: Login, owners: [ada, grace] } }
groups:
  customers: { kind: security, displayName: Shoppers, owners: [ada, grace] }
${team('crew')}environments: { first: {} }
containerApps:
${app('shop', 'first', 'customers', 'entry')}`,
    );
    const before = state('storefront');
    const planned = await runForOutcome('plan');
    expect([state('storefront'), existsSync(join(project, '.castellan/moved/core'))]).toEqual([
      before,
      false,
    ]);
    const { stacks, moved = [] } = await runForOutcome('up');
    expect(planned.moved).toEqual(moved);
    expect(moved).toContainEqual({
      from: { stack: 'market', address: 'azuread_group.team' },
      to: { stack: 'core', address: 'azuread_group.crew' },
    });
    // the role of a group that is in the other stack now was not declared again
    expect(stacks.map(({ clean, stack }) => [stack, clean])).toEqual([
      ['market', false],
      ['core', true],
    ]);
    expect(addresses('storefront')).toEqual([]);
    expect(addresses('core')).toEqual(
      expect.arrayContaining(['azuread_group.crew', 'azurerm_container_app.shop']),
    );
    expect((await runForOutcome('plan')).stacks.every(({ clean }) => clean)).toBe(true);
  });

  it('is refused as a plan file, which could not move states', async () => {
    declare(
      `stack: bazaar
azure: { location: westeurope }
moved: [{ from: storefront, to: market }, { from: market, to: bazaar }]
workspaces: { pond: { displayName: Lake } }
eventhouses: { taps: { displayName: Clicks, workspace: pond } }
containerApps: { worker: { image: "worker:1" } }
`,
    );
    const { exitCode, stderr } = await run('plan', '--out', 'x.plan');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('CAS2109')]);
    expect((await runForOutcome('up')).stacks.map(({ clean }) => clean)).toEqual([true]);
  });

  it('loses data only where an option names it', async () => {
    declare(
      `stack: bazaar
azure: { location: westeurope }
moved: [{ from: storefront, to: market }, { from: market, to: bazaar }]
workspaces: { pond: { displayName: Lake } }
containerApps: { worker: { image: "worker:1" } }
`,
    );
    expect((await run('plan')).stdout).toContain(
      '`castellan up` needs --allow-destroy=fabric_eventhouse.taps\n',
    );
    const wrong = await run('up', '--allow-destroy=fabric_eventhouse.tabs', '--allow-replace=x.y');
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      1,
      expect.stringContaining('To allow it: --allow-destroy=fabric_eventhouse.taps'),
    ]);
    const right = await run('up', '--allow-destroy=fabric_eventhouse.taps', '--allow-replace=x.y');
    expect([right.exitCode, right.stderr]).toEqual([
      0,
      expect.stringContaining('--allow-replace=x.y allows nothing: no such change is planned'),
    ]);
  });

  // interrupted-moves.e2e.ts kills a run at each state that it writes
  it('is neither lost nor made twice by a run that cannot write all states, which says so', async () => {
    const [left, right] = ['left', 'right'];
    const declarePair = (ofLeft: string, ofRight: string, moved: string): void =>
      declare(
        `stack: ${left}\n${moved}${people}groups:\n${group(ofLeft)}`,
        `stack: ${right}\n${people}groups:\n${group(ofRight)}`,
      );
    declarePair('one', 'two', '');
    await runForOutcome('up');
    declarePair(
      'two',
      'one',
      `moved: [{ from: ${right}/groups.two, to: groups.two }, { from: groups.one, to: ${right}/groups.one }]\n`,
    );
    const stopped = await runCliWithTestEnvironment(['up'], {
      cwd: project,
      env: stoppingAfter(2),
    });
    expect(stopped.stderr).toContain('state push failed:\nstopped');
    expect([...addresses(left), ...addresses(right)]).toEqual(
      expect.arrayContaining(['azuread_group.one', 'azuread_group.two']),
    );
    expect((await runForOutcome('up')).stacks.map(({ clean }) => clean)).toEqual([true, true]);
    expect([addresses(left), addresses(right)]).toEqual([
      ['azuread_group.two'],
      ['azuread_group.one'],
    ]);
  });
});

const group = (key: string): string =>
  `  ${key}: { kind: security, displayName: ${key}, owners: [ada, grace] }\n`;

/** The environment of an engine that writes some states and then no more. */
function stoppingAfter(states: number): NodeJS.ProcessEnv {
  const program = join(project, `stopping-${String(states)}`);
  writeFileSync(
    program,
    `#!/bin/sh
if [ "$1 $2" = "state push" ]; then
  echo >> "$0.written"
  if [ "$(wc -l < "$0.written")" -gt ${String(states)} ]; then echo stopped >&2; exit 1; fi
fi
exec ${terraformProgram} "$@"
`,
  );
  chmodSync(program, 0o755);
  return { CASTELLAN_TERRAFORM: program };
}
