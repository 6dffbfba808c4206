import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCheck } from '../../../policies/check/run-check.js';
import { textReport } from '../../../policies/reporters/text.js';
import { runCli } from '../../support/run-cli.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-hcl-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const writeInFolder = (file: string, value: unknown): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), typeof value === 'string' ? value : JSON.stringify(value));
};
const creation = (address: string, type: string, after: object) => ({
  address,
  mode: 'managed',
  type,
  name: address.replace(/\[.*$/, '').split('.').at(-1),
  change: { actions: ['create'], before: null, after, after_unknown: {} },
});
const groupCreation = (address: string, after: object = {}) =>
  creation(address, 'azuread_group', {
    display_name: 'Shoppers',
    mail_nickname: 'bad nick',
    security_enabled: true,
    mail_enabled: false,
    types: [],
    ...after,
  });
const writePlan = (...changes: readonly object[]): void =>
  writeInFolder('plan.json', { format_version: '1.2', resource_changes: changes });
const check = (options: object = {}) =>
  runCheck({ paths: [], cwd: folder, env: {}, plan: 'plan.json', source: 'tf', ...options });
const placesOf = async (ruleId: string) =>
  (await check()).findings
    .filter((each) => each.ruleId === ruleId)
    .map(({ location }) =>
      location === undefined
        ? 'no place'
        : `${location.file}:${location.line}:${location.column}-${location.endLine}:${location.endColumn}`,
    );

describe('the lines of a plan in its Terraform files', () => {
  it('are those of the attribute', async () => {
    writeInFolder(
      'tf/groups.tf',
      'resource "azuread_group" "shoppers" {\n  display_name  = "Shoppers"\n  mail_nickname = "bad nick" # é\n}\n',
    );
    writePlan(groupCreation('azuread_group.shoppers'));
    expect(await placesOf('group-mail-nickname')).toEqual(['tf/groups.tf:3:19-3:29']);
    expect(textReport(await check())).toContain('> 3 |   mail_nickname = "bad nick" # é');
  });

  it('are those of the resource where the attribute is not written', async () => {
    writeInFolder('tf/a.tf', 'resource "azuread_group" "other" {}\n');
    writeInFolder('tf/b.tf', '\nresource "azuread_group" "shoppers" {\n  for_each = {}\n}\n');
    writePlan(
      groupCreation('azuread_group.shoppers["a"]'),
      groupCreation('azuread_group.shoppers["b"]'),
    );
    expect(await placesOf('group-mail-nickname')).toEqual(['tf/b.tf:2:1-2:36', 'tf/b.tf:2:1-2:36']);
  });

  it('are found where labels have no quotes', async () => {
    writeInFolder(
      'tf/a.tf',
      'resource azuread_group shoppers {\n  mail_nickname = "bad nick"\n}\nresource azuread_group "plain" {}\n',
    );
    writePlan(groupCreation('azuread_group.shoppers'), groupCreation('azuread_group.plain'));
    expect(await placesOf('group-mail-nickname')).toEqual([
      'tf/a.tf:2:19-2:29',
      'tf/a.tf:4:1-4:31',
    ]);
  });

  it.each(['override.tf', 'a_override.tf'])(
    'are those of the file that decides where %s overrides arguments',
    async (override) => {
      writeInFolder(
        'tf/main.tf',
        'resource "azuread_group" "shoppers" {\n  mail_nickname = "bad nick"\n  owners = ["a"]\n}\n',
      );
      writeInFolder(`tf/${override}`, 'resource "azuread_group" "shoppers" {\n  owners = []\n}\n');
      writePlan(groupCreation('azuread_group.shoppers'));
      expect(await placesOf('group-mail-nickname')).toEqual(['tf/main.tf:2:19-2:29']);
      writeInFolder(
        `tf/${override}`,
        'resource "azuread_group" "shoppers" {\n\n  mail_nickname = "bad nick"\n}\n',
      );
      expect(await placesOf('group-mail-nickname')).toEqual([`tf/${override}:3:19-3:29`]);
      writeInFolder(`tf/main.tf`, 'resource "azuread_group" "shoppers" {}\n');
      writeInFolder(`tf/${override}`, 'resource "azuread_group" "shoppers" {}\n');
      expect(await placesOf('group-mail-nickname')).toEqual(['tf/main.tf:1:1-1:36']);
    },
  );

  it('are found in local modules, and in those that terraform init installed', async () => {
    const text = 'resource "azuread_group" "shoppers" {\n  mail_nickname = var.nick\n}\n';
    writeInFolder('tf/main.tf', 'module "shop" {\n  source = "../modules/shop"\n}\n');
    writeInFolder('modules/shop/main.tf', text);
    writeInFolder('tf/.terraform/modules/net/groups.tf', text);
    writeInFolder('tf/.terraform/modules/modules.json', {
      Modules: [{ Key: 'net', Source: 'registry/x', Dir: '.terraform/modules/net' }],
    });
    writePlan(
      groupCreation('module.shop.azuread_group.shoppers'),
      groupCreation('module.net[0].azuread_group.shoppers', { mail_nickname: 'other nick' }),
    );
    expect((await placesOf('group-mail-nickname')).sort()).toEqual([
      'modules/shop/main.tf:2:19-2:27',
      'tf/.terraform/modules/net/groups.tf:2:19-2:27',
    ]);
  });

  it('are found in blocks, dynamic blocks, objects and jsonencode', async () => {
    writeInFolder(
      'tf/app.tf',
      [
        'resource "azurerm_container_app" "web" {',
        '  template {',
        '    dynamic "container" {',
        '      for_each = [1]',
        '      content {',
        '        cpu = 3',
        '        memory = "1Gi"',
        '      }',
        '    }',
        '  }',
        '}',
        'resource "azapi_resource" "auth" {',
        '  body = jsonencode({',
        '    properties = { globalValidation = { unauthenticatedClientAction = "Allow" } }',
        '  })',
        '}',
      ].join('\n'),
    );
    writePlan(
      creation('azurerm_container_app.web', 'azurerm_container_app', {
        name: 'web',
        template: [{ container: [{ name: 'web', image: 'a.io/web:1', cpu: 3, memory: '1Gi' }] }],
      }),
      creation('azapi_resource.auth', 'azapi_resource', {
        type: 'Microsoft.App/containerApps/authConfigs@2025-01-01',
        body: { properties: { globalValidation: { unauthenticatedClientAction: 'Allow' } } },
      }),
    );
    expect(await placesOf('app-cpu-memory')).toEqual(['tf/app.tf:7:18-7:23']);
    expect((await check()).findings.map(({ location }) => location?.line)).toContain(14);
  });

  it('are those of the block that has the name, of several of a type', async () => {
    writeInFolder(
      'tf/a.tf',
      `resource "azurerm_container_app" "shop" {
  template {
    container {
      name  = "web"
      image = "nginx:1"
      env {
        name  = "MODE"
        value = "fast"
      }
      env {
        name  = "DB_PASSWORD"
        value = "hunter2-hunter2"
      }
    }
    container {
      name  = "second"
      image = "nginx:latest"
      env {
        name        = "X"
        secret_name = "nope"
      }
    }
  }
}
`,
    );
    const env = (name: string, more: object) => ({ name, ...more });
    const container = (name: string, image: string, ...variables: readonly object[]) => ({
      name,
      image,
      cpu: 0.5,
      memory: '1Gi',
      env: variables,
    });
    writePlan(
      creation('azurerm_container_app.shop', 'azurerm_container_app', {
        name: 'shop',
        revision_mode: 'Single',
        template: [
          {
            container: [
              container(
                'web',
                'nginx:1',
                env('MODE', { value: 'fast' }),
                env('DB_PASSWORD', { value: 'hunter2-hunter2' }),
              ),
              container('second', 'nginx:latest', env('X', { secret_name: 'nope' })),
            ],
          },
        ],
      }),
    );
    expect(await placesOf('app-secret-in-env')).toEqual(['tf/a.tf:10:7-10:10']);
    expect(await placesOf('app-image-pinned')).toEqual(['tf/a.tf:17:15-17:29']);
    expect(await placesOf('app-secret-references')).toEqual(['tf/a.tf:18:7-18:10']);
  });

  it('are missing for a resource that no file declares, which a note says', async () => {
    writeInFolder('tf/a.tf', 'resource "azuread_group" "other" {}\n');
    writePlan(groupCreation('azuread_group.shoppers'));
    expect(await placesOf('group-mail-nickname')).toEqual(['no place']);
    expect((await check()).notes).toEqual([
      expect.stringContaining('tf does not declare their resources'),
    ]);
  });

  it('are found in the .tofu files of OpenTofu, which replace .tf files of the same name', async () => {
    const text = 'resource "azuread_group" "shoppers" {\n  mail_nickname = "bad nick"\n}\n';
    writeInFolder('tf/groups.tofu', `\n${text}`);
    writePlan(groupCreation('azuread_group.shoppers'));
    expect(await placesOf('group-mail-nickname')).toEqual(['tf/groups.tofu:3:19-3:29']);
    writeInFolder('tf/groups.tf', text);
    expect(await placesOf('group-mail-nickname')).toEqual(['tf/groups.tofu:3:19-3:29']);
    writeInFolder('tf/groups.tofu', '');
    expect(await placesOf('group-mail-nickname')).toEqual(['no place']);
  });

  it.each([
    ['registry.terraform.io/hashicorp/azuread', 'tf/groups.tf:2:19-2:29'],
    ['registry.opentofu.org/hashicorp/azuread', 'tf/groups.tofu:3:19-3:29'],
  ])('are those of the files that the program of the plan reads: %s', async (provider, place) => {
    const text = 'resource "azuread_group" "shoppers" {\n  mail_nickname = "bad nick"\n}\n';
    writeInFolder('tf/groups.tofu', `\n${text}`);
    writeInFolder('tf/groups.tf', text);
    writePlan({ ...groupCreation('azuread_group.shoppers'), provider_name: provider });
    expect(await placesOf('group-mail-nickname')).toEqual([place]);
  });

  it('are found beside files that are not valid HCL', async () => {
    writeInFolder('tf/a.tf', '}}} resource {{ "azuread_group"\n');
    writeInFolder(
      'tf/b.tf',
      'resource "azuread_group" "shoppers" {\n  mail_nickname = "bad nick"\n}\n',
    );
    writePlan(groupCreation('azuread_group.shoppers'));
    expect(await placesOf('group-mail-nickname')).toEqual(['tf/b.tf:2:19-2:29']);
  });

  it('are not searched for in a folder without .tf files, which is refused', async () => {
    writePlan(groupCreation('azuread_group.shoppers'));
    await expect(check({ source: 'nowhere' })).rejects.toThrow(
      /nowhere is no folder of \.tf or \.tofu files/,
    );
  });
});

describe('resources that no rule judges', () => {
  const bucket = creation('aws_s3_bucket.logs', 'aws_s3_bucket', { acl: 'public-read' });

  it('are counted', async () => {
    writePlan(bucket, groupCreation('azuread_group.shoppers'));
    const report = await check({ source: undefined });
    expect(report.unjudged).toBe(1);
    expect(textReport(report)).toContain('1 resource that no rule judges');
  });

  it('have no note about a manifest, since castellan did not make their plan', async () => {
    writePlan(bucket, groupCreation('azuread_group.shoppers'));
    expect((await check({ source: undefined })).notes).toEqual([]);
  });
});

describe('castellan check of a plan that castellan did not make', () => {
  const run = (...args: string[]) =>
    runCli(['check', '--plan', 'plan.json', ...args], { cwd: folder });

  it('says how many resources no rule judges, and fails for them where rules are required', async () => {
    writePlan(creation('aws_s3_bucket.logs', 'aws_s3_bucket', { acl: 'public-read' }));
    const plain = await run('--json');
    expect(plain.exitCode).toBe(0);
    expect(JSON.parse(plain.stdout)).toMatchObject({ unjudged: 1, policy: 'none' });
    const required = await run('--require-rules');
    expect(required).toMatchObject({
      exitCode: 1,
      stderr: 'castellan: no rule judges aws_s3_bucket\n',
    });
  });

  it('refuses --source without a plan', async () => {
    const { exitCode, stderr } = await runCli(['check', '--source', 'tf'], { cwd: folder });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--source is the folder from which a plan or state was made');
  });
});
