import { type IdentityProperties, type Resource, resourceId } from '../../../clients/resource-manager/index.js';
import type { Reported } from '../../planner/settle.js';
import { normalizeLocation } from '../../schemas/spelling.js';
import type { DataSourceHandler, ResourceHandler } from '../handler.js';
import { given, mustText, text, textMap } from '../read-values.js';
import { idForms, importById, placeOf, refuseExisting } from './existing.js';

const type = 'Microsoft.ManagedIdentity/userAssignedIdentities';

/** The resource azurerm_user_assigned_identity. */
export const userAssignedIdentity: ResourceHandler = {
  async create({ api, planned, signal }) {
    const id = resourceId(api.identity.subscriptionId, mustText(planned, 'resource_group_name'), type, mustText(planned, 'name'));
    refuseExisting(await api.resourceManager.identities.find(id, { signal }), id, 'azurerm_user_assigned_identity');
    const body = {
      location: normalizeLocation(mustText(planned, 'location')),
      properties: { isolationScope: text(planned, 'isolation_scope') ?? 'None' },
      tags: textMap(planned, 'tags'),
    };
    return toState(await api.resourceManager.identities.createOrUpdate(id, body, { signal }), id);
  },
  async read({ api, state, signal }) {
    const id = mustText(state, 'id');
    const found = await api.resourceManager.identities.find(id, { signal });
    return found === undefined ? undefined : toState(found, id);
  },
  async update({ api, planned, prior, signal }) {
    const id = mustText(prior, 'id');
    const scope = text(planned, 'isolation_scope') ?? 'None';
    const properties = scope === (text(prior, 'isolation_scope') ?? 'None') ? {} : { isolationScope: scope };
    return toState(await api.resourceManager.identities.update(id, { properties, tags: textMap(planned, 'tags') }, { signal }), id);
  },
  delete: ({ api, state, signal }) => api.resourceManager.identities.delete(mustText(state, 'id'), { signal }),
  import: importById(idForms.identity),
};

/** The data source azurerm_user_assigned_identity. */
export const userAssignedIdentityData: DataSourceHandler = async ({ api, config, signal }) => {
  const id = resourceId(api.identity.subscriptionId, mustText(config, 'resource_group_name'), type, mustText(config, 'name'));
  return toState(await api.resourceManager.identities.get(id, { signal }), id);
};

function toState({ location, tags, properties }: Resource<IdentityProperties>, id: string): Reported {
  const { name, resourceGroup } = placeOf(id);
  const scope = properties?.['isolationScope'];
  return {
    id,
    name,
    resource_group_name: resourceGroup,
    location: normalizeLocation(location ?? ''),
    tags: tags ?? {},
    isolation_scope: scope === 'None' || scope === undefined ? '' : String(scope),
    client_id: given(properties, 'clientId'),
    principal_id: given(properties, 'principalId'),
    tenant_id: given(properties, 'tenantId'),
  };
}
