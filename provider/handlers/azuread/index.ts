import { withFinders } from '../finders.js';
import type { DataSourceHandler, ResourceHandler } from '../handler.js';
import { finders } from './finders.js';
import { applicationRedirectUris } from './application-redirect-uris.js';
import { applicationRegistration } from './application-registration.js';
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

/** The resource types of azuread that are served. */
export const resources: Readonly<Record<string, ResourceHandler>> = withFinders(
  {
    azuread_application_registration: applicationRegistration,
    azuread_application_redirect_uris: applicationRedirectUris,
    azuread_application_password: applicationPassword,
    azuread_service_principal: servicePrincipal,
    azuread_service_principal_password: servicePrincipalPassword,
    azuread_group: group,
    azuread_group_without_members: groupWithoutMembers,
    azuread_group_member: groupMember,
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
  azuread_service_principal: servicePrincipalData,
  azuread_service_principals: servicePrincipalsData,
  azuread_domains: domainsData,
  azuread_application_published_app_ids: publishedAppIdsData,
};
