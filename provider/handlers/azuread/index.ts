import type { DataSourceHandler, ResourceHandler } from '../handler.js';
import { administrativeUnit } from './administrative-unit.js';
import { directoryRole } from './directory-role.js';
import { appRoleAssignment } from './app-role-assignment.js';
import { federatedIdentityCredential } from './federated-identity-credential.js';
import * as applicationParts from './application-parts.js';
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

/** The resource types of azuread that are served. */
export const resources: Readonly<Record<string, ResourceHandler>> = {
  azuread_application: application,
  azuread_application_registration: applicationRegistration,
  azuread_application_redirect_uris: applicationParts.redirectUris,
  azuread_application_password: applicationPassword,
  azuread_service_principal: servicePrincipal,
  azuread_service_principal_password: servicePrincipalPassword,
  azuread_group: group,
  azuread_group_without_members: groupWithoutMembers,
  azuread_group_member: groupMember,
  azuread_user: user,
  azuread_application_app_role: applicationParts.appRole,
  azuread_application_permission_scope: applicationParts.permissionScope,
  azuread_application_identifier_uri: applicationParts.identifierUri,
  azuread_application_api_access: applicationParts.apiAccess,
  azuread_application_known_clients: applicationParts.knownClients,
  azuread_application_optional_claims: applicationParts.optionalClaims,
  azuread_application_pre_authorized: applicationParts.preAuthorized,
  azuread_application_fallback_public_client: applicationParts.fallbackPublicClient,
  azuread_application_owner: applicationOwner,
  azuread_application_federated_identity_credential: federatedIdentityCredential,
  azuread_app_role_assignment: appRoleAssignment,
  azuread_administrative_unit: administrativeUnit,
  azuread_administrative_unit_member: administrativeUnitMember,
  azuread_directory_role: directoryRole,
};

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
