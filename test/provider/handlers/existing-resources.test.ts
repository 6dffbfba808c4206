import { resources as azapi } from '../../../provider/handlers/azapi/index.js';
import { resources as azuread } from '../../../provider/handlers/azuread/index.js';
import { resources as azurerm } from '../../../provider/handlers/azurerm/index.js';
import { resources as fabric } from '../../../provider/handlers/fabric/index.js';
import type { Api, CreateCall, FindCall } from '../../../provider/handlers/handler.js';
import { unknown, type ValueMap } from '../../../provider/values/value.js';

const start = '2026-01-01T12:00:00Z';
const group = '/subscriptions/s/resourceGroups/rg';
const inGroup = { name: 'x', resource_group_name: 'rg' };
const types = [
  [
    'azurerm_container_app',
    azurerm['azurerm_container_app'],
    inGroup,
    `${group}/providers/Microsoft.App/containerApps/x`,
  ],
  [
    'azurerm_storage_account',
    azurerm['azurerm_storage_account'],
    inGroup,
    `${group}/providers/Microsoft.Storage/storageAccounts/x`,
  ],
  [
    'azapi_resource',
    azapi['azapi_resource'],
    { type: 'Microsoft.App/containerApps@2025-07-01', name: 'x', parent_id: group },
    `${group}/providers/Microsoft.App/containerApps/x`,
  ],
] as const;
const resources = [
  ['made meanwhile', { systemData: { createdAt: '2026-01-01T12:00:01Z' } }, true],
  ['older than the killed creation', { systemData: { createdAt: '2025-12-31T00:00:00Z' } }, false],
  ['of unknown age', {}, true],
  ['missing', undefined, false],
] as const;

describe.each(types)('a killed creation of %s', (_type, handler, planned, id) => {
  it.each(resources)('looks for a resource that is %s', async (_which, resource, isAdopted) => {
    const api = {
      identity: { subscriptionId: 's' },
      resourceManager: { resources: { find: () => Promise.resolve(resource) }, http: {} },
    } as unknown as Api;
    const found = await handler?.findExisting?.({
      api,
      planned,
      createdSince: new Date(start),
      isTaken: () => false,
      signal: new AbortController().signal,
    } as unknown as FindCall);
    expect(found).toEqual(isAdopted ? { id } : undefined);
  });
});

it('finds the domain of an app that a killed creation added, and none of another certificate', async () => {
  const app = `${group}/providers/Microsoft.App/containerApps/x`;
  const certificateId = `${group}/providers/Microsoft.App/managedEnvironments/e/certificates/c`;
  const customDomains = [{ name: 'Shop.example', bindingType: 'SniEnabled', certificateId }];
  const resource = { id: app, properties: { configuration: { ingress: { customDomains } } } };
  const find = (values: ValueMap): unknown =>
    azurerm['azurerm_container_app_custom_domain']?.findExisting?.({
      api: { resourceManager: { resources: { find: () => Promise.resolve(resource) } } },
      planned: {
        container_app_id: app,
        name: 'shop.example',
        certificate_binding_type: 'SniEnabled',
        container_app_environment_certificate_id: certificateId.replace('resource', 'Resource'),
        ...values,
      },
    } as unknown as FindCall);
  expect(await find({})).toEqual({ id: `${app}/customDomainName/shop.example` });
  expect(await find({ container_app_environment_certificate_id: null })).toBeUndefined();
  expect(await find({ name: 'other.example' })).toBeUndefined();
});

it('finds a role assignment by the name that a killed creation made up', async () => {
  const paths: string[] = [];
  let isKilled = true;
  const put = (path: string): Promise<object> => {
    paths.push(path);
    return isKilled ? Promise.reject(new Error('killed')) : Promise.resolve({ id: path });
  };
  const find = (path: string): Promise<object | undefined> =>
    Promise.resolve(paths.includes(path) ? { id: path } : undefined);
  const callFor = (principal: string): FindCall & CreateCall =>
    ({
      api: { identity: { subscriptionId: 's' }, resourceManager: { resources: { find, put } } },
      planned: { scope: group, name: unknown, role_definition_id: 'r', principal_id: principal },
      config: {},
      createdSince: new Date(start),
      isTaken: () => false,
      signal: new AbortController().signal,
      reportCreated: () => undefined,
    }) as unknown as FindCall & CreateCall;
  const handler = azurerm['azurerm_role_assignment'];
  await expect(handler?.create(callFor('p'))).rejects.toThrow('killed');
  expect(await handler?.findExisting?.(callFor('p'))).toEqual({ id: paths[0] });
  expect(await handler?.findExisting?.(callFor('q'))).toBeUndefined();
  isKilled = false;
  const { id, name } = (await handler?.create(callFor('q'))) ?? {};
  expect(id).toBe(`${group}/providers/Microsoft.Authorization/roleAssignments/${String(name)}`);
});

async function* listing<T>(...entries: readonly T[]): AsyncGenerator<T> {
  yield* entries;
}

const app = '0b9d0c1e-1111-4222-8333-444455556666';
const assignment = { id: 'x', appRoleId: 'r', principalId: 'p', createdDateTime: start };
const named = { id: 'x', name: 'ci', displayName: 'Shop', principal: { id: 'p' }, role: 'Member' };
const directory = {
  groups: { members: { has: (_id: string, linked: string) => Promise.resolve(linked === 'p') } },
  servicePrincipals: { appRoleAssignedTo: { list: () => listing(assignment) } },
  applications: { federatedIdentityCredentials: { list: () => listing(named) } },
};
const items = {
  folders: { list: () => listing(named) },
  roleAssignments: { list: () => listing(named) },
};

test.each<[string, ValueMap, ValueMap, ValueMap]>([
  [
    'azuread_group_member',
    { group_object_id: 'g', member_object_id: 'p' },
    { member_object_id: 'q' },
    { id: 'g/member/p' },
  ],
  [
    'azuread_app_role_assignment',
    { resource_object_id: 's', app_role_id: 'r', principal_object_id: 'P' },
    { app_role_id: 'other' },
    { id: '/servicePrincipals/s/appRoleAssignedTo/x' },
  ],
  [
    'azuread_application_federated_identity_credential',
    { application_id: `/applications/${app}`, display_name: 'ci' },
    { display_name: 'other' },
    { id: `${app}/federatedIdentityCredential/x`, credential_id: 'x' },
  ],
  [
    'fabric_folder',
    { workspace_id: 'w', display_name: 'Shop' },
    { display_name: 'Other' },
    { id: 'x' },
  ],
  [
    'fabric_workspace_role_assignment',
    { workspace_id: 'w', principal: { id: 'P', type: 'User' }, role: 'Member' },
    { role: 'Admin' },
    { id: 'x' },
  ],
])('a killed creation of %s finds what it made', async (type, planned, otherValues, expected) => {
  const find = (values: ValueMap): unknown =>
    ({ ...azuread, ...fabric })[type]?.findExisting?.({
      api: { directory, items },
      planned: values,
      createdSince: new Date(start),
      isTaken: () => false,
      signal: new AbortController().signal,
    } as unknown as FindCall);
  expect(await find(planned)).toEqual(expected);
  expect(await find({ ...planned, ...otherValues })).toBeUndefined();
});

it.each([
  ['the group that is like the planned one', () => false, 'b'],
  ['another one where a resource has that', (id: string) => id === '/groups/b', 'a'],
])('finds %s among several of one name', async (_which, isTaken, expected) => {
  const groupOf = (id: string, description: string) => ({
    id,
    displayName: 'Sales',
    description,
    groupTypes: [],
    createdDateTime: start,
  });
  const noLinks = { list: () => listing() };
  const groups = {
    list: () => listing(groupOf('a', 'first'), groupOf('b', 'second')),
    owners: noLinks,
    members: noLinks,
    memberOf: noLinks,
  };
  const found = await azuread['azuread_group']?.findExisting?.({
    api: { directory: { groups } },
    planned: { display_name: 'Sales', description: 'second' },
    createdSince: new Date(start),
    isTaken,
  } as unknown as FindCall);
  expect(found).toEqual({ id: `/groups/${expected}`, object_id: expected });
});
