import type { Application } from '../../../../clients/directory/index.js';
import { quoted } from '../../../../clients/directory/index.js';
import type { ValueMap } from '../../../values/value.js';
import { ProviderFailure } from '../../failure.js';
import type { Context, DataSourceHandler } from '../../handler.js';
import { text } from '../../read-values.js';
import { flattenApplication, flattenSections } from '../application-state.js';
import { idsOf } from '../listing.js';
import { flattenRoles, flattenScopes } from '../service-principal.js';
import { equals, theOnly } from './find-one.js';

/** Blocks that the data source always shows. */
const shown = {
  public_client: [{}],
  single_page_application: [{}],
  web: [{ implicit_grant: [{}] }],
  optional_claims: [{}],
} as unknown as ValueMap;

/** The data source azuread_application. */
export const applicationData: DataSourceHandler = async ({ config, ...context }) => {
  const found = await findOne(config, context);
  const { app_role: _roles, template_id: _template, api: _api, ...sections } = flattenSections(found, shown);
  const { api } = found;
  return {
    ...flattenApplication(found),
    ...sections,
    identifier_uri: text(config, 'identifier_uri') ?? found.identifierUris?.[0] ?? '',
    app_roles: flattenRoles(found.appRoles),
    api: [
      {
        known_client_applications: [...(api?.knownClientApplications ?? [])],
        mapped_claims_enabled: api?.acceptMappedClaims ?? false,
        oauth2_permission_scopes: flattenScopes(api?.oauth2PermissionScopes),
        requested_access_token_version: api?.requestedAccessTokenVersion ?? 1,
      },
    ],
    owners: await idsOf(context.api.directory.applications.owners.list(found.id, { signal: context.signal })),
  };
};

async function findOne(config: ValueMap, { api, signal }: Context): Promise<Application> {
  const { applications } = api.directory;
  const [objectId, clientId, uri, name] = ['object_id', 'client_id', 'identifier_uri', 'display_name'].map((each) => text(config, each));
  if (objectId !== undefined) {
    const found = await applications.find(objectId, { signal });
    if (found === undefined) throw new ProviderFailure(`Application with object ID "${objectId}" was not found`);
    return found;
  }
  if (clientId !== undefined)
    return theOnly(applications.list({ filter: equals('appId', clientId), signal }), `Application with client ID "${clientId}"`);
  if (uri !== undefined)
    return theOnly(
      applications.list({ filter: `identifierUris/any(uri:uri eq ${quoted(uri)})`, signal }),
      `Application with identifier URI "${uri}"`,
    );
  return theOnly(applications.list({ filter: equals('displayName', name ?? ''), signal }), `Application with display name "${name ?? ''}"`);
}
