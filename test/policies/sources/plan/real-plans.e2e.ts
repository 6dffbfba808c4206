import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCheck } from '../../../../policies/check/run-check.js';
import {
  callerId,
  type ControlPlane,
  requiredProviders,
  startControlPlane,
  subscriptionId,
} from '../../../provider/support/control-plane.js';
import { createWorkspace, type Workspace } from '../../../provider/support/terraform.js';

let controlPlane: ControlPlane;
let workspace: Workspace;
let seedFolder: string;
beforeAll(async () => {
  seedFolder = await mkdtemp(join(tmpdir(), 'cas-seed-'));
  const seed = join(seedFolder, 'seed.yaml');
  await writeFile(
    seed,
    `users:\n  - { id: ${callerId}, userPrincipalName: c@contoso.example, displayName: C, mailNickname: c }\n`,
  );
  controlPlane = await startControlPlane({ seed });
});
afterAll(async () => {
  await controlPlane.close();
  await rm(seedFolder, { recursive: true, force: true });
});
/** Longer than the directory accepts; the provider does not check the length. */
const tooLongNickname = 'n'.repeat(65);
beforeEach(async () => (workspace = await createWorkspace(controlPlane.env)));
afterEach(async () => workspace.remove());

const providers = `terraform {\n  required_providers {\n${Object.entries(requiredProviders)
  .map(([name, { source }]) => `    ${name} = { source = "${source}" }\n`)
  .join('')}  }\n}\n`;

/**
 * Writes the files of a root module and of those below it, each with the sources of the providers.
 */
async function write(files: Readonly<Record<string, string>>): Promise<void> {
  const allFiles = { 'main.tf': '', ...files };
  for (const [name, text] of Object.entries(allFiles)) {
    const file = join(workspace.folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(
      file,
      name.endsWith('main.tf')
        ? `${providers}${name === 'main.tf' ? 'provider "azurerm" {\n  features {}\n}\n' : ''}${text}`
        : text,
    );
  }
  await workspace.succeed('init');
}

/** What a check says of the plan that terraform makes of the files, one line for each finding. */
async function checkPlan(...args: readonly string[]): Promise<readonly string[]> {
  await workspace.succeed('plan', '-out=plan.bin', ...args);
  await writeFile(
    join(workspace.folder, 'plan.json'),
    await workspace.succeed('show', '-json', 'plan.bin'),
  );
  const { findings } = await runCheck({
    paths: [],
    plan: 'plan.json',
    cwd: workspace.folder,
    env: {},
  });
  return findings
    .map(({ verdict, ruleId, terraformAddress, path = [] }) =>
      `${verdict} ${ruleId} ${terraformAddress ?? ''} ${path.slice(2).join('.')}`.trim(),
    )
    .sort();
}

const apply = (): Promise<string> => workspace.succeed('apply', '-auto-approve');
const group = (name: string, moreAttributes = ''): string =>
  `resource "azuread_group" "${name}" {\n  display_name = "${name}"\n  security_enabled = true\n  ${moreAttributes}\n}\n`;

/** An app that everyone can reach over HTTP, without its sign-in. */
const app = `
variable "name" { type = string }
resource "azurerm_container_app" "app" {
  name = var.name
  container_app_environment_id = "/subscriptions/${subscriptionId}/resourceGroups/rg/providers/Microsoft.App/managedEnvironments/env"
  resource_group_name = "rg"
  revision_mode = "Single"
  ingress {
    external_enabled = true
    allow_insecure_connections = true
    target_port = 80
    traffic_weight {
      latest_revision = true
      percentage = 100
    }
  }
  template {
    container {
      name = "c"
      image = "ghcr.io/c/web:1.0"
      cpu = 0.25
      memory = "0.5Gi"
    }
  }
}
output "id" { value = azurerm_container_app.app.id }
`;
const signIn = `
variable "app_id" { type = string }
resource "azapi_resource" "sign_in" {
  type = "Microsoft.App/containerApps/authConfigs@2025-07-01"
  name = "current"
  parent_id = var.app_id
  body = {
    properties = {
      platform = { enabled = true }
      identityProviders = { gitHub = { registration = { clientId = "a" } } }
    }
  }
}
`;
const insecure = (address: string) => `fail auth-allow-insecure ${address} ingress.allowInsecure`;
/** The sign-in settings let in anyone who has an account at the code host. */
const openProvider = (address: string) =>
  `fail auth-open-provider ${address} auth.providers.codehost`;

describe('a plan by the real terraform', () => {
  it('has no findings for data sources without arguments, in the root and in a module', async () => {
    const dataSources =
      'data "azuread_client_config" "current" {}\ndata "azurerm_client_config" "me" {}\n';
    await write({
      'main.tf': `${dataSources}module "m" {\n  source = "./m"\n}\n${group('g')}`,
      'm/main.tf': `${dataSources}${group('g')}`,
    });
    expect(await checkPlan()).toEqual([]);
  });

  it('has findings for the mistakes of groups by count and for_each, and leaves no known value undecided', async () => {
    const forEach = `for_each = { a = "good", b = "${tooLongNickname}" }\n  mail_nickname = each.value`;
    await write({ 'main.tf': `${group('many', 'count = 2')}${group('each', forEach)}` });
    expect(await checkPlan()).toEqual([
      'fail group-mail-nickname azuread_group.each["b"] mailNickname',
    ]);
  });

  it('judges a sign-in setting with the app that it refers to, in repeated modules three deep', async () => {
    await write({
      'main.tf':
        'module "shops" {\n  source = "./shop"\n  for_each = toset(["x", "y"])\n  name = "shop-${each.key}"\n}\n',
      'shop/main.tf': `variable "name" { type = string }
module "app" {
  source = "./app"
  name = var.name
}
module "sign_in" {
  source = "./sign-in"
  count = 1
  app_id = module.app.id
}
`,
      'shop/app/main.tf':
        'variable "name" { type = string }\nmodule "inner" {\n  source = "./inner"\n  name = var.name\n}\noutput "id" { value = module.inner.id }\n',
      'shop/app/inner/main.tf': app,
      'shop/sign-in/main.tf': signIn,
    });
    expect(await checkPlan()).toEqual([
      ...['x', 'y'].map((key) =>
        insecure(`module.shops["${key}"].module.app.module.inner.azurerm_container_app.app`),
      ),
      ...['x', 'y'].map((key) =>
        openProvider(`module.shops["${key}"].module.sign_in[0].azapi_resource.sign_in`),
      ),
    ]);
  });

  it('reports sign-in settings whose app is unknown as unknown', async () => {
    await write({
      'main.tf': `locals {\n  app = module.app.id\n}\nmodule "app" {\n  source = "./app"\n  name = "web"\n}\nmodule "sign_in" {\n  source = "./sign-in"\n  app_id = local.app\n}\n`,
      'app/main.tf': app,
      'sign-in/main.tf': signIn,
    });
    expect(await checkPlan()).toEqual([
      openProvider('module.sign_in.azapi_resource.sign_in'),
      'unknown auth-public-app module.app.azurerm_container_app.app ingress.external',
      'unknown auth-public-app module.sign_in.azapi_resource.sign_in auth',
    ]);
  });

  it('has findings for imported resources, and none for moved and forgotten ones', async () => {
    await write({ 'main.tf': `${group('old')}${group('kept')}` });
    await apply();
    const { id } = (await workspace.state())['azuread_group.kept'] ?? {};
    const blocks = `moved {\n  from = azuread_group.old\n  to = azuread_group.new\n}\nremoved {\n  from = azuread_group.kept\n  lifecycle {\n    destroy = false\n  }\n}\n`;
    await write({ 'main.tf': `${group('new').replace('"new"\n  sec', '"old"\n  sec')}${blocks}` });
    expect(await checkPlan()).toEqual([]);
    await apply();
    const imports = `import {\n  to = azuread_group.again\n  id = "${String(id)}"\n}\n`;
    await write({
      'main.tf': `${group('new')}${group('again', `mail_nickname = "${tooLongNickname}"`)}${imports}`,
    });
    const report = await checkPlan();
    expect(report).toContain('fail group-mail-nickname azuread_group.again mailNickname');
  });

  it('reports deletions and replacements, each with its reason', async () => {
    await write({
      'main.tf': `${group('gone')}${group('fewer', 'count = 2')}${group('tainted')}${group('asked')}`,
    });
    await apply();
    await workspace.succeed('taint', 'azuread_group.tainted');
    await write({
      'main.tf': `${group('fewer', 'count = 1')}${group('tainted')}${group('asked')}`,
    });
    await workspace.succeed('plan', '-out=plan.bin', '-replace=azuread_group.asked');
    await writeFile(
      join(workspace.folder, 'plan.json'),
      await workspace.succeed('show', '-json', 'plan.bin'),
    );
    const { findings } = await runCheck({
      paths: [],
      plan: 'plan.json',
      cwd: workspace.folder,
      env: {},
    });
    expect(
      findings
        .map(({ message }) => message.replace('every access granted to the group is lost', '…'))
        .sort(),
    ).toEqual([
      'the plan deletes azuread_group.fewer[1]: …, because count is smaller',
      'the plan deletes azuread_group.gone: …, because the configuration no longer has it',
      'the plan replaces azuread_group.asked: …, because terraform plan was asked to (-replace)',
      'the plan replaces azuread_group.tainted: …, because it is marked as tainted',
    ]);
  });

  it('reports the deletion of a deposed object', async () => {
    await write({ 'main.tf': group('g') });
    await apply();
    const file = join(workspace.folder, 'terraform.tfstate');
    const state = JSON.parse(await readFile(file, 'utf8')) as {
      resources: { instances: object[] }[];
      serial: number;
    };
    const instances = state.resources[0]?.instances ?? [];
    instances.push({ ...instances[0], deposed: '00000001' });
    await writeFile(file, JSON.stringify({ ...state, serial: state.serial + 1 }));
    expect(await checkPlan()).toEqual(['fail plan-loses-data azuread_group.g']);
  });

  it('is checked as -target, -refresh-only and -destroy plan it', async () => {
    await write({
      'main.tf': `${group('a', `mail_nickname = "${tooLongNickname}"`)}${group('b', `mail_nickname = "${tooLongNickname}"`)}`,
    });
    expect(await checkPlan('-target=azuread_group.a')).toEqual([
      'fail group-mail-nickname azuread_group.a mailNickname',
    ]);
    await write({ 'main.tf': group('a') });
    await apply();
    expect(await checkPlan('-refresh-only')).toEqual([]);
    expect(await checkPlan('-destroy')).toEqual(['fail plan-loses-data azuread_group.a']);
  });

  it('has no findings for checks, ephemeral values and outputs', async () => {
    await write({
      'main.tf': `variable "secret" {\n  type = string\n  ephemeral = true\n  default = "x"\n}
check "there" {
  data "azuread_client_config" "current" {}
  assert {
    condition = data.azuread_client_config.current.tenant_id == "other"
    error_message = "It is another tenant."
  }
}
${group('g')}
module "m" {
  source = "./m"
  secret = var.secret
}
output "of_module" { value = module.m.name }
`,
      'm/main.tf': `variable "secret" {\n  type = string\n  ephemeral = true\n}\noutput "name" { value = "m" }\noutput "secret" {\n  value = var.secret\n  ephemeral = true\n}\n${group('in_module')}`,
    });
    expect(await checkPlan()).toEqual([]);
  });
});
