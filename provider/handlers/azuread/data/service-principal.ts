import type { ServicePrincipal } from '../../../../clients/directory/index.js';
import type { ValueMap } from '../../../values/value.js';
import { type Context, type DataSourceHandler, ProviderFailure } from '../../handler.js';
import { flag, text, texts } from '../../read-values.js';
import { all } from '../listing.js';
import { flattenServicePrincipal } from '../service-principal.js';
import { equals, listId, theOnly } from './find-one.js';

/** The data source azuread_service_principal. */
export const servicePrincipalData: DataSourceHandler = async ({ config, ...context }) =>
  flattenServicePrincipal(await findOne(config, context));

async function findOne(config: ValueMap, { api, signal }: Context): Promise<ServicePrincipal> {
  const { servicePrincipals } = api.directory;
  const [objectId, clientId, displayName] = [text(config, 'object_id'), text(config, 'client_id'), text(config, 'display_name') ?? ''];
  if (objectId !== undefined) {
    const found = await servicePrincipals.find(objectId, { signal });
    if (found === undefined) throw new ProviderFailure(`Service principal with object ID "${objectId}" was not found`);
    return found;
  }
  if (clientId !== undefined)
    return theOnly(servicePrincipals.list({ filter: equals('appId', clientId), signal }), `Service principal with client ID "${clientId}"`);
  const same = ({ displayName: name }: ServicePrincipal): boolean => name.toLowerCase() === displayName.toLowerCase();
  return theOnly(
    servicePrincipals.list({ filter: equals('displayName', displayName), signal }),
    `Service principal with display name "${displayName}"`,
    same,
  );
}

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
export const servicePrincipalsData: DataSourceHandler = async ({ config, ...context }) => {
  const found = await findAll(config, context);
  return {
    id: listId(
      'servicePrincipals',
      found.map(({ id }) => id),
    ),
    object_ids: found.map(({ id }) => id),
    client_ids: found.map(({ appId }) => appId),
    display_names: found.map(({ displayName }) => displayName),
    service_principals: found.map((principal) => {
      const attributes = flattenServicePrincipal(principal);
      return Object.fromEntries(listed.map((name) => [name, attributes[name] ?? null]));
    }),
  };
};

async function findAll(config: ValueMap, { api, signal }: Context): Promise<ServicePrincipal[]> {
  const { servicePrincipals } = api.directory;
  if (flag(config, 'return_all')) return all(servicePrincipals.list({ signal }));
  const wanted = [
    ...texts(config, 'object_ids').map((value) => ['object ID', value, undefined] as const),
    ...texts(config, 'client_ids').map((value) => ['client ID', value, equals('appId', value)] as const),
    ...texts(config, 'display_names').map((value) => ['display name', value, equals('displayName', value)] as const),
  ];
  const found: ServicePrincipal[] = [];
  for (const [called, value, filter] of wanted) {
    const hits =
      filter === undefined
        ? [await servicePrincipals.find(value, { signal })].filter((each) => each !== undefined)
        : await all(servicePrincipals.list({ filter, signal }));
    if (hits.length === 0 && !flag(config, 'ignore_missing'))
      throw new ProviderFailure(`No service principal found with ${called}: "${value}"`);
    if (hits.length > 1) throw new ProviderFailure(`More than one service principal found with ${called}: "${value}"`);
    found.push(...hits);
  }
  return found;
}
