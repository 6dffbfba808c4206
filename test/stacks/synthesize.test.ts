import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CastellanStack } from '../../constructs/index.js';
import { loadConfig, type LoadedStack } from '../../policies/index.js';
import { buildStack } from '../../stacks/synthesize.js';
import { resolveEnvironment, synthesize } from '../../stacks/index.js';
import { root } from '../support/cli.js';
import { config, synthesizedConfig } from './support.js';

const env = {
  ARM_TENANT_ID: '11111111-2222-4333-8444-555555555555',
  ARM_SUBSCRIPTION_ID: '99999999-2222-4333-8444-555555555555',
};

async function storefront(outdir: string): Promise<string> {
  const { stacks } = await loadConfig({ paths: ['examples/storefront'], cwd: root });
  const [stack] = synthesize({ stacks, outdir, env, cwd: root });
  return readFileSync(stack?.file ?? '', 'utf8');
}

describe('synthesize', () => {
  it('writes stacks/<name>/cdk.tf.json, the template and the manifest', async () => {
    const outdir = mkdtempSync(join(tmpdir(), 'castellan-out-'));
    await storefront(outdir);
    expect(readdirSync(outdir).sort()).toEqual(['manifest.json', 'stacks']);
    expect(readdirSync(join(outdir, 'stacks/storefront')).sort()).toEqual([
      'castellan.manifest.json',
      'cdk.tf.json',
      'definition.tmpl',
    ]);
    expect(readFileSync(join(outdir, 'stacks/storefront/definition.tmpl'), 'utf8')).toBe(
      '{{ .Definition }}',
    );
  });

  it('writes the same bytes every time and everywhere', async () => {
    const firstText = await storefront(mkdtempSync(join(tmpdir(), 'castellan-one-')));
    const secondText = await storefront(mkdtempSync(join(tmpdir(), 'castellan-other-')));
    expect(secondText).toBe(firstText);
    expect(firstText).not.toContain(root);
    expect(firstText).not.toContain(tmpdir());
  });

  it('writes the same bytes as cdktf without our optimizations', async () => {
    const { stacks } = await loadConfig({ paths: ['examples/storefront'], cwd: root });
    const outdir = mkdtempSync(join(tmpdir(), 'castellan-plain-'));
    const app = new App({ outdir });
    const declared = resolveEnvironment((stacks[0] as LoadedStack).config, env);
    buildStack(new CastellanStack(app, 'storefront', { azure: declared.azure ?? {} }), {
      config: declared,
    });
    app.synth();
    const plain = readFileSync(join(outdir, 'stacks/storefront/cdk.tf.json'), 'utf8');
    expect(await storefront(mkdtempSync(join(tmpdir(), 'castellan-short-')))).toBe(plain);
  });

  it('restores the stack traces of errors, also after a failure', () => {
    const before = Error.captureStackTrace;
    expect(() =>
      synthesizedConfig(config({ eventhouses: { h: { workspace: 'nowhere', displayName: 'h' } } })),
    ).toThrow();
    expect(Error.captureStackTrace).toBe(before);
  });

  it('overwrites existing files', async () => {
    const outdir = mkdtempSync(join(tmpdir(), 'castellan-again-'));
    expect(await storefront(outdir)).toBe(await storefront(outdir));
  });

  it('names every resource as it is declared', async () => {
    const json = JSON.parse(await storefront(mkdtempSync(join(tmpdir(), 'castellan-names-')))) as {
      resource: Record<string, object>;
    };
    const addresses = Object.entries(json.resource).flatMap(([type, each]) =>
      Object.keys(each).map((name) => `${type}.${name}`),
    );
    expect(addresses.sort()).toEqual([
      'azapi_resource.storefront',
      'azuread_application_password.storefront-login',
      'azuread_application_redirect_uris.storefront-login',
      'azuread_application_registration.storefront-login',
      'azuread_group.shoppers',
      'azuread_group.storefront-admins',
      'azuread_service_principal.storefront-login',
      'azurerm_container_app.storefront',
      'azurerm_container_app_environment.storefront',
      'azurerm_resource_group.storefront',
      'fabric_eventhouse.clickstore',
      'fabric_eventstream.clicks',
      'fabric_workspace.telemetry',
    ]);
  });

  it('passes secrets as sensitive variables and lists them', async () => {
    const outdir = mkdtempSync(join(tmpdir(), 'castellan-secrets-'));
    const { stacks } = await loadConfig({ paths: ['examples/storefront'], cwd: root });
    const [stack] = synthesize({
      stacks,
      outdir,
      env: { ...env, CODEHOST_SECRET: 'hunter2' },
      cwd: root,
    });
    const text = readFileSync(stack?.file ?? '', 'utf8');
    expect(stack?.variables).toEqual([
      { name: 'CODEHOST_SECRET', terraformName: 'TF_VAR_CODEHOST_SECRET' },
    ]);
    expect(text).not.toContain('hunter2');
    expect((JSON.parse(text) as { variable: object }).variable).toEqual({
      CODEHOST_SECRET: {
        type: 'string',
        sensitive: true,
        description: 'Fed by the environment variable TF_VAR_CODEHOST_SECRET.',
      },
    });
  });

  it('requires no secret in the sandbox, where it uses an invalid placeholder', () => {
    const secrets = { secrets: { key: '${env:KEY}' } } as const;
    const declared = config({ containerApps: { web: { image: 'nginx:1', ...secrets } } });
    expect(synthesizedConfig(declared).json.variable['KEY']).not.toHaveProperty('default');
    expect(synthesizedConfig(declared, { target: 'sandbox' }).json.variable['KEY']).toMatchObject({
      sensitive: true,
      default: expect.any(String) as string,
    });
  });

  it('allows an app, a group and a registration of the same name', () => {
    const { json } = synthesizedConfig(
      config({
        containerApps: { web: { image: 'nginx:1' } },
        groups: { web: { kind: 'security', displayName: 'Web' } },
        registrations: { web: { displayName: 'Web' } },
      }),
    );
    expect(json.resource['azurerm_container_app']).toHaveProperty('web');
    expect(json.resource['azuread_group']).toHaveProperty('web');
    expect(json.resource['azuread_application_registration']).toHaveProperty('web');
  });

  it('takes references in any order, ids of what exists, and groups as members of groups', () => {
    const id = '6f1d2c3b-1111-4222-8333-444455556666';
    const { json } = synthesizedConfig(
      config({
        groups: {
          all: { kind: 'security', displayName: 'All', members: ['some', id] },
          some: { kind: 'security', displayName: 'Some' },
        },
        eventhouses: { house: { workspace: id, displayName: 'house' } },
      }),
    );
    expect(json.resource['azuread_group']?.['all']?.['members']).toEqual([
      '${azuread_group.some.object_id}',
      id,
    ]);
    expect(json.resource['fabric_eventhouse']?.['house']?.['workspace_id']).toBe(id);
  });

  it('looks up only principals that something refers to', () => {
    const { json } = synthesizedConfig(
      config({
        principals: {
          ada: { user: 'ada@contoso.example' },
          idle: { user: 'idle@contoso.example' },
        },
        groups: { g: { kind: 'security', displayName: 'G', owners: ['ada'] } },
      }),
    );
    expect(json.data['azuread_user']).toEqual({
      ada: { user_principal_name: 'ada@contoso.example' },
    });
  });

  it('includes the unified groups that do not opt out in a lifecycle policy of Selected', () => {
    const { json } = synthesizedConfig(
      config({
        groupLifecyclePolicy: { groupLifetimeInDays: 180, managedGroupTypes: 'Selected' },
        groups: {
          kept: { kind: 'unified', displayName: 'Kept', expirationPolicy: { renewable: false } },
          expiring: { kind: 'unified', displayName: 'Expiring' },
          staff: { kind: 'security', displayName: 'Staff' },
        },
      }),
    );
    expect(Object.values(json.resource['castellan_group_lifecycle_policy'] ?? {})).toEqual([
      {
        group_lifetime_in_days: 180,
        managed_group_types: 'Selected',
        group_object_ids: ['${azuread_group.expiring.object_id}'],
      },
    ]);
  });

  it.each([
    [
      {
        groups: { g: { kind: 'security', displayName: 'G', owners: ['adaa'] } },
        principals: { ada: { user: 'a@b' } },
      },
      /groups\.g refers to "adaa", which no principals declare; did you mean ada\?/,
    ],
    [
      {
        eventhouses: { h: { workspace: 'telemetri', displayName: 'h' } },
        workspaces: { telemetry: { displayName: 'T' } },
      },
      /did you mean telemetry\?/,
    ],
    [
      {
        groups: {
          a: { kind: 'security', displayName: 'A', members: ['b'] },
          b: { kind: 'security', displayName: 'B', members: ['c'] },
          c: { kind: 'security', displayName: 'C', members: ['b'] },
        },
      },
      /depend on each other: groups\.b -> groups\.c -> groups\.b/,
    ],
  ] as const)('refuses references that lead nowhere or in a circle (%#)', (declared, message) => {
    expect(() => synthesizedConfig(config(declared as never))).toThrow(message);
  });
});

it('lets groups accept or reject what their members and those of each other send', () => {
  const group = (displayName: string, senders: object) => ({
    kind: 'unified',
    displayName,
    ...senders,
  });
  const groups = {
    a: group('A', { acceptedSenders: ['a', 'b'] }),
    b: group('B', { rejectedSenders: ['a'] }),
  };
  const { resource } = synthesizedConfig(config({ groups } as never)).json;
  expect(resource['castellan_group_properties']).toMatchObject({
    a: { accepted_senders: ['${azuread_group.a.object_id}', '${azuread_group.b.object_id}'] },
    b: { rejected_senders: ['${azuread_group.a.object_id}'] },
  });
});

describe('the state', () => {
  it('is beside the output folder by default, or where the configuration or the caller says', () => {
    const path = (declared = {}, options = {}) =>
      (
        synthesizedConfig(config(declared), { cwd: '/', ...options }).json.terraform['backend'] as {
          local: { path: string };
        }
      ).local.path;
    expect(path()).toBe('../../../terraform.shop.tfstate');
    expect(path({ backend: { local: { path: '/state/shop.tfstate' } } })).toMatch(
      /\/state\/shop\.tfstate$/,
    );
    expect(path({}, { stateDirectory: '/kept' })).toMatch(
      /(\.\.\/)+kept\/terraform\.shop\.tfstate$/,
    );
  });

  it('of the sandbox is never the file of the cloud', () => {
    const { json } = synthesizedConfig(config({}), { cwd: '/', target: 'sandbox' });
    expect(json.terraform['backend']).toEqual({
      local: { path: '../../../terraform.shop.sandbox.tfstate' },
    });
  });

  it('may be kept in a storage account or by a remote service', () => {
    const backend = (each: object) =>
      synthesizedConfig(config({ backend: each })).json.terraform['backend'];
    expect(
      backend({ azurerm: { storageAccountName: 'state', containerName: 'tf-state', key: 'shop' } }),
    ).toEqual({
      azurerm: {
        storage_account_name: 'state',
        container_name: 'tf-state',
        key: 'shop',
        use_azuread_auth: true,
      },
    });
    expect(backend({ remote: { organization: 'contoso', workspaces: { name: 'shop' } } })).toEqual({
      remote: { organization: 'contoso', workspaces: { name: 'shop' } },
    });
    expect(
      backend({
        remote: {
          hostname: 'tf.contoso.example',
          organization: 'contoso',
          workspaces: { prefix: 'shop-' },
        },
      }),
    ).toEqual({
      remote: {
        hostname: 'tf.contoso.example',
        organization: 'contoso',
        workspaces: { prefix: 'shop-' },
      },
    });
  });
});

describe('several stacks', () => {
  it('come in the order of their dependencies, also for cdktf', () => {
    const { stacks, manifest } = synthesizedConfig([
      { version: 1, stack: 'app', dependsOn: ['base'], workspaces: { w: { displayName: 'W' } } },
      { version: 1, stack: 'base', workspaces: { w: { displayName: 'W' } } },
    ]);
    expect(stacks.map(({ name }) => name)).toEqual(['base', 'app']);
    expect(
      (JSON.parse(manifest) as { stacks: Record<string, { dependencies: string[] }> }).stacks['app']
        ?.dependencies,
    ).toEqual(['base']);
  });

  it('refuses two of one name', () => {
    expect(() => synthesizedConfig([config(), config()])).toThrow(/two stacks are named shop/);
  });
});
