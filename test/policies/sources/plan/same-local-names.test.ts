import { change, useCheckedPlan } from './support/check-plan.js';

const check = useCheckedPlan();

async function uniqueFindings(...changes: readonly object[]): Promise<readonly string[]> {
  const findings = await check(undefined, changes);
  return findings.flatMap(({ ruleId, terraformAddress, message }) =>
    ruleId.endsWith('-unique') ? [`${ruleId} ${terraformAddress ?? ''}: ${message}`] : [],
  );
}

const unified = {
  display_name: 'Shoppers',
  mail_enabled: true,
  mail_nickname: 'shoppers',
  types: ['Unified'],
  security_enabled: false,
};
const owned = { display_name: 'Clicks', workspace_id: '11111111-2222-4333-8444-555555555555' };

describe('resources of two types with one local name', () => {
  it('are compared like others', async () => {
    expect(
      await uniqueFindings(
        change('azuread_group', 'x', unified),
        change('azuread_group_without_members', 'x', unified),
      ),
    ).toEqual([
      'group-mail-nickname-unique azuread_group_without_members.x: "azuread_group.x" already has the mail nickname "shoppers"',
    ]);
    expect(
      await uniqueFindings(
        change('fabric_eventhouse', 'x', owned),
        change('castellan_eventhouse', 'x', owned),
      ),
    ).toEqual([
      'item-name-unique castellan_eventhouse.x: "fabric_eventhouse.x" in the same workspace already has the name "Clicks"',
    ]);
  });

  it('have no duplicate in a resource that the plan deletes', async () => {
    const deleted = {
      ...change('azuread_group', 'x', unified),
      change: { actions: ['delete'], before: unified, after: null, after_unknown: {} },
    };
    expect(
      await uniqueFindings(deleted, change('azuread_group_without_members', 'x', unified)),
    ).toEqual([]);
  });
});

it('finds environments of one name in a resource group', async () => {
  const environment = (name: string, group: string): object =>
    change('azurerm_container_app_environment', name, {
      name: 'shared',
      resource_group_name: group,
      location: 'westeurope',
    });
  const workspace = change('azurerm_log_analytics_workspace', 'logs', {
    name: 'shared',
    resource_group_name: 'rg',
  });
  expect(await uniqueFindings(workspace, environment('a', 'rg'), environment('b', 'RG'))).toEqual([
    'app-name-unique azurerm_container_app_environment.b: "a" already has the name "shared"',
  ]);
  expect(await uniqueFindings(environment('a', 'rg'), environment('b', 'other'))).toEqual([]);
});
