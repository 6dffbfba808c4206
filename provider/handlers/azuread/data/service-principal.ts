import type { ServicePrincipal } from '../../../../clients/directory/index.js';
import type { DataSourceHandler } from '../../handler.js';
import { isTrue, text } from '../../read-values.js';
import { collectAll } from '../listing.js';
import { flattenServicePrincipal } from '../service-principal.js';
import { equals, findEach, findOne, type Keys, listId } from './lookups.js';

const keys = {
  client_id: ['client ID', equals('appId')],
  display_name: ['display name', equals('displayName')],
} satisfies Keys;

/** The data source azuread_service_principal. */
export const servicePrincipalData: DataSourceHandler = async ({ api, config, signal }) => {
  const { servicePrincipals: objects } = api.directory;
  const name = text(config, 'display_name')?.toLowerCase();
  const fits = ({ displayName }: ServicePrincipal): boolean =>
    name === undefined || displayName.toLowerCase() === name;
  return flattenServicePrincipal(
    await findOne(config, { objects, noun: 'Service principal', keys, fits, signal }),
  );
};

const listed = [
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
  const list = (filter: string): Promise<ServicePrincipal[]> =>
    collectAll(servicePrincipals.list({ filter, signal }));
  const principals = isTrue(config, 'return_all')
    ? await collectAll(servicePrincipals.list({ signal }))
    : await findEach<ServicePrincipal>(config, 'service principal', {
        object_ids: ['object ID', async (id) => [await servicePrincipals.find(id, { signal })]],
        client_ids: [keys.client_id[0], (id) => list(keys.client_id[1](id))],
        display_names: [keys.display_name[0], (name) => list(keys.display_name[1](name))],
      });
  const ids = principals.map(({ id }) => id);
  return {
    id: listId('servicePrincipals', ids),
    object_ids: ids,
    client_ids: principals.map(({ appId }) => appId),
    display_names: principals.map(({ displayName }) => displayName),
    service_principals: principals.map((principal) => {
      const attributes = flattenServicePrincipal(principal);
      return Object.fromEntries(listed.map((name) => [name, attributes[name] ?? null]));
    }),
  };
};
