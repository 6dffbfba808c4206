import { administrativeUnit } from './administrative-unit.js';
import { administrativeUnitMember } from './administrative-unit-member.js';
import { appRoleAssignment } from './app-role-assignment.js';
import { application } from './application.js';
import { applicationApiAccess } from './application-api-access.js';
import { applicationAppRole } from './application-app-role.js';
import { applicationFallbackPublicClient } from './application-fallback-public-client.js';
import { applicationFederatedIdentityCredential } from './application-federated-identity-credential.js';
import { applicationIdentifierUri } from './application-identifier-uri.js';
import { applicationKnownClients } from './application-known-clients.js';
import { applicationOptionalClaims } from './application-optional-claims.js';
import { applicationOwner } from './application-owner.js';
import { applicationPassword } from './application-password.js';
import { applicationPermissionScope } from './application-permission-scope.js';
import { applicationPreAuthorized } from './application-pre-authorized.js';
import { applicationRedirectUris } from './application-redirect-uris.js';
import { applicationRegistration } from './application-registration.js';
import { applicationData } from './data/application.js';
import { applicationPublishedAppIdsData } from './data/application-published-app-ids.js';
import { clientConfigData } from './data/client-config.js';
import { domainsData } from './data/domains.js';
import { groupData } from './data/group.js';
import { groupsData } from './data/groups.js';
import { servicePrincipalData } from './data/service-principal.js';
import { servicePrincipalsData } from './data/service-principals.js';
import { userData } from './data/user.js';
import { usersData } from './data/users.js';
import { directoryRole } from './directory-role.js';
import { group } from './group.js';
import { groupMember } from './group-member.js';
import { groupWithoutMembers } from './group-without-members.js';
import { servicePrincipal } from './service-principal.js';
import { servicePrincipalPassword } from './service-principal-password.js';
import { user } from './user.js';
import { providerConfig } from './provider.js';
import type { ProviderSchema } from '../schema.js';

/** hashicorp/azuread 3.9. */
export const azureadSchema: ProviderSchema = {
  address: 'registry.terraform.io/hashicorp/azuread',
  style: 'classic',
  config: providerConfig,
  resources: {
    azuread_application: application,
    azuread_application_registration: applicationRegistration,
    azuread_application_redirect_uris: applicationRedirectUris,
    azuread_application_password: applicationPassword,
    azuread_service_principal: servicePrincipal,
    azuread_group: group,
    azuread_group_member: groupMember,
    azuread_group_without_members: groupWithoutMembers,
    azuread_app_role_assignment: appRoleAssignment,
    azuread_user: user,
    azuread_application_app_role: applicationAppRole,
    azuread_application_owner: applicationOwner,
    azuread_application_identifier_uri: applicationIdentifierUri,
    azuread_application_permission_scope: applicationPermissionScope,
    azuread_application_api_access: applicationApiAccess,
    azuread_application_known_clients: applicationKnownClients,
    azuread_application_optional_claims: applicationOptionalClaims,
    azuread_application_pre_authorized: applicationPreAuthorized,
    azuread_application_fallback_public_client: applicationFallbackPublicClient,
    azuread_application_federated_identity_credential: applicationFederatedIdentityCredential,
    azuread_service_principal_password: servicePrincipalPassword,
    azuread_administrative_unit: administrativeUnit,
    azuread_administrative_unit_member: administrativeUnitMember,
    azuread_directory_role: directoryRole,
  },
  dataSources: {
    azuread_client_config: clientConfigData,
    azuread_user: userData,
    azuread_users: usersData,
    azuread_group: groupData,
    azuread_service_principal: servicePrincipalData,
    azuread_application: applicationData,
    azuread_domains: domainsData,
    azuread_groups: groupsData,
    azuread_service_principals: servicePrincipalsData,
    azuread_application_published_app_ids: applicationPublishedAppIdsData,
  },
};
