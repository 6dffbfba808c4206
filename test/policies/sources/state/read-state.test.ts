import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCheck } from '../../../../policies/check/run-check.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-state-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const resource = (type: string, name: string, values: object, prefix = '') => ({
  address: `${prefix}${type}.${name}`,
  mode: 'managed',
  type,
  name,
  values,
});
const clicks = (units: number, prefix = '') =>
  resource(
    'fabric_eventhouse',
    'clicks',
    {
      id: '99999999-2222-4333-8444-555555555555',
      workspace_id: '11111111-2222-4333-8444-555555555555',
      display_name: 'clicks',
      description: '',
      configuration: { minimum_consumption_units: units },
    },
    prefix,
  );
const group = (values: object) =>
  resource('azuread_group', 'shoppers', {
    id: '/groups/22222222-2222-4333-8444-555555555555',
    display_name: 'Shoppers',
    description: '',
    mail_nickname: 'shoppers',
    mail_enabled: false,
    security_enabled: true,
    types: [],
    behaviors: [],
    owners: [],
    members: [],
    dynamic_membership: [],
    visibility: '',
    theme: '',
    ...values,
  });
const check = async (state: unknown, yaml?: string) => {
  if (yaml !== undefined) writeFileSync(join(folder, 'castellan.yaml'), yaml);
  writeFileSync(
    join(folder, 'state.json'),
    typeof state === 'string' ? state : JSON.stringify(state),
  );
  return runCheck({
    paths: yaml === undefined ? [] : ['castellan.yaml'],
    state: 'state.json',
    cwd: folder,
    env: {},
  });
};
const stateOf = (...resources: object[]) => ({
  format_version: '1.0',
  values: { root_module: { resources } },
});

describe('checking a state', () => {
  it('adds the address, the live id, and the source location to findings', async () => {
    const yaml =
      'version: 1\nstack: shop\nworkspaces: { t: { displayName: T } }\neventhouses:\n  clicks: { workspace: t, displayName: clicks, minimumConsumptionUnits: 18 }\n';
    const { findings, resourceCount: planned } = await check(stateOf(clicks(50.5)), yaml);
    expect(planned).toBe(1);
    const expectedFinding = {
      ruleId: 'eventhouse-consumption-units',
      terraformAddress: 'fabric_eventhouse.clicks',
      liveId: '99999999-2222-4333-8444-555555555555',
    };
    expect(findings).toContainEqual(
      expect.objectContaining({
        ...expectedFinding,
        location: expect.objectContaining({ file: 'castellan.yaml', line: 5 }) as object,
      }),
    );
    const both = await check(stateOf(clicks(50.5)), yaml.replace('18', '50.5'));
    expect(both.findings.filter(({ ruleId }) => ruleId === expectedFinding.ruleId)).toEqual([
      expect.objectContaining(expectedFinding),
    ]);
  });

  it('looks into modules', async () => {
    const child = { resources: [clicks(50.5, 'module.a.module.b.')] };
    const { findings } = await check({
      format_version: '1.0',
      values: { root_module: { child_modules: [{ child_modules: [child] }] } },
    });
    expect(findings).toMatchObject([
      { terraformAddress: 'module.a.module.b.fabric_eventhouse.clicks' },
    ]);
  });

  it('ignores values that the provider fills in', async () => {
    const rule = {
      dynamic_membership: [{ enabled: true, rule: 'user.city -eq "Rome"' }],
      types: ['DynamicMembership'],
      members: ['x'],
    };
    for (const values of [{}, rule])
      expect((await check(stateOf(group(values)))).findings).toEqual([]);
    const { findings } = await check(stateOf(group({ mail_nickname: 'a b' })));
    expect(findings).toMatchObject([
      { ruleId: 'group-mail-nickname', liveId: '22222222-2222-4333-8444-555555555555' },
    ]);
  });

  it.each([
    ['{', 'JSON'],
    ['[]', 'expected is what terraform show -json prints'],
    ['null', 'no object'],
    ['{"version":3,"modules":[]}', 'its version is 3; known is 4 (Terraform 0.12 or later)'],
    ['{"serial":1,"lineage":"x","encrypted_data":"abc"}', 'it is encrypted'],
    [
      '{"format_version":"1.0","values":{"root_module":{"resources":{}}}}',
      'its resources is no list',
    ],
    ['{"version":3,"resources":[]}', 'its version is 3; known is 4'],
    ['{"format_version":"2.0"}', 'its format_version is "2.0"'],
    ['{"format_version":"1.0","values":{"root_module":{"resources":[{}]}}}', 'no type and name'],
    ['{"format_version":"1.2","resource_changes":[]}', 'give it with --plan'],
  ])('refuses %s', async (text, message) => {
    await expect(check(text)).rejects.toMatchObject({
      code: 'CAS7102',
      message: expect.stringContaining(message) as string,
    });
  });

  it('reads the file that Terraform keeps, each instance by its address', async () => {
    const { values } = clicks(50.5);
    const instances = [
      { attributes: values },
      { index_key: 'a', attributes: values },
      { index_key: 1, attributes: values },
    ];
    const resourceKey = { mode: 'managed', type: 'fabric_eventhouse', name: 'clicks' };
    const { findings, resourceCount: planned } = await check({
      version: 4,
      resources: [
        { ...resourceKey, module: 'module.a', instances },
        { ...resourceKey, instances: [instances[0]] },
      ],
    });
    expect(planned).toBe(4);
    expect(findings.map(({ terraformAddress }) => terraformAddress)).toEqual([
      'module.a.fabric_eventhouse.clicks',
      'module.a.fabric_eventhouse.clicks["a"]',
      'module.a.fabric_eventhouse.clicks[1]',
      'fabric_eventhouse.clicks',
    ]);
    expect(new Set(findings.map(({ fingerprint }) => fingerprint)).size).toBe(4);
  });

  it('leaves out deposed objects, which the next apply destroys', async () => {
    const { values } = clicks(18);
    const { values: deposedValues } = clicks(50.5);
    const resourceKey = { mode: 'managed', type: 'fabric_eventhouse', name: 'clicks' };
    const instances = [{ attributes: values }, { deposed: '83d1a0e2', attributes: deposedValues }];
    const reports = [
      await check({ version: 4, resources: [{ ...resourceKey, instances }] }),
      await check(stateOf(clicks(18), { ...clicks(50.5), deposed_key: '83d1a0e2' })),
    ];
    for (const { findings, resourceCount } of reports) {
      expect(resourceCount).toBe(1);
      expect(findings).toEqual([]);
    }
  });

  it('reads sign-in settings, whose type is beside them in the file that Terraform keeps', async () => {
    const app = {
      name: 'web',
      ingress: [{ external_enabled: true, target_port: 80 }],
      template: [{ container: [{ image: 'web:1' }] }],
    };
    const identityProviders = {
      gitHub: { registration: { clientId: 'a', clientSecretSettingName: 'missing' } },
    };
    const body = {
      type: ['object', { properties: ['object', { enabled: 'bool' }] }],
      value: { properties: { identityProviders } },
    };
    const auth = {
      type: 'Microsoft.App/containerApps/authConfigs@2025-07-01',
      parent_id: '/x/containerApps/web',
      body,
    };
    const resources = [
      {
        mode: 'managed',
        type: 'azurerm_container_app',
        name: 'web',
        instances: [{ attributes: app }],
      },
      { mode: 'managed', type: 'azapi_resource', name: 'other', instances: [{ attributes: auth }] },
    ];
    const { findings } = await check({ version: 4, resources });
    expect(findings.map(({ ruleId, terraformAddress }) => `${ruleId} ${terraformAddress}`)).toEqual(
      ['app-secret-references azapi_resource.other', 'auth-open-provider azapi_resource.other'],
    );
  });

  it('takes a state that holds nothing', async () => {
    expect((await check({ format_version: '1.0' })).resourceCount).toBe(0);
  });
});
