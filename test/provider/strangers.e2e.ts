import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCheck } from '../../policies/check/run-check.js';
import { type ControlPlane, startControlPlane } from './support/control-plane.js';
import { createWorkspace, type Workspace } from './support/terraform.js';

/**
 * Stacks as platform teams write them, that know nothing of Castellan: checked as plans and states,
 * applied, and destroyed.
 */
const stacks = join(__dirname, 'strangers');
const person = (index: number, name: string): object => ({
  id: `e0000000-0000-4000-8000-00000000000${index}`,
  displayName: name,
  mailNickname: name,
  userPrincipalName: `${name}@contoso.example`,
});
const seed = {
  users: ['grace', 'linus', 'ada'].map((name, index) => person(index + 1, name)),
  capacities: [
    {
      id: 'c0000000-0000-4000-8000-000000000001',
      displayName: 'Shared',
      sku: 'F64',
      region: 'North Europe',
      state: 'Active',
    },
  ],
};

let controlPlane: ControlPlane;
let workspace: Workspace;
const folder = mkdtempSync(join(tmpdir(), 'cas-strangers-'));
beforeAll(async () => {
  writeFileSync(join(folder, 'seed.json'), JSON.stringify(seed));
  controlPlane = await startControlPlane({ seed: join(folder, 'seed.json') });
});
afterAll(async () => {
  await controlPlane.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => (workspace = await createWorkspace(controlPlane.env)));
afterEach(() => workspace.remove());

/** Puts a stack in the place of the one before, whose state stays. */
async function useStack(stack: string): Promise<void> {
  for (const file of readdirSync(workspace.folder))
    if (/\.tf$/.test(file)) rmSync(join(workspace.folder, file));
  cpSync(join(stacks, stack), workspace.folder, { recursive: true });
  await workspace.succeed('init');
}

/**
 * What is found in the plan that terraform makes, and in the state: `verdict rule address message`.
 */
async function findingsIn(
  source: 'plan' | 'state',
  ...args: readonly string[]
): Promise<readonly string[]> {
  if (source === 'plan') await workspace.succeed('plan', '-out=plan.bin', ...args);
  const json = await workspace.succeed('show', '-json', ...(source === 'plan' ? ['plan.bin'] : []));
  writeFileSync(join(workspace.folder, `${source}.json`), json);
  const { findings } = await runCheck({
    paths: [],
    [source]: `${source}.json`,
    cwd: workspace.folder,
    env: {},
  });
  return findings.map(
    ({ verdict, ruleId, terraformAddress, message }) =>
      `${verdict} ${ruleId} ${terraformAddress ?? ''} ${message}`,
  );
}

/**
 * Checks a stack, applies it, expects a plan without changes, checks its state, and destroys it.
 *
 * @param openPlaces what can't be judged before there is a registry or a domain: `rule address
 *   property`. Nothing else is found.
 */
async function checkApplyAndDestroy(
  stack: string,
  openPlaces: readonly string[] = [],
): Promise<Readonly<Record<string, unknown>>> {
  await useStack(stack);
  const unknownFindings = openPlaces.map(
    (each) => `unknown ${each} can't be judged: it is known only after apply`,
  );
  expect([...(await findingsIn('plan'))].sort()).toEqual([...unknownFindings].sort());
  await workspace.succeed('apply', 'plan.bin');
  expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
  expect(await findingsIn('state')).toEqual([]);
  const outputs = await workspace.outputs();
  expect(await workspace.succeed('destroy', '-auto-approve')).toContain('Destroy complete');
  return outputs;
}

it('checks and applies an app with registry, key vault, storage and network', async () => {
  const app = 'azurerm_container_app.shop';
  const { registry, address } = await checkApplyAndDestroy('storefront', [
    `property-value ${app} registries.0.server`,
    `app-registry ${app} registries.0.server`,
    `app-image-pinned ${app} image`,
    'environment-network azurerm_container_app_environment.main subnet',
    'property-value azuread_application.shop redirect_uris',
    'registration-redirect-uris azuread_application.shop redirect_uris',
    'property-value azapi_resource.sign_in properties.identityProviders.azureActiveDirectory.validation.allowedAudiences',
  ]);
  expect([registry, address]).toEqual([
    'crshopdev.azurecr.io',
    expect.stringMatching(/^https:\/\/shop--/),
  ]);
});

it('checks and applies groups by for_each from a map', async () => {
  // Terraform shows null that a variable gives as known only after apply: it is left to the
  // provider
  const { groups, roles } = await checkApplyAndDestroy('teams');
  expect(Object.keys(groups as object)).toEqual(['catalogue', 'on-call', 'storefront']);
  expect(roles).toEqual(['role-on-call-read', 'role-storefront-deploy', 'role-storefront-read']);
});

it('checks and applies modules three deep, repeated by count and for_each', async () => {
  const { apps } = await checkApplyAndDestroy('modules');
  expect(Object.keys(apps as object)).toEqual(['northeurope', 'westeurope']);
});

it('checks and applies all four official providers in one stack', async () => {
  expect(await checkApplyAndDestroy('mixed')).toEqual({
    databases: { office: 'office', plant: 'plant' },
  });
});

it('checks and applies a refactoring by moved, removed and import', async () => {
  await useStack('refactoring/before');
  await workspace.succeed('apply', '-auto-approve');
  const state = await workspace.state();
  const variable = `-var=storage_id=${String(state['azapi_resource.storage']?.['id'])}`;
  rmSync(join(workspace.folder, 'main.tf'));
  await useStack('refactoring/after');
  expect(await findingsIn('plan', variable)).toEqual([]);
  expect(await workspace.succeed('apply', 'plan.bin')).toContain(
    '1 imported, 0 added, 1 changed, 0 destroyed',
  );
  expect(await workspace.succeed('plan', '-detailed-exitcode', variable)).toContain('No changes');
  expect(await findingsIn('state')).toEqual([]);
  await workspace.succeed('destroy', '-auto-approve', variable);
  const remainingGroups: string[] = [];
  for await (const { displayName } of controlPlane.directory.groups.list({
    filter: "startswith(displayName,'Legacy')",
  }))
    remainingGroups.push(displayName);
  expect(remainingGroups).toEqual(['Legacy admins']);
});
