import { withFinders } from '../finders.js';
import type { DataSourceHandler, ResourceHandler } from '../handler.js';
import { finders } from './finders.js';
import { administrativeUnit, administrativeUnitMember, directoryRole } from './administrative-unit.js';
import { applicationOwner, appRoleAssignment, federatedIdentityCredential } from './application-links.js';
import * as parts from './application-part-kinds.js';
import { partHandler } from './application-part.js';
import { applicationRedirectUris } from './application-redirect-uris.js';
import { applicationRegistration } from './application-registration.js';
import { application } from './application.js';
import { applicationData } from './data/application.js';
import { clientConfigData } from './data/client-config.js';
import { domainsData } from './data/domains.js';
import { groupData, groupsData } from './data/group.js';
import { publishedAppIdsData } from './data/published-app-ids.js';
import { servicePrincipalData, servicePrincipalsData } from './data/service-principal.js';
import { userData, usersData } from './data/user.js';
import { groupMember } from './group-member.js';
import { group, groupWithoutMembers } from './group.js';
import { applicationPassword, servicePrincipalPassword } from './password.js';
import { servicePrincipal } from './service-principal.js';
import { user } from './user.js';

/** The resource types of azuread that are served. */
export const resources: Readonly<Record<string, ResourceHandler>> = withFinders(
  {
    azuread_application: application,
    azuread_application_registration: applicationRegistration,
    azuread_application_redirect_uris: applicationRedirectUris,
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
  finders,
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
