import { TestDirectory, application, id, securityGroup } from '../support/directory.js';

/**
 * As the official provider declares azuread_group_role_management_policy, and as the documentation
 * shows policies of roles.
 */
describe('policies of privileged identity management', () => {
  const policies = '/policies/roleManagementPolicies';
  const assignments = '/policies/roleManagementPolicyAssignments';
  const printerAdministrator = '644ef478-e28f-4e28-b9dc-3fdde9aa0b1f';
  const policyWriter = application(id(90), ['RoleManagementPolicy.ReadWrite.AzureADGroup']);
  let directory: TestDirectory;
  let group: string;
  beforeAll(async () => {
    directory = await TestDirectory.start({ dialect: 'azure' });
    group = (await directory.post('/groups', securityGroup())).body.id;
  });
  afterAll(() => directory.stop());
  const get = async (path: string) =>
    (await directory.ask('GET', path, undefined, { as: policyWriter })).body;

  /**
   * @claim policy-ids: The id of a group's role management policy is `Group_`, the group's id and
   *   another GUID, and its assignment's id ends in the role.
   * @source https://learn.microsoft.com/graph/api/unifiedrolemanagementpolicyassignment-get
   */
  it('exist for the members and for the owners of a group, with rules that stay until they are changed', async () => {
    const filter = `$filter=scopeId eq '${group}' and scopeType eq 'Group' and roleDefinitionId eq 'member'`;
    const { value } = await get(`${assignments}?${filter}`);
    expect(value[0].policyId).toMatch(new RegExp(`^Group_${group}_[0-9a-f-]{36}$`));
    expect(value).toEqual([
      {
        id: `${value[0].policyId}_member`,
        policyId: value[0].policyId,
        scopeId: group,
        scopeType: 'Group',
        roleDefinitionId: 'member',
      },
    ]);
    const path = `${policies}/${value[0].policyId}`;
    const rulesBefore = (await get(`${path}?$expand=*`)).rules as { id: string }[];
    expect(rulesBefore).toHaveLength(17);
    const expiration = {
      '@odata.type': '#microsoft.graph.unifiedRoleManagementPolicyExpirationRule',
      id: 'Expiration_Admin_Eligibility',
      isExpirationRequired: true,
      maximumDuration: 'P90D',
    };
    expect(
      (await directory.ask('PATCH', path, { rules: [expiration] }, { as: policyWriter })).status,
    ).toBe(204);
    expect(
      (await get(`${path}?$expand=rules`)).rules.map((rule: { id: string }) => rule.id),
    ).toEqual(rulesBefore.map((rule) => rule.id));
    expect(await get(`${path}/rules/Expiration_Admin_Eligibility`)).toMatchObject({
      ...expiration,
      target: { level: 'Eligibility' },
    });
    const enablement = { enabledRules: ['Ticketing'] };
    expect(
      (
        await directory.ask('PATCH', `${path}/rules/Enablement_EndUser_Assignment`, enablement, {
          as: policyWriter,
        })
      ).status,
    ).toBe(204);
    expect((await get(`${path}/rules`)).value).toEqual(
      expect.arrayContaining([expect.objectContaining(enablement)]),
    );
    const owners = (await get(`${assignments}?${filter.replace('member', 'owner')}`)).value[0]
      .policyId;
    expect(await get(`${policies}/${owners}/rules/Expiration_Admin_Eligibility`)).toMatchObject({
      maximumDuration: 'P365D',
    });
  });

  /**
   * @claim policy-rules: Each directory role has a policy with 17 rules.
   * @source
   *   https://learn.microsoft.com/graph/api/policyroot-list-rolemanagementpolicyassignments
   * @seen azuread
   */
  it('exist for each directory role, and are returned with the assignment', async () => {
    const filter = `$filter=scopeId eq '/' and scopeType eq 'DirectoryRole' and roleDefinitionId eq '${printerAdministrator}'`;
    const { value } = await get(`${assignments}?${filter}&$expand=policy($expand=rules)`);
    expect(value).toMatchObject([
      {
        roleDefinitionId: printerAdministrator,
        scopeId: '/',
        policy: { scopeType: 'DirectoryRole' },
      },
    ]);
    expect(value[0].policy.rules).toHaveLength(17);
    expect((await get(`${assignments}/${value[0].id}`)).policyId).toBe(value[0].policyId);
    expect(
      (await get(`${policies}?$filter=scopeId eq '/' and scopeType eq 'Directory'`)).value.length,
    ).toBeGreaterThanOrEqual(130);
  });

  it('are listed by their scope, and changed by authorized callers only, and only in their rules', async () => {
    const status = async (method: string, path: string, body?: object, caller = policyWriter) =>
      (await directory.ask(method, path, body, { as: caller })).status;
    expect(await status('GET', policies)).toBe(400);
    expect(
      await status(
        'GET',
        `${policies}?$filter=scopeId eq '/' and scopeType eq 'Directory'&$expand=chairs`,
      ),
    ).toBe(400);
    expect(
      await get(`${policies}?$filter=scopeId eq '${id(7)}' and scopeType eq 'Group'`),
    ).toMatchObject({ value: [] });
    expect(await status('GET', `${policies}/Group_${group}_${id(7)}`)).toBe(404);
    expect(await status('GET', `${policies}/Group_${group}_${id(7)}/rules`)).toBe(404);
    const policy = (await get(`${policies}?$filter=scopeId eq '${group}' and scopeType eq 'Group'`))
      .value[0].id;
    const invalidChanges = [
      {},
      { rules: [{ id: 'Chair' }] },
      { rules: [{ id: 'Expiration_Admin_Eligibility', '@odata.type': '#microsoft.graph.chair' }] },
    ];
    for (const body of invalidChanges)
      expect([body, await status('PATCH', `${policies}/${policy}`, body)]).toEqual([body, 400]);
    const reader = application(id(91), ['RoleManagementPolicy.Read.AzureADGroup']);
    expect(await status('PATCH', `${policies}/${policy}`, { rules: [] }, reader)).toBe(403);
    expect(await status('GET', `${policies}/${policy}`, undefined, reader)).toBe(200);
    expect(
      await status(
        'GET',
        `${policies}/${policy}`,
        undefined,
        application(id(92), ['Group.Read.All']),
      ),
    ).toBe(403);
  });
});
