import { type Finder, isMadeSince, withFinders } from '../finders.js';
import type { DataSourceHandler, ResourceHandler } from '../handler.js';
import { administrativeUnit, directoryRole } from './administrative-unit.js';
import { appRoleAssignment, federatedIdentityCredential } from './application-links.js';
import * as parts from './application-part-kinds.js';
import { partHandler } from './application-part.js';
import { applicationRegistration } from './application-registration.js';
import { application } from './application.js';
import { applicationData, publishedAppIdsData } from './data/application.js';
import { clientConfigData, domainsData } from './data/tenant.js';
import { groupData, groupsData } from './data/group.js';
import { servicePrincipalData, servicePrincipalsData } from './data/service-principal.js';
import { userData, usersData } from './data/user.js';
import { group, groupWithoutMembers } from './group.js';
import { administrativeUnitMember, applicationOwner, groupMember } from './link.js';
import { applicationPassword, servicePrincipalPassword } from './password.js';
import { servicePrincipal } from './service-principal.js';
import { user } from './user.js';
import { quoted } from '../../../clients/directory/index.js';
import { mustText, text, texts } from '../read-values.js';
import { applicationId, applicationOf, bareId, groupId, servicePrincipalId, userId } from './ids.js';

const findGroup: Finder = async ({ api, planned, begunAt, signal }) => {
  const [displayName, mailNickname] = [mustText(planned, 'display_name'), text(planned, 'mail_nickname')];
  for await (const group of api.directory.groups.list({ filter: `displayName eq ${quoted(displayName)}`, signal })) {
    const same = mailNickname === undefined || group.mailNickname === mailNickname;
    if (same && isMadeSince(begunAt, group.createdDateTime)) return { id: groupId(group.id), object_id: group.id };
  }
  return undefined;
};

const findApplication: Finder = async ({ api, planned, begunAt, signal }) => {
  const filter = `displayName eq ${quoted(mustText(planned, 'display_name'))}`;
  for await (const application of api.directory.applications.list({ filter, signal }))
    if (isMadeSince(begunAt, application.createdDateTime))
      return { id: applicationId(application.id), object_id: application.id, client_id: application.appId };
  return undefined;
};

const findServicePrincipal: Finder = async ({ api, planned, signal }) => {
  const filter = `appId eq ${quoted(mustText(planned, 'client_id'))}`;
  for await (const { id } of api.directory.servicePrincipals.list({ filter, signal })) return { id: servicePrincipalId(id), object_id: id };
  return undefined;
};

const findUser: Finder = async ({ api, planned, signal }) => {
  const filter = `userPrincipalName eq ${quoted(mustText(planned, 'user_principal_name'))}`;
  for await (const { id } of api.directory.users.list({ filter, signal })) return { id: userId(id), object_id: id };
  return undefined;
};

const findPassword: Finder = async ({ api, planned, begunAt, signal }) => {
  const owner = bareId(mustText(planned, 'application_id'));
  const found = await api.directory.applications.find(owner, { signal });
  const credential = found?.passwordCredentials?.find(
    (each) => each.displayName === (text(planned, 'display_name') ?? null) && isMadeSince(begunAt, each.startDateTime),
  );
  return credential === undefined ? undefined : { id: `${owner}/password/${credential.keyId}`, key_id: credential.keyId };
};

const findRedirectUris: Finder = async ({ api, planned, signal }) => {
  const owner = applicationOf(mustText(planned, 'application_id'));
  const found = await api.directory.applications.find(owner, { signal });
  const existing = found === undefined ? [] : parts.redirectUrisOf(found, planned);
  const wanted = new Set(texts(planned, 'redirect_uris'));
  if (existing.length !== wanted.size || !existing.every((uri) => wanted.has(uri))) return undefined;
  return { id: parts.redirectUris.id(owner, planned) };
};

/** The resource types of azuread that are served. */
export const resources: Readonly<Record<string, ResourceHandler>> = withFinders(
  {
    azuread_application: application,
    azuread_application_registration: applicationRegistration,
    azuread_application_redirect_uris: partHandler(parts.redirectUris),
    azuread_application_password: applicationPassword,
    azuread_service_principal: servicePrincipal,
    azuread_service_principal_password: servicePrincipalPassword,
    azuread_group: group,
    azuread_group_without_members: groupWithoutMembers,
    azuread_group_member: groupMember,
    azuread_user: user,
    azuread_application_app_role: partHandler(parts.appRole),
    azuread_application_permission_scope: partHandler(parts.permissionScope),
    azuread_application_identifier_uri: partHandler(parts.identifierUri),
    azuread_application_api_access: partHandler(parts.apiAccess),
    azuread_application_known_clients: partHandler(parts.knownClients),
    azuread_application_optional_claims: partHandler(parts.optionalClaims),
    azuread_application_pre_authorized: partHandler(parts.preAuthorized),
    azuread_application_fallback_public_client: partHandler(parts.fallbackPublicClient),
    azuread_application_owner: applicationOwner,
    azuread_application_federated_identity_credential: federatedIdentityCredential,
    azuread_app_role_assignment: appRoleAssignment,
    azuread_administrative_unit: administrativeUnit,
    azuread_administrative_unit_member: administrativeUnitMember,
    azuread_directory_role: directoryRole,
  },
  // How what azuread made is found again
  {
    azuread_group: findGroup,
    azuread_group_without_members: findGroup,
    azuread_application: findApplication,
    azuread_application_registration: findApplication,
    azuread_service_principal: findServicePrincipal,
    azuread_user: findUser,
    azuread_application_password: findPassword,
    azuread_application_redirect_uris: findRedirectUris,
  },
);

/** The data sources of azuread that are served. */
export const dataSources: Readonly<Record<string, DataSourceHandler>> = {
  azuread_client_config: clientConfigData,
  azuread_user: userData,
  azuread_users: usersData,
  azuread_group: groupData,
  azuread_groups: groupsData,
  azuread_application: applicationData,
  azuread_service_principal: servicePrincipalData,
  azuread_service_principals: servicePrincipalsData,
  azuread_domains: domainsData,
  azuread_application_published_app_ids: publishedAppIdsData,
};
