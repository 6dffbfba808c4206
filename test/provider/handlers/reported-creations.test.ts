import { readServiceError } from '../../../clients/common/index.js';
import { resources as azapi } from '../../../provider/handlers/azapi/index.js';
import { resources as azuread } from '../../../provider/handlers/azuread/index.js';
import { resources as azurerm } from '../../../provider/handlers/azurerm/index.js';
import type { Api, CreateCall, ResourceHandler } from '../../../provider/handlers/handler.js';
import { fromJson } from '../../../provider/values/json.js';
import type { ValueMap } from '../../../provider/values/value.js';

const refusal = readServiceError(
  { method: 'POST', url: 'https://x/y' },
  new Response(null, { status: 403 }),
  { error: { code: 'AuthorizationFailed', message: 'no' } },
);
const refuse = (): Promise<never> => Promise.reject(refusal);
const created = (id: string): Promise<object> => Promise.resolve({ id, properties: {} });
const appId = '11111111-2222-4333-8444-555555555555';

/** Services that create everything, and answer no question about it. */
const api = {
  identity: { subscriptionId: 's' },
  resourceManager: {
    resources: {
      find: () => Promise.resolve(undefined),
      get: refuse,
      put: created,
    },
    managedEnvironments: { get: () => Promise.resolve({ location: 'westeurope' }) },
    containerApps: { listSecrets: refuse },
    logWorkspaces: { sharedKeys: refuse },
    http: { sleep: () => Promise.resolve() },
  },
  directory: {
    applications: {
      get: () => Promise.resolve({ id: appId }),
      update: () => Promise.resolve(),
      find: refuse,
    },
  },
} as unknown as Api;

const inGroup = { name: 'x', resource_group_name: 'rg', location: 'westeurope' };
const group = '/subscriptions/s/resourceGroups/rg';
const creations: readonly (readonly [string, ResourceHandler | undefined, ValueMap, string])[] = [
  [
    'azurerm_container_app',
    azurerm['azurerm_container_app'],
    { ...inGroup, container_app_environment_id: '/e', template: [{}] },
    `${group}/providers/Microsoft.App/containerApps/x`,
  ],
  [
    'azurerm_log_analytics_workspace',
    azurerm['azurerm_log_analytics_workspace'],
    inGroup,
    `${group}/providers/Microsoft.OperationalInsights/workspaces/x`,
  ],
  [
    'azapi_resource',
    azapi['azapi_resource'],
    { type: 'Microsoft.App/jobs@2025-07-01', name: 'x', parent_id: group, body: fromJson({}) },
    `${group}/providers/Microsoft.App/jobs/x`,
  ],
  [
    'azuread_application_redirect_uris',
    azuread['azuread_application_redirect_uris'],
    { application_id: `/applications/${appId}`, type: 'Web', redirect_uris: ['https://x/'] },
    `/applications/${appId}/redirectUris/Web`,
  ],
];

test.each(creations)(
  'a new %s is in the state even if it cannot be read',
  async (_type, handler, planned, id) => {
    const reportCreated = vi.fn();
    const call = {
      api,
      planned,
      config: planned,
      providerConfig: {},
      signal: new AbortController().signal,
      reportCreated,
    };
    await expect(handler?.create(call as unknown as CreateCall)).rejects.toBe(refusal);
    expect(reportCreated).toHaveBeenCalledWith({ id });
  },
);

test.each([
  ['is in the state if its provisioning failed', { id: 'x' }, 1],
  ['is not in the state if it was refused', undefined, 0],
])('a new azapi_resource %s', async (_what, afterwards, reports) => {
  const reportCreated = vi.fn();
  const find = vi.fn().mockResolvedValueOnce(undefined).mockResolvedValueOnce(afterwards);
  const resources = { ...api.resourceManager.resources, put: refuse, find };
  const planned = { type: 'Microsoft.App/jobs@2025-07-01', name: 'x', parent_id: group };
  const call = {
    api: { ...api, resourceManager: { ...api.resourceManager, resources } },
    planned: { ...planned, body: fromJson({}) },
    config: planned,
    providerConfig: {},
    signal: new AbortController().signal,
    reportCreated,
  };
  await expect(azapi['azapi_resource']?.create(call as unknown as CreateCall)).rejects.toBe(
    refusal,
  );
  expect(reportCreated).toHaveBeenCalledTimes(reports);
  if (reports > 0)
    expect(reportCreated).toHaveBeenCalledWith({ id: `${group}/providers/Microsoft.App/jobs/x` });
});
