import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCheck } from '../../../../policies/engine/run-check.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-plan-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const change = (type: string, name: string, after: object, unknown: object = {}) => ({
  address: `${type}.${name}`,
  mode: 'managed',
  type,
  name,
  change: { actions: ['create'], before: null, after, after_unknown: unknown },
});
const check = async (yaml: string | undefined, changes: readonly object[], env: Record<string, string> = {}) => {
  if (yaml !== undefined) writeFileSync(join(folder, 'castellan.yaml'), yaml);
  writeFileSync(join(folder, 'plan.json'), JSON.stringify({ format_version: '1.2', resource_changes: changes }));
  return (await runCheck({ paths: yaml === undefined ? [] : ['castellan.yaml'], plan: 'plan.json', cwd: folder, env })).findings;
};
const workspace = { workspace_id: '11111111-2222-4333-8444-555555555555' };

describe('checking a plan', () => {
  it('gives the same finding the same fingerprint in source and plan, and the place of both', async () => {
    const yaml =
      'version: 1\nstack: shop\nworkspaces: { t: { displayName: T } }\neventhouses:\n  clicks: { workspace: t, displayName: clicks, minimumConsumptionUnits: 50.5 }\n';
    const resource = change('fabric_eventhouse', 'clicks', {
      ...workspace,
      display_name: 'clicks',
      configuration: { minimum_consumption_units: 50.5 },
    });
    const findings = (await check(yaml, [resource])).filter(({ severity }) => severity === 'error');
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      ruleId: 'eventhouse-consumption-units',
      location: { file: 'castellan.yaml', line: 5 },
      terraformAddress: 'fabric_eventhouse.clicks',
    });
    const [alone] = await check(undefined, [resource]);
    expect(alone).toMatchObject({ fingerprint: findings[0]?.fingerprint, terraformAddress: 'fabric_eventhouse.clicks' });
  });

  it('judges by the plan what the source could not', async () => {
    const yaml =
      'version: 1\nstack: shop\ngroups:\n  shoppers: { kind: security, displayName: Shoppers, mailNickname: "${env:NICKNAME}" }\n';
    const group = { display_name: 'Shoppers', mail_enabled: false, security_enabled: true, types: [] };
    const told = async (after: object, unknown = {}) =>
      (await check(yaml, [change('azuread_group', 'shoppers', { ...group, ...after }, unknown)])).flatMap(({ ruleId, verdict }) =>
        ruleId === 'group-mail-nickname' ? [verdict] : [],
      );
    expect(await told({ mail_nickname: 'shoppers' })).toEqual([]);
    expect(await told({ mail_nickname: 'shop pers' })).toEqual(['fail']);
    expect(await told({}, { mail_nickname: true })).toContain('unknown');
  });

  it('finds what the official providers let through', async () => {
    const app = {
      name: 'shop',
      ingress: [
        {
          external_enabled: true,
          target_port: 80,
          traffic_weight: [
            { latest_revision: true, percentage: 100 },
            { revision_suffix: 'v1', percentage: 50 },
          ],
        },
      ],
      revision_mode: 'Multiple',
      template: [{ min_replicas: 5, max_replicas: 3, container: [{ image: 'shop:1', cpu: 0.5, memory: '2Gi' }] }],
    };
    const findings = await check(undefined, [change('azurerm_container_app', 'shop', app)]);
    expect(findings.map(({ ruleId }) => ruleId).sort()).toEqual(['app-cpu-memory', 'app-replicas', 'app-traffic', 'auth-public-app']);
  });

  it('takes a group of the official provider as it is', async () => {
    const owners = ['11111111-2222-4333-8444-555555555555', '21111111-2222-4333-8444-555555555555'];
    const group = {
      display_name: 'S',
      mail_nickname: 's',
      mail_enabled: true,
      security_enabled: false,
      types: ['DynamicMembership', 'Unified'],
      visibility: 'Hiddenmembership',
      owners,
    };
    const dynamic = { dynamic_membership: [{ enabled: true, rule: 'user.department -eq "Retail"' }] };
    expect(await check(undefined, [change('azuread_group', 's', { ...group, ...dynamic })])).toEqual([]);
  });
});
