import type { ServicePrincipal } from '../../../../clients/directory/index.js';
import type { DataSourceHandler } from '../../handler.js';
import { isTrue, optionalText } from '../../read-values.js';
import { collectAll } from '../listing.js';
import { flattenServicePrincipal } from '../service-principal.js';
import { equalsFilter, findEach, findOne, type LookupKeys, listId } from './lookups.js';

const lookupKeys = {
  client_id: ['client ID', equalsFilter('appId')],
  display_name: ['display name', equalsFilter('displayName')],
} satisfies LookupKeys;

/** The data source azuread_service_principal. */
export const servicePrincipalData: DataSourceHandler = async ({ api, config, signal }) => {
  const { servicePrincipals: objects } = api.directory;
  const name = optionalText(config, 'display_name')?.toLowerCase();
  const matchesName = ({ displayName }: ServicePrincipal): boolean =>
    name === undefined || displayName.toLowerCase() === name;
  return flattenServicePrincipal(
    await findOne(config, {
      objects,
      noun: 'Service principal',
      keys: lookupKeys,
      matches: matchesName,
      signal,
    }),
  );
};

const listedAttributes = [
  'account_enabled',
  'app_role_assignment_required',
  'application_tenant_id',
  'client_id',
  'display_name',
  'object_id',
  'preferred_single_sign_on_mode',
  'saml_metadata_url',
  'service_principal_names',
  'sign_in_audience',
  'tags',
  'type',
];

/** The data source azuread_service_principals. */
export const servicePrincipalsData: DataSourceHandler = async ({ api, config, signal }) => {
  const { servicePrincipals } = api.directory;
  const listPrincipals = (filter: string): Promise<ServicePrincipal[]> =>
    collectAll(servicePrincipals.list({ filter, signal }));
  const principals = isTrue(config, 'return_all')
    ? await collectAll(servicePrincipals.list({ signal }))
    : await findEach<ServicePrincipal>(config, 'service principal', {
        object_ids: ['object ID', async (id) => [await servicePrincipals.find(id, { signal })]],
        client_ids: [lookupKeys.client_id[0], (id) => listPrincipals(lookupKeys.client_id[1](id))],
        display_names: [
          lookupKeys.display_name[0],
          (name) => listPrincipals(lookupKeys.display_name[1](name)),
        ],
      });
  const ids = principals.map(({ id }) => id);
  return {
    id: listId('servicePrincipals', ids),
    object_ids: ids,
    client_ids: principals.map(({ appId }) => appId),
    display_names: principals.map(({ displayName }) => displayName),
    service_principals: principals.map((principal) => {
      const attributes = flattenServicePrincipal(principal);
      return Object.fromEntries(listedAttributes.map((name) => [name, attributes[name] ?? null]));
    }),
  };
};
