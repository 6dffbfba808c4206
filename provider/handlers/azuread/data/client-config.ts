import type { DataSourceHandler } from '../../handler.js';

/** The data source azuread_client_config: who applies, without a request but for the token. */
export const clientConfigData: DataSourceHandler = async ({ api: { identity } }) => {
  const [clientId, objectId] = await Promise.all([identity.clientId(), identity.objectId()]);
  const { tenantId } = identity;
  return { id: `${tenantId}-${clientId}-${objectId}`, tenant_id: tenantId, client_id: clientId, object_id: objectId };
};
