import { resources as azapi } from '../../../provider/handlers/azapi/index.js';
import { resources as azurerm } from '../../../provider/handlers/azurerm/index.js';
import type { Api, FindCall } from '../../../provider/handlers/handler.js';

const start = '2026-01-01T12:00:00Z';
const group = '/subscriptions/s/resourceGroups/rg';
const inGroup = { name: 'x', resource_group_name: 'rg' };
const types = [
  ['azurerm_container_app', azurerm['azurerm_container_app'], inGroup],
  [
    'azapi_resource',
    azapi['azapi_resource'],
    { type: 'Microsoft.App/containerApps@2025-07-01', name: 'x', parent_id: group },
  ],
] as const;
const resources = [
  ['made meanwhile', { systemData: { createdAt: '2026-01-01T12:00:01Z' } }, true],
  ['older than the killed creation', { systemData: { createdAt: '2025-12-31T00:00:00Z' } }, false],
  ['of unknown age', {}, true],
  ['missing', undefined, false],
] as const;

describe.each(types)('a killed creation of %s', (_type, handler, planned) => {
  it.each(resources)('looks for a resource that is %s', async (_which, resource, isAdopted) => {
    const api = {
      identity: { subscriptionId: 's' },
      resourceManager: { resources: { find: () => Promise.resolve(resource) }, http: {} },
    } as unknown as Api;
    const found = await handler?.findExisting?.({
      api,
      planned,
      createdSince: new Date(start),
      signal: new AbortController().signal,
    } as unknown as FindCall);
    const id = `${group}/providers/Microsoft.App/containerApps/x`;
    expect(found).toEqual(isAdopted ? { id } : undefined);
  });
});
