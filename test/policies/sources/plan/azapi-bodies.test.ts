import { change, useCheckedPlan } from './support/check-plan.js';

const check = useCheckedPlan();

async function textBooleans(type: string, body: unknown): Promise<readonly string[]> {
  const findings = await check(undefined, [change('azapi_resource', 'x', { type, body })]);
  return findings.flatMap(({ ruleId, path = [] }) =>
    ruleId === 'plan-text-boolean' ? [path.join('.')] : [],
  );
}

const authConfigs = 'Microsoft.App/containerApps/authConfigs@2025-07-01';
const body = { properties: { platform: { enabled: 'false' } } };

describe('a text in place of a boolean', () => {
  it('is found in the sign-in layer of an app, whose type is in any letter case', async () => {
    for (const type of [authConfigs, authConfigs.toLowerCase()])
      expect(await textBooleans(type, body)).toEqual([
        'containerApps.x.body.properties.platform.enabled',
      ]);
  });

  it('is found in a body that an older provider has as JSON', async () => {
    expect(await textBooleans(authConfigs, JSON.stringify(body))).toEqual([
      'containerApps.x.body.properties.platform.enabled',
    ]);
  });

  it('is none in other resources, of whose properties the rule knows nothing', async () => {
    expect(
      await textBooleans('Microsoft.Insights/diagnosticSettings@2021-05-01-preview', {
        properties: { metadata: { enabled: 'true' } },
      }),
    ).toEqual([]);
  });
});

it('finds a setting that is gone from a body that an older provider has as JSON', async () => {
  const layer = (properties: object) => ({
    type: authConfigs,
    body: JSON.stringify({ properties }),
  });
  const updated = {
    ...change('azapi_resource', 'x', {}),
    change: {
      actions: ['update'],
      before: layer({ login: { preserveUrlFragmentsForLogins: true } }),
      after: layer({ login: {} }),
      after_unknown: {},
    },
  };
  const findings = await check(undefined, [updated]);
  expect(findings).toContainEqual(
    expect.objectContaining({
      ruleId: 'plan-removed-setting',
      message: expect.stringContaining('preserveUrlFragmentsForLogins, which was true,') as string,
    }),
  );
});

it('reports no hidden membership taken back where the visibility is known only after apply', async () => {
  const group = { display_name: 'A', mail_nickname: 'a', types: ['Unified'], mail_enabled: true };
  const updated = {
    ...change('azuread_group', 'a', {}),
    change: {
      actions: ['update'],
      before: { ...group, visibility: 'Hiddenmembership' },
      after: group,
      after_unknown: { visibility: true },
    },
  };
  const findings = await check(undefined, [updated]);
  expect(findings.filter(({ ruleId }) => ruleId === 'plan-endless-difference')).toEqual([]);
});

describe('a setting that is gone from a body', () => {
  const layer = (properties: object) => ({ type: authConfigs, body: { properties } });
  const removedSettings = async (planned: object): Promise<readonly string[]> => {
    const resource = { ...change('azapi_resource', 'x', {}), change: planned };
    const findings = await check(undefined, [resource]);
    return findings.flatMap(({ ruleId, message }) =>
      ruleId === 'plan-removed-setting' ? [message] : [],
    );
  };
  const before = layer({ login: { cookie: 'a' } });

  it('is not gone where it is known only after apply', async () => {
    const after = layer({});
    const unknown = { body: { properties: { login: { cookie: true } } } };
    const planned = { actions: ['update'], before, after, after_unknown: unknown };
    expect(await removedSettings(planned)).toEqual([]);
    const inner = { ...planned, after: layer({ login: {} }) };
    expect(await removedSettings(inner)).toEqual([]);
    expect(await removedSettings({ ...inner, after_unknown: {} })).toHaveLength(1);
  });

  it('does not stay in a resource that is replaced', async () => {
    const after = layer({ login: {} });
    const planned = { actions: ['delete', 'create'], before, after, after_unknown: {} };
    expect(await removedSettings(planned)).toEqual([]);
  });

  it('is not quoted, as it may be a secret', async () => {
    const planned = {
      actions: ['update'],
      before: layer({ secrets: [{ name: 'key', value: 'hunter2' }] }),
      after: layer({}),
      after_unknown: {},
    };
    const messages = await removedSettings(planned);
    expect(messages).toHaveLength(1);
    expect(messages.join()).not.toContain('hunter2');
  });
});
