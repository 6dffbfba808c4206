import { derivedId } from '../../../core/values/derived-id.js';
import { insufficientPrivileges } from '../http/answers.js';
import type { Directory } from '../kernel/directory.js';
import type { StoredObject } from '../store/objects.js';
import { emptyServicePrincipal } from './create-service-principal.js';
import { servicePrincipalType } from './service-principal-type.js';
import { directoryAppRoles, directoryScopes } from './well-known-permissions.js';
import { formatInstant } from '../kernel/presentation.js';

/** The cloud's tenant, to which its own applications belong. */
const platformTenantId = 'f8cdef31-a31e-4b4a-93e4-5f571e91255a';

/** An application of the cloud itself. Roles and scopes are ids by value. */
interface FirstPartyApplication {
  readonly displayName: string;
  /** Those besides the appId. @default none */
  readonly servicePrincipalNames?: readonly string[];
  readonly roles?: Readonly<Record<string, string>>;
  readonly scopes?: Readonly<Record<string, string>>;
}

/**
 * The cloud's own applications that configurations commonly name, by appId. Those without `scopes`
 * get `user_impersonation` with an id of this service.
 */
const applications: Readonly<Record<string, FirstPartyApplication>> = {
  '00000003-0000-0000-c000-000000000000': {
    displayName: 'Microsoft Graph',
    servicePrincipalNames: ['https://graph.microsoft.com', 'https://canary.graph.microsoft.com'],
    roles: directoryAppRoles,
    scopes: directoryScopes,
  },
  '00000002-0000-0000-c000-000000000000': {
    displayName: 'Windows Azure Active Directory',
    servicePrincipalNames: ['https://graph.windows.net'],
    roles: {
      'Directory.Read.All': '5778995a-e1bf-45b8-affa-663a9f3f4d04',
      'Application.ReadWrite.OwnedBy': '824c81eb-e3f8-4ee6-8f6d-de7f50d565b7',
    },
    scopes: { 'User.Read': '311a71cc-e848-46a1-bdf8-97ff7156d8e6' },
  },
  '797f4846-ba00-4fd7-ba43-dac1f8f63013': {
    displayName: 'Windows Azure Service Management API',
    servicePrincipalNames: [
      'https://management.core.windows.net/',
      'https://management.azure.com/',
    ],
    scopes: { user_impersonation: '41094075-9dad-400e-a0bd-54e686782033' },
  },
  '04b07795-8ddb-461a-bbee-02f9e1bf7b46': { displayName: 'Microsoft Azure CLI' },
  'c44b4083-3bb0-49c1-b47d-974e53cbdf3c': { displayName: 'Azure Portal' },
  'cfa8b339-82a2-471a-a3c9-0fc0be7a4093': {
    displayName: 'Azure Key Vault',
    servicePrincipalNames: ['https://vault.azure.net'],
    scopes: { user_impersonation: 'f53da476-18e3-4152-8e01-aec403e6edc0' },
  },
  'e406a681-f3d4-42a8-90b6-c2b029497af1': {
    displayName: 'Azure Storage',
    servicePrincipalNames: ['https://storage.azure.com/'],
    scopes: { user_impersonation: '03e0da56-190b-40ad-a80c-ea378c433f7f' },
  },
  '022907d3-0f1b-48f7-badc-1ba6abab6d66': {
    displayName: 'Azure SQL Database',
    servicePrincipalNames: ['https://database.windows.net/'],
    scopes: { user_impersonation: 'c39ef2d1-04ce-46dc-8b5f-e9a5c60f0fc9' },
  },
  '499b84ac-1321-427f-aa17-267ca6975798': {
    displayName: 'Azure DevOps',
    scopes: { user_impersonation: 'ee69721e-6c3a-468f-a9ec-302d16a4c599' },
  },
  'abfa0a7c-a6b6-4736-8310-5855508787cd': { displayName: 'Microsoft Azure App Service' },
  '6a0ec4d3-30cb-4a83-91c0-ae56bc0e3d26': { displayName: 'Azure Container Registry' },
  '6dae42f8-4368-4678-94ff-3960e28e3630': { displayName: 'Azure Kubernetes Service AAD Server' },
  'ca7f3f0b-7d91-482c-8e09-c5d840d0eac5': {
    displayName: 'Log Analytics API',
    servicePrincipalNames: ['https://api.loganalytics.io'],
  },
  '80a10ef9-8168-493d-abf9-3297c4ef6e3c': {
    displayName: 'Microsoft.ServiceBus',
    servicePrincipalNames: ['https://servicebus.azure.net/'],
  },
  '80369ed6-5f11-4dd9-bef3-692475845e77': {
    displayName: 'Microsoft.EventHubs',
    servicePrincipalNames: ['https://eventhubs.azure.net/'],
  },
  'a232010e-820c-4083-83bb-3ace5fc29d0b': {
    displayName: 'Azure Cosmos DB',
    servicePrincipalNames: ['https://cosmos.azure.com'],
  },
  '2746ea77-4702-4b45-80ca-3c97e680e8b7': {
    displayName: 'Azure Data Explorer',
    servicePrincipalNames: ['https://kusto.kusto.windows.net'],
  },
  '00000009-0000-0000-c000-000000000000': {
    displayName: 'Power BI Service',
    servicePrincipalNames: ['https://analysis.windows.net/powerbi/api'],
  },
  '9e09aefc-b2e5-4d19-9f74-3e3e8b11a57b': { displayName: 'Azure Synapse Gateway' },
  '73c2949e-da2d-457a-9607-fcc665198967': { displayName: 'Azure Purview' },
  '00000002-0000-0ff1-ce00-000000000000': {
    displayName: 'Office 365 Exchange Online',
    servicePrincipalNames: ['https://outlook.office.com'],
  },
  '00000003-0000-0ff1-ce00-000000000000': { displayName: 'Office 365 SharePoint Online' },
  '1fec8e78-bce4-4aaf-ab1b-5451cc387264': { displayName: 'Microsoft Teams' },
};

/** Adds the service principals of the cloud's own applications, unless they exist. */
export async function addFirstPartyPrincipals(directory: Directory): Promise<void> {
  await directory.sql.transaction(async () => {
    for (const [appId, application] of Object.entries(applications)) {
      const id = derivedId(`castellan principal ${appId}`);
      if ((await directory.objects.get(id)) === undefined)
        await directory.objects.create(
          servicePrincipalType,
          id,
          principalBody(directory, appId, application),
        );
    }
  });
}

/**
 * Checks that a service principal is not one of the cloud itself, which cannot be deleted.
 *
 * @throws DirectoryError 403.
 */
export function checkNotFirstParty(object: StoredObject): void {
  if (object.body['appOwnerOrganizationId'] === platformTenantId)
    throw insufficientPrivileges('a service principal of the platform itself cannot be deleted');
}

function principalBody(
  directory: Directory,
  appId: string,
  { displayName, servicePrincipalNames = [], roles = {}, scopes }: FirstPartyApplication,
): Record<string, unknown> {
  const permissionScopes = scopes ?? { user_impersonation: derivedId(`castellan scope ${appId}`) };
  return {
    ...emptyServicePrincipal(directory),
    appId,
    displayName,
    appDisplayName: displayName,
    appOwnerOrganizationId: platformTenantId,
    createdDateTime: formatInstant(directory.clock.now()),
    signInAudience: 'AzureADMultipleOrgs',
    servicePrincipalNames: [appId, ...servicePrincipalNames],
    replyUrls: [],
    appRoles: Object.entries(roles).map(([value, id]) => ({
      allowedMemberTypes: ['Application'],
      description: value,
      displayName: value,
      id,
      isEnabled: true,
      origin: 'Application',
      value,
    })),
    oauth2PermissionScopes: Object.entries(permissionScopes).map(([value, id]) => ({
      adminConsentDescription: value,
      adminConsentDisplayName: value,
      id,
      isEnabled: true,
      type: value.endsWith('.All') ? 'Admin' : 'User',
      userConsentDescription: value,
      userConsentDisplayName: value,
      value,
    })),
  };
}
