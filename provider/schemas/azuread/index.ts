import { administrativeUnit, administrativeUnitMember, directoryRole } from './administrative-unit.js';
import {
  appRoleAssignment,
  servicePrincipalData,
  servicePrincipalsData,
  servicePrincipal,
  servicePrincipalPassword,
} from './service-principal.js';
import { application, applicationData, applicationPublishedAppIdsData } from './application.js';
import {
  applicationApiAccess,
  applicationAppRole,
  applicationFallbackPublicClient,
  applicationFederatedIdentityCredential,
  applicationIdentifierUri,
  applicationKnownClients,
  applicationOptionalClaims,
  applicationOwner,
  applicationPassword,
  applicationPermissionScope,
  applicationPreAuthorized,
  applicationRedirectUris,
  applicationRegistration,
} from './application-parts.js';
import { clientConfigData, domainsData, providerConfig } from './provider.js';
import { groupData, groupsData, group, groupMember, groupWithoutMembers } from './group.js';
import { userData, usersData, user } from './user.js';
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
