import { optionalText, textMap, textOrEmpty } from '../read-values.js';
import { normalizeLocation } from '../../schemas/spelling.js';
import { type BodyFields, flattenFields } from '../body-fields.js';
import { azurermResource } from './azurerm-resource.js';

const fields: BodyFields = {
  isolation_scope: {
    bodyPath: 'isolationScope',
    stateDefault: '',
    toState: (scope) => (scope === 'None' ? '' : scope),
  },
  client_id: 'clientId',
  principal_id: 'principalId',
  tenant_id: 'tenantId',
};

/** The resource and the data source azurerm_user_assigned_identity. */
export const userAssignedIdentity = azurermResource({
  type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
  nameInIds: 'userAssignedIdentityName',
  typeName: 'azurerm_user_assigned_identity',
  updateMethod: 'patch',
  expand(planned, { prior }) {
    const [scope, priorScope] = [planned, prior].map(
      (state) => optionalText(state, 'isolation_scope') ?? 'None',
    );
    const tags = textMap(planned, 'tags');
    if (prior !== undefined)
      return { properties: scope === priorScope ? {} : { isolationScope: scope }, tags };
    return {
      location: normalizeLocation(textOrEmpty(planned, 'location')),
      properties: { isolationScope: scope },
      tags,
    };
  },
  flatten: ({ properties }) => flattenFields(fields, properties),
});
