import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/cli.js';
import { type ControlPlane, startControlPlane } from '../support/control-plane.js';
import { createWorkspace, type Workspace } from '../support/terraform.js';

interface Change {
  readonly address: string;
  readonly mode: string;
  readonly change: {
    readonly actions: readonly string[];
    readonly after: unknown;
    readonly after_unknown: unknown;
    readonly replace_paths?: unknown;
  };
}

/** Plans that the official providers made of Terraform that this project didn't write. */
const folder = join(root, 'test/policies/sources/plan/official');
const planNames = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'main.tf')));

const requiredProviders = {
  azapi: { source: 'azure/azapi' },
  fabric: { source: 'microsoft/fabric' },
};

describe('our own providers plan what the official ones plan', () => {
  let controlPlane: ControlPlane;
  let workspace: Workspace;
  beforeAll(async () => (controlPlane = await startControlPlane()));
  afterAll(() => controlPlane.close());
  beforeEach(async () => (workspace = await createWorkspace(controlPlane.env)));
  afterEach(() => workspace.remove());

  it.each(planNames)('for the configuration %s', async (name) => {
    cpSync(join(folder, name), workspace.folder, { recursive: true });
    writeFileSync(
      join(workspace.folder, 'versions.tf.json'),
      JSON.stringify({ terraform: { required_providers: requiredProviders } }),
    );
    // The plan `module` was made with the configuration `count` as its module.
    if (name === 'module')
      cpSync(join(folder, 'count'), join(workspace.folder, 'm'), { recursive: true });
    await workspace.succeed('init');
    await workspace.succeed('plan', '-out=plan.bin');
    const ownPlan = JSON.parse(await workspace.succeed('show', '-json', 'plan.bin')) as {
      resource_changes: Change[];
    };
    const officialPlan = JSON.parse(readFileSync(join(folder, name, 'plan.json'), 'utf8')) as {
      resource_changes: Change[];
    };
    expect(changesByAddress(ownPlan.resource_changes)).toEqual(
      changesByAddress(officialPlan.resource_changes),
    );
  });

  it('a service principal: values that the directory fills in are unknown until it exists', async () => {
    const plan = JSON.parse(readFileSync(join(folder, 'storefront/create.json'), 'utf8')) as {
      resource_changes: Change[];
    };
    const officialChange = plan.resource_changes.find(({ address }) =>
      address.startsWith('azuread_service_principal.'),
    );
    writeFileSync(
      join(workspace.folder, 'main.tf'),
      `resource "azuread_application_registration" "r" {\n  display_name = "x"\n}\n` +
        `resource "azuread_service_principal" "p" {\n  client_id = azuread_application_registration.r.client_id\n}\n`,
    );
    await workspace.succeed('init');
    await workspace.succeed('plan', '-out=plan.bin');
    const ownPlan = JSON.parse(await workspace.succeed('show', '-json', 'plan.bin')) as {
      resource_changes: Change[];
    };
    const ownChange = ownPlan.resource_changes.find(
      ({ address }) => address === 'azuread_service_principal.p',
    );
    expect(ownChange?.change.after_unknown).toEqual(officialChange?.change.after_unknown);
    expect(ownChange?.change.after).toEqual(officialChange?.change.after);
  });
});

function changesByAddress(changes: readonly Change[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    changes
      .filter(({ mode }) => mode === 'managed')
      .map(
        ({
          address,
          change: { actions, after, after_unknown: unknown, replace_paths: replaces },
        }) => [address, { actions, after, unknown, replaces }],
      ),
  );
}
