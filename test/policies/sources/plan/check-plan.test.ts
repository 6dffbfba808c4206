import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../../../../core/findings/finding.js';
import { runCheck } from '../../../../policies/check/run-check.js';
import { change, useCheckedPlan } from './support/check-plan.js';

const check = useCheckedPlan();
const workspace = { workspace_id: '11111111-2222-4333-8444-555555555555' };

describe('checking a plan', () => {
  it('gives equal findings in source and plan the same fingerprint, with both locations', async () => {
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
    expect(alone).toMatchObject({
      fingerprint: findings[0]?.fingerprint,
      terraformAddress: 'fabric_eventhouse.clicks',
    });
  });

  it('decides with the plan what the source could not', async () => {
    const yaml =
      'version: 1\nstack: shop\ngroups:\n  shoppers: { kind: security, displayName: Shoppers, mailNickname: "${env:NICKNAME}" }\n';
    const group = {
      display_name: 'Shoppers',
      mail_enabled: false,
      security_enabled: true,
      types: [],
    };
    const told = async (after: object, unknown = {}) =>
      (
        await check(yaml, [change('azuread_group', 'shoppers', { ...group, ...after }, unknown)])
      ).flatMap(({ ruleId, verdict }) => (ruleId === 'group-mail-nickname' ? [verdict] : []));
    expect(await told({ mail_nickname: 'shoppers' })).toEqual([]);
    expect(await told({ mail_nickname: 'shop pers' })).toEqual(['fail']);
    expect(await told({}, { mail_nickname: true })).toContain('unknown');
  });

  it('finds attributes that are planned again on every run', async () => {
    const group = {
      display_name: 'A',
      mail_nickname: 'a',
      mail_enabled: true,
      security_enabled: false,
      types: ['Unified'],
    };
    const update = (
      type: string,
      actions: readonly string[],
      before: object,
      after: object,
      more: object = {},
    ) => ({
      ...change(type, 'a', after),
      change: { actions, before, after, after_unknown: {}, ...more },
    });
    const told = async (resource: object) =>
      (await check(undefined, [resource])).map(({ ruleId, messageId }) => `${ruleId} ${messageId}`);
    expect(
      await told(
        update('azuread_group', ['update'], { ...group, theme: 'Teal' }, { ...group, theme: null }),
      ),
    ).toContain('plan-endless-difference theme');
    expect(
      await told(
        update(
          'azuread_group',
          ['update'],
          { ...group, theme: 'Teal' },
          { ...group, theme: 'Red' },
        ),
      ),
    ).not.toContain('plan-endless-difference theme');
    const owned = (owners: readonly string[]) => ({ ...group, owners });
    for (const [actions, before, isTold] of [
      [['create'], null, true],
      [['update'], owned(['the caller']), true],
      [['no-op'], owned([]), false], // imported without owners: the plan at hand shows no change
    ] as const)
      expect(
        (await told(update('azuread_group', actions, before as object, owned([])))).includes(
          'plan-endless-difference owners',
        ),
      ).toBe(isTold);
    const replaced = { after_unknown: { end_date: true }, replace_paths: [['end_date']] };
    const password = update(
      'azuread_application_password',
      ['create', 'delete'],
      { end_date: '2027-01-01T00:00:00Z' },
      {},
      replaced,
    );
    expect(await told(password)).toEqual(['plan-secret-order clock']);
  });

  it('finds mistakes that the official providers accept', async () => {
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
      template: [
        {
          min_replicas: 5,
          max_replicas: 3,
          container: [{ image: 'shop:1', cpu: 0.5, memory: '2Gi' }],
        },
      ],
    };
    const findings = await check(undefined, [change('azurerm_container_app', 'shop', app)]);
    expect(findings.map(({ ruleId }) => ruleId).sort()).toEqual([
      'app-cpu-memory',
      'app-replicas',
      'app-traffic',
      'auth-public-app',
    ]);
  });

  it('finds nothing in a valid group of the official provider', async () => {
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
    const dynamic = {
      dynamic_membership: [{ enabled: true, rule: 'user.department -eq "Retail"' }],
    };
    expect(
      await check(undefined, [change('azuread_group', 's', { ...group, ...dynamic })]),
    ).toEqual([]);
  });

  it('leaves values unknown that the configuration sets, not those that the provider chooses', async () => {
    const unknown = { mail_nickname: true, visibility: true };
    const after = { display_name: 'S', mail_enabled: false, security_enabled: true };
    const configured = (expressions: object) => ({
      configuration: { root_module: { resources: [{ address: 'azuread_group.s', expressions }] } },
    });
    const open = async (more: object) => {
      const findings = await check(
        undefined,
        [change('azuread_group', 's', after, unknown)],
        {},
        more,
      );
      return new Set(
        findings.flatMap(({ verdict, path }) => (verdict === 'unknown' ? [path?.[2]] : [])),
      );
    };
    expect(await open({})).toEqual(new Set(['mailNickname', 'visibility']));
    expect(
      await open(configured({ display_name: {}, mail_nickname: { references: ['local.x'] } })),
    ).toEqual(new Set(['mailNickname']));
  });

  it('leaves open only what a value that is known later decides', async () => {
    const app = {
      name: 'shop',
      secret: [{ name: 'login' }],
      template: [
        {
          min_replicas: 1,
          max_replicas: 1,
          container: [{ image: 'ghcr.io/contoso/shop:1.0.0', cpu: 0.5, memory: '1Gi' }],
        },
      ],
    };
    const ingress = {
      external_enabled: false,
      target_port: 8080,
      traffic_weight: [{ latest_revision: true }],
    };
    const signIn = {
      platform: { enabled: true },
      globalValidation: {
        unauthenticatedClientAction: 'RedirectToLoginPage',
        redirectToProvider: 'google',
      },
      identityProviders: {
        azureActiveDirectory: { registration: { clientSecretSettingName: 'login' } },
        customOpenIdConnectProviders: { own: { registration: { clientId: 'a' } } },
      },
    };
    const later = {
      body: {
        properties: {
          identityProviders: {
            azureActiveDirectory: { registration: { clientId: true } },
            customOpenIdConnectProviders: {
              own: {
                registration: {
                  openIdConnectConfiguration: { wellKnownOpenIdConfiguration: true },
                },
              },
            },
          },
        },
      },
    };
    const type = 'Microsoft.App/containerApps/authConfigs@2025-07-01';
    const findings = await check(undefined, [
      change(
        'azurerm_container_app',
        'shop',
        { ...app, ingress: [ingress] },
        { ingress: [{ traffic_weight: [{ percentage: true }] }] },
      ),
      change(
        'azapi_resource',
        'shop',
        { type, parent_id: '/x/containerApps/shop', body: { properties: signIn } },
        later,
      ),
    ]);
    const told = (verdict: string) =>
      findings
        .filter((each) => each.verdict === verdict)
        .map(({ ruleId, path }) => `${ruleId} ${path?.join('.')}`);
    expect(told('fail').toSorted()).toEqual([
      'auth-external-ingress containerApps.shop.ingress.external',
      'auth-redirect-target containerApps.shop.auth.redirectTo',
    ]);
    expect(told('unknown').toSorted()).toEqual([
      'app-traffic containerApps.shop.revision.traffic.0.weight',
      'property-value containerApps.shop.auth.providers.openIdConnect.own.wellKnownConfiguration',
      'property-value containerApps.shop.revision.traffic.0.weight',
    ]);
  });

  it('does not report unknown ids of resources that the plan creates', async () => {
    const group = (name: string, more: object = {}) =>
      change(
        'azuread_group',
        name,
        { display_name: name, security_enabled: true, ...more },
        { members: true },
      );
    const dynamic = {
      types: ['DynamicMembership'],
      dynamic_membership: [{ enabled: true, rule: 'user.department -eq "Sales"' }],
    };
    const app = {
      name: 'shop',
      identity: [{ type: 'UserAssigned' }],
      template: [
        {
          min_replicas: 1,
          max_replicas: 1,
          container: [{ image: 'ghcr.io/contoso/shop:1.0.0', cpu: 0.5, memory: '1Gi' }],
        },
      ],
    };
    const findings = await check(undefined, [
      group('static'),
      group('dynamic', dynamic),
      change('azurerm_container_app', 'shop', app, { identity: [{ identity_ids: true }] }),
    ]);
    const open = findings.filter(({ verdict }) => verdict === 'unknown');
    expect(open.map(({ ruleId, path }) => `${ruleId} ${path?.join('.')}`)).toEqual([
      'group-dynamic-members groups.dynamic.members',
    ]);
  });

  it('finds duplicate names where they must be unique', async () => {
    const eventhouse = (name: string, workspaceId?: string) =>
      change(
        'fabric_eventhouse',
        name,
        { display_name: 'Clicks', ...(workspaceId && { workspace_id: workspaceId }) },
        workspaceId ? {} : { workspace_id: true },
      );
    const told = async (...changes: readonly object[]) =>
      (await check(undefined, changes)).flatMap(({ ruleId, verdict, path }) =>
        ruleId.endsWith('-unique') ? [`${ruleId} ${verdict} ${path?.join('.')}`] : [],
      );
    const other = '21111111-2222-4333-8444-555555555555';
    expect(
      await told(eventhouse('a', workspace.workspace_id), eventhouse('b', workspace.workspace_id)),
    ).toEqual(['item-name-unique fail eventhouses.b.displayName']);
    expect(await told(eventhouse('a', workspace.workspace_id), eventhouse('b', other))).toEqual([]);
    expect(await told(eventhouse('a'), eventhouse('b'))).toEqual([
      'item-name-unique unknown eventhouses.b.workspace',
    ]);
    const app = (name: string, group?: string) =>
      change(
        'azurerm_container_app',
        name,
        { name: 'Shop', resource_group_name: group },
        group ? {} : { resource_group_name: true },
      );
    expect(await told(app('a', 'rg'), app('b', 'RG'))).toEqual([
      'app-name-unique fail containerApps.b.name',
    ]);
    expect(await told(app('a', 'rg'), app('b', 'other'), app('c'), app('d'))).toEqual([]);
    const unified = {
      display_name: 'A',
      mail_enabled: true,
      mail_nickname: 'a',
      types: ['Unified'],
      security_enabled: false,
    };
    expect(
      await told(
        change('azuread_group', 'a', unified),
        change('azuread_group', 'b', { ...unified, mail_nickname: 'A' }),
      ),
    ).toEqual(['group-mail-nickname-unique fail groups.b.mailNickname']);
    expect(await told(change('azuread_group', 'a', { ...unified, types: 'Unified' }))).toEqual([]);
    expect(
      await told(
        change('fabric_workspace', 'a', { display_name: 'T' }),
        change('fabric_workspace', 'b', { display_name: 't' }),
      ),
    ).toEqual(['workspace-name-unique fail workspaces.b.displayName']);
  });

  it('ignores values that the provider fills in', async () => {
    const after = {
      display_name: 'S',
      description: '',
      mail_nickname: 's',
      mail_enabled: false,
      security_enabled: true,
      types: ['DynamicMembership'],
      theme: '',
      visibility: '',
      behaviors: [],
      members: ['11111111-2222-4333-8444-555555555555'],
      dynamic_membership: [{ enabled: true, rule: 'user.city -eq "Rome"' }],
    };
    const there = {
      ...change('azuread_group', 's', after),
      change: { actions: ['no-op'], before: after, after, after_unknown: {} },
    };
    expect(await check(undefined, [there])).toEqual([]);
  });

  it('distinguishes resources of the same name: in modules, and several instances of a block', async () => {
    const group = {
      display_name: 'S',
      mail_nickname: 'a b',
      mail_enabled: false,
      security_enabled: true,
    };
    const own = change('azuread_group', 's', group);
    const findings = await check(
      'version: 1\nstack: shop\ngroups:\n  s: { kind: security, displayName: S, mailNickname: a b }\n',
      [
        own,
        { ...own, address: 'module.a.azuread_group.s' },
        { ...own, address: 'azuread_group.s["x"]' },
      ],
    );
    const nickname = findings.filter(({ ruleId }) => ruleId === 'group-mail-nickname');
    expect(
      nickname.map(({ terraformAddress, location }) => `${terraformAddress} ${location?.line}`),
    ).toEqual([
      'azuread_group.s 4',
      'module.a.azuread_group.s undefined',
      'azuread_group.s["x"] undefined',
    ]);
    expect(new Set(nickname.map(({ fingerprint }) => fingerprint)).size).toBe(3);
  });
});

describe('checking what a plan shows as known only after apply', () => {
  const unified = {
    display_name: 'A',
    mail_enabled: true,
    mail_nickname: 'a',
    types: ['Unified'],
    security_enabled: true,
  };
  const configured = (expressions: object) => ({
    configuration: {
      root_module: { resources: [{ address: 'azuread_group.a', mode: 'managed', expressions }] },
    },
  });
  const told = async (after: object, unknown: object, expressions: object) =>
    (
      await check(
        undefined,
        [change('azuread_group', 'a', { ...unified, ...after }, unknown)],
        {},
        configured(expressions),
      )
    ).map(({ verdict, ruleId, path }) => `${verdict} ${ruleId} ${(path ?? []).slice(2).join('.')}`);

  it('reads an empty list of owners from the configuration, whatever the provider shows', async () => {
    expect(await told({}, { owners: true }, { owners: { constant_value: [] } })).toContain(
      'fail plan-endless-difference owners',
    );
    expect(await told({}, { owners: true }, {})).toEqual([]);
  });

  it('checks the default visibility of a role-assignable unified group', async () => {
    const assignable = { assignable_to_role: true };
    expect(await told(assignable, { visibility: true }, {})).toEqual([
      'fail group-role-assignable visibility',
    ]);
    expect(
      await told(assignable, { visibility: true }, { visibility: { references: ['local.v'] } }),
    ).toContain('unknown group-role-assignable visibility');
    expect(await told({ ...assignable, visibility: 'Private' }, {}, {})).toEqual([]);
  });

  it('knows that values set only by variables are left to the provider, since Terraform knows variables when it plans', async () => {
    const fail = ['fail group-role-assignable visibility'];
    const assignable = { assignable_to_role: true };
    expect(
      await told(assignable, { visibility: true }, { visibility: { references: ['var.v'] } }),
    ).toEqual(fail);
    expect(
      await told(assignable, { visibility: true }, { visibility: { constant_value: null } }),
    ).toEqual(fail);
    expect(
      await told(
        {},
        { mail_nickname: true },
        { mail_nickname: { references: ['each.value.mail', 'each.value'] } },
      ),
    ).toEqual([]);
    const owner = { owners: ['11111111-2222-4333-8444-555555555555'] };
    expect(await told(owner, {}, { owners: { references: ['var.owners'] } })).toEqual([
      'fail group-two-owners owners',
    ]);
  });

  it('leaves the member types of a unified group unknown, unless the configuration has them', async () => {
    const member = '11111111-2222-4333-8444-555555555555';
    expect(
      await told({ members: [member] }, {}, { members: { constant_value: [member] } }),
    ).toEqual(['unknown group-member-kind members']);
    expect(
      await told(
        { members: [member] },
        {},
        { members: { references: ['data.azuread_user.ada.object_id', 'data.azuread_user.ada'] } },
      ),
    ).toEqual([]);
    expect(
      await told(
        {},
        { members: true },
        { members: { references: ['azuread_group.other.object_id'] } },
      ),
    ).toContain('fail group-member-kind members');
  });
});

describe('checking a plan whose values are nested endlessly', () => {
  it('is refused with one clear error', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-plan-'));
    const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const text = JSON.stringify({
      format_version: '1.2',
      resource_changes: [change('azuread_group', 'g', { owners: 'NESTED' }, { members: 'NESTED' })],
    });
    writeFileSync(join(folder, 'plan.json'), text.replaceAll('"NESTED"', nested));
    const options = { paths: [], plan: 'plan.json', cwd: folder, env: {} };
    await expect(runCheck(options)).rejects.toMatchObject({
      code: 'CAS7101',
      message: expect.stringContaining('nested too deeply') as string,
    });
    rmSync(folder, { recursive: true });
  });
});

describe('checking a plan of very many open values', () => {
  const after = { display_name: 'S', mail_enabled: false, security_enabled: true };
  const groups = Array.from({ length: 2_500 }, (_, index) =>
    change('azuread_group', `g${String(index)}`, after, { mail_nickname: true }),
  );
  const nicknames = (findings: readonly Finding[]) =>
    findings.flatMap(({ ruleId, terraformAddress, further }) =>
      ruleId === 'group-mail-nickname' ? [{ terraformAddress, further }] : [],
    );

  it('names the first thousand resources and counts the others', async () => {
    const findings = nicknames(await check(undefined, groups));
    expect(findings).toHaveLength(1_001);
    expect(findings[999]).toEqual({ terraformAddress: 'azuread_group.g999' });
    expect(findings[1_000]).toEqual({ terraformAddress: 'azuread_group.g1000', further: 1_499 });
  });

  it('does not count resources whose value the provider chooses, and lists the others', async () => {
    const resources = groups.map(({ address, name }) => {
      const isSet = Number(name.slice(1)) % 250 === 0;
      return {
        address,
        expressions: {
          display_name: {},
          ...(isSet ? { mail_nickname: { references: ['local.x'] } } : {}),
        },
      };
    });
    const findings = nicknames(
      await check(undefined, groups, {}, { configuration: { root_module: { resources } } }),
    );
    expect(findings).toEqual(
      Array.from({ length: 10 }, (_, index) => ({
        terraformAddress: `azuread_group.g${String(index * 250)}`,
      })),
    );
  });

  it('does not count resources that a configuration declares', async () => {
    const declared = groups
      .slice(0, 2_400)
      .map(({ name }) => `  ${name}: { kind: security, displayName: S, mailNickname: ${name} }\n`);
    const findings = nicknames(
      await check(`version: 1\nstack: shop\ngroups:\n${declared.join('')}`, groups),
    );
    expect(findings.map(({ terraformAddress }) => terraformAddress)).toEqual(
      groups.slice(2_400).map(({ address }) => address),
    );
  });
});

describe('checking a plan of very many mistakes', () => {
  it('reports all of them: 140,000 findings of 16,000 groups', async () => {
    const after = {
      display_name: '',
      mail_nickname: '@'.repeat(65),
      mail_enabled: true,
      security_enabled: false,
      types: ['Unified', 'Unified'],
      owners: [],
      theme: 'Grey',
      visibility: 'Open',
      assignable_to_role: true,
    };
    const one = change('azuread_group', 'g', after);
    const many = Array.from({ length: 16_000 }, (_, index) => ({
      ...one,
      address: `azuread_group.g[${String(index)}]`,
    }));
    expect((await check(undefined, many)).length).toBeGreaterThanOrEqual(135_000);
  });
});
