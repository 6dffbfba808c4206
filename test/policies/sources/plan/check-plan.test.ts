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
    const [findingWithoutSource] = await check(undefined, [resource]);
    expect(findingWithoutSource).toMatchObject({
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
    const verdictsOf = async (after: object, afterUnknown = {}) =>
      (
        await check(yaml, [
          change('azuread_group', 'shoppers', { ...group, ...after }, afterUnknown),
        ])
      ).flatMap(({ ruleId, verdict }) => (ruleId === 'group-mail-nickname' ? [verdict] : []));
    expect(await verdictsOf({ mail_nickname: 'shoppers' })).toEqual([]);
    expect(await verdictsOf({ mail_nickname: 'shop pers' })).toEqual(['fail']);
    expect(await verdictsOf({}, { mail_nickname: true })).toContain('unknown');
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
      extraChange: object = {},
    ) => ({
      ...change(type, 'a', after),
      change: { actions, before, after, after_unknown: {}, ...extraChange },
    });
    const findingLines = async (resource: object) =>
      (await check(undefined, [resource])).map(({ ruleId, messageId }) => `${ruleId} ${messageId}`);
    expect(
      await findingLines(
        update('azuread_group', ['update'], { ...group, theme: 'Teal' }, { ...group, theme: null }),
      ),
    ).toContain('plan-endless-difference theme');
    expect(
      await findingLines(
        update(
          'azuread_group',
          ['update'],
          { ...group, theme: 'Teal' },
          { ...group, theme: 'Red' },
        ),
      ),
    ).not.toContain('plan-endless-difference theme');
    const groupWithOwners = (owners: readonly string[]) => ({ ...group, owners });
    for (const [actions, before, isFound] of [
      [['create'], null, true],
      [['update'], groupWithOwners(['the caller']), true],
      [['no-op'], groupWithOwners([]), false], // imported without owners: the plan at hand shows no change
    ] as const)
      expect(
        (
          await findingLines(
            update('azuread_group', actions, before as object, groupWithOwners([])),
          )
        ).includes('plan-endless-difference owners'),
      ).toBe(isFound);
    const replacement = { after_unknown: { end_date: true }, replace_paths: [['end_date']] };
    const password = update(
      'azuread_application_password',
      ['create', 'delete'],
      { end_date: '2027-01-01T00:00:00Z' },
      {},
      replacement,
    );
    expect(await findingLines(password)).toEqual(['plan-secret-order clock']);
  });

  it('reads the secret of azuread_application as that of azuread_application_password', async () => {
    const secretFindings = async (type: string, after: object, afterUnknown = {}) =>
      (await check(undefined, [change(type, 'shop', after, afterUnknown)])).flatMap(
        ({ ruleId, path = [] }) => (path.includes('secret') ? [`${ruleId} ${path.join('.')}`] : []),
      );
    const secret = { display_name: 'x'.repeat(121), end_date: '2027-01-01T00:00:00Z' };
    const findings = await secretFindings('azuread_application_password', {
      application_id: '/applications/11111111-2222-4333-8444-555555555555',
      ...secret,
    });
    expect(findings).toHaveLength(1);
    const whole = { display_name: 'Shop', password: [secret] };
    expect(await secretFindings('azuread_application', whole)).toEqual(findings);
    const chosenEnd = { ...whole, password: [{ display_name: 'x' }] };
    const unknownEnd = { password: [{ end_date: true }] };
    expect(await secretFindings('azuread_application', chosenEnd, unknownEnd)).toEqual([]);
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
    const unknownProperties = async (extraPlan: object) => {
      const findings = await check(
        undefined,
        [change('azuread_group', 's', after, unknown)],
        {},
        extraPlan,
      );
      return new Set(
        findings.flatMap(({ verdict, path }) => (verdict === 'unknown' ? [path?.[2]] : [])),
      );
    };
    expect(await unknownProperties({})).toEqual(new Set(['mailNickname', 'visibility']));
    expect(
      await unknownProperties(
        configured({ display_name: {}, mail_nickname: { references: ['local.x'] } }),
      ),
    ).toEqual(new Set(['mailNickname']));
  });

  it('leaves undecided only what depends on values that are known after apply', async () => {
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
    const afterUnknown = {
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
        afterUnknown,
      ),
    ]);
    const findingLines = (verdict: string) =>
      findings
        .filter((each) => each.verdict === verdict)
        .map(({ ruleId, path }) => `${ruleId} ${path?.join('.')}`);
    expect(findingLines('fail').toSorted()).toEqual([
      'auth-external-ingress containerApps.shop.ingress.external',
      'auth-redirect-target containerApps.shop.auth.redirectTo',
    ]);
    expect(findingLines('unknown').toSorted()).toEqual([
      'app-traffic containerApps.shop.revision.traffic.0.weight',
      'property-value containerApps.shop.auth.providers.openIdConnect.own.wellKnownConfiguration',
      'property-value containerApps.shop.revision.traffic.0.weight',
    ]);
  });

  it('does not report unknown ids of resources that the plan creates', async () => {
    const group = (name: string, attributes: object = {}) =>
      change(
        'azuread_group',
        name,
        { display_name: name, security_enabled: true, ...attributes },
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
    const undecided = findings.filter(({ verdict }) => verdict === 'unknown');
    expect(undecided.map(({ ruleId, path }) => `${ruleId} ${path?.join('.')}`)).toEqual([
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
    const findingLines = async (...changes: readonly object[]) =>
      (await check(undefined, changes)).flatMap(({ ruleId, verdict, path }) =>
        ruleId.endsWith('-unique') ? [`${ruleId} ${verdict} ${path?.join('.')}`] : [],
      );
    const otherWorkspaceId = '21111111-2222-4333-8444-555555555555';
    expect(
      await findingLines(
        eventhouse('a', workspace.workspace_id),
        eventhouse('b', workspace.workspace_id),
      ),
    ).toEqual(['item-name-unique fail eventhouses.b.displayName']);
    expect(
      await findingLines(
        eventhouse('a', workspace.workspace_id),
        eventhouse('b', otherWorkspaceId),
      ),
    ).toEqual([]);
    expect(await findingLines(eventhouse('a'), eventhouse('b'))).toEqual([
      'item-name-unique unknown eventhouses.b.workspace',
    ]);
    const app = (name: string, group?: string) =>
      change(
        'azurerm_container_app',
        name,
        { name: 'Shop', resource_group_name: group },
        group ? {} : { resource_group_name: true },
      );
    expect(await findingLines(app('a', 'rg'), app('b', 'RG'))).toEqual([
      'app-name-unique fail containerApps.b.name',
    ]);
    expect(await findingLines(app('a', 'rg'), app('b', 'other'), app('c'), app('d'))).toEqual([]);
    const unified = {
      display_name: 'A',
      mail_enabled: true,
      mail_nickname: 'a',
      types: ['Unified'],
      security_enabled: false,
    };
    expect(
      await findingLines(
        change('azuread_group', 'a', unified),
        change('azuread_group', 'b', { ...unified, mail_nickname: 'A' }),
      ),
    ).toEqual(['group-mail-nickname-unique fail groups.b.mailNickname']);
    expect(
      await findingLines(change('azuread_group', 'a', { ...unified, types: 'Unified' })),
    ).toEqual([]);
    expect(
      await findingLines(
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
    const unchangedGroup = {
      ...change('azuread_group', 's', after),
      change: { actions: ['no-op'], before: after, after, after_unknown: {} },
    };
    expect(await check(undefined, [unchangedGroup])).toEqual([]);
  });

  it('distinguishes resources of the same name: in modules, and several instances of a block', async () => {
    const group = {
      display_name: 'S',
      mail_nickname: 'a b',
      mail_enabled: false,
      security_enabled: true,
    };
    const rootGroup = change('azuread_group', 's', group);
    const findings = await check(
      'version: 1\nstack: shop\ngroups:\n  s: { kind: security, displayName: S, mailNickname: a b }\n',
      [
        rootGroup,
        { ...rootGroup, address: 'module.a.azuread_group.s' },
        { ...rootGroup, address: 'azuread_group.s["x"]' },
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
