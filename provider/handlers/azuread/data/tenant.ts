import { type DataSourceHandler, ProviderFailure } from '../../handler.js';
import type { Domain } from '../../../../clients/directory/index.js';
import { isTrue, textList } from '../../read-values.js';
import { collectAll } from '../listing.js';
import { listId } from './lookups.js';

/** The data source azuread_client_config: the caller, without a request except for the token. */
export const clientConfigData: DataSourceHandler = async ({ api: { identity } }) => {
  const [clientId, objectId] = await Promise.all([identity.clientId(), identity.objectId()]);
  const { tenantId } = identity;
  return {
    id: `${tenantId}-${clientId}-${objectId}`,
    tenant_id: tenantId,
    client_id: clientId,
    object_id: objectId,
  };
};

/** The data source azuread_domains. */
export const domainsData: DataSourceHandler = async ({ api, config, signal }) => {
  const services = textList(config, 'supports_services');
  const matches = (domain: Domain): boolean =>
    (!isTrue(config, 'admin_managed') || domain.isAdminManaged !== false) &&
    (isTrue(config, 'include_unverified') || domain.isVerified !== false) &&
    (!isTrue(config, 'only_default') || domain.isDefault !== false) &&
    (!isTrue(config, 'only_initial') || domain.isInitial !== false) &&
    (!isTrue(config, 'only_root') || domain.isRoot !== false) &&
    services.every((service) => domain.supportedServices?.includes(service));
  const domains = (await collectAll(api.directory.domains.list({ signal }))).filter(matches);
  if (domains.length === 0) throw new ProviderFailure('No domains found for the provided filters');
  return {
    id: listId(
      'domains',
      domains.map(({ id }) => id),
    ),
    domains: domains.map((domain) => ({
      admin_managed: domain.isAdminManaged ?? false,
      authentication_type: domain.authenticationType ?? '',
      default: domain.isDefault ?? false,
      domain_name: domain.id,
      initial: domain.isInitial ?? false,
      root: domain.isRoot ?? false,
      supported_services: [...(domain.supportedServices ?? [])],
      verified: domain.isVerified ?? false,
    })),
  };
};
