import type { DataSourceHandler } from '../handler.js';

/** The data source azurerm_client_config: who applies, without a request. */
export const clientConfigData: DataSourceHandler = async ({ api: { identity } }) => {
  const [clientId, objectId] = await Promise.all([identity.clientId(), identity.objectId()]);
  const { tenantId, subscriptionId } = identity;
  const id = Buffer.from(
    `clientConfigs/clientId=${clientId};objectId=${objectId};subscriptionId=${subscriptionId};tenantId=${tenantId}`,
  ).toString('base64');
  return { id, client_id: clientId, object_id: objectId, tenant_id: tenantId, subscription_id: subscriptionId };
};
