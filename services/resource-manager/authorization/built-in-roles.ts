/**
 * A built-in role of the cloud: its id, and the actions that it allows on resources and on their
 * data.
 */
export interface BuiltInRole {
  readonly id: string;
  /** `AcrPull`: the name that people see. */
  readonly name: string;
  readonly actions: readonly string[];
  readonly dataActions: readonly string[];
  /** Those of the actions that the role does not allow. */
  readonly notActions: readonly string[];
}

/** What a role allows: actions, data actions, and those of the actions that it excludes. */
const role = (
  id: string,
  name: string,
  actions: readonly string[],
  dataActions: readonly string[] = [],
  notActions: readonly string[] = [],
): BuiltInRole => ({ id, name, actions, dataActions, notActions });

const authorization = 'Microsoft.Authorization';
const registries = 'Microsoft.ContainerRegistry/registries';
const vaults = 'Microsoft.KeyVault/vaults';
const storage = 'Microsoft.Storage/storageAccounts';
const blobs = `${storage}/blobServices`;
const queues = `${storage}/queueServices`;
const tables = `${storage}/tableServices`;

/** The published roles that are commonly assigned for container apps. */
export const builtInRoles: readonly BuiltInRole[] = [
  role('8e3af657-a8ff-443c-a75c-2fe8c4bcb635', 'Owner', ['*']),
  role(
    'b24988ac-6180-42a0-ab88-20f7382dd24c',
    'Contributor',
    ['*'],
    [],
    ['*/Delete', '*/Write', 'elevateAccess/Action'].map((each) => `${authorization}/${each}`),
  ),
  role('acdd72a7-3385-48ef-bd42-f606fba81ae7', 'Reader', ['*/read']),
  role('18d7d88d-d35e-4fb5-a5c3-7773c20a72d9', 'User Access Administrator', [
    '*/read',
    `${authorization}/*`,
    'Microsoft.Support/*',
  ]),
  role('f58310d9-a9f6-439a-9e8d-f62e7b41a168', 'Role Based Access Control Administrator', [
    `${authorization}/roleAssignments/write`,
    `${authorization}/roleAssignments/delete`,
    '*/read',
    'Microsoft.Support/*',
  ]),
  role('7f951dda-4ed3-4680-a7ca-43fe172d538d', 'AcrPull', [`${registries}/pull/read`]),
  role('8311e382-0749-4cb8-b61a-304f252e45ec', 'AcrPush', [
    `${registries}/pull/read`,
    `${registries}/push/write`,
  ]),
  role('c2f4ef07-c644-48eb-af81-4b1b4947fb11', 'AcrDelete', [`${registries}/artifacts/delete`]),
  role(
    '00482a5a-887f-4fb3-b363-3b7fe8e74483',
    'Key Vault Administrator',
    [`${vaults}/*/read`],
    [`${vaults}/*`],
  ),
  role(
    '21090545-7ca7-4776-b22c-e363652d74d2',
    'Key Vault Reader',
    [`${vaults}/*/read`],
    [`${vaults}/*/read`, `${vaults}/secrets/readMetadata/action`],
  ),
  role(
    'b86a8fe4-44ce-4948-aee5-eccb2c155cd7',
    'Key Vault Secrets Officer',
    [`${vaults}/*/read`],
    [`${vaults}/secrets/*`],
  ),
  role(
    '4633458b-17de-408a-b874-0445c86b69e6',
    'Key Vault Secrets User',
    [],
    [`${vaults}/secrets/getSecret/action`, `${vaults}/secrets/readMetadata/action`],
  ),
  role(
    'a4417e6f-fecd-4de8-b567-7b0420556985',
    'Key Vault Certificates Officer',
    [`${vaults}/*/read`],
    [`${vaults}/certificatecas/*`, `${vaults}/certificates/*`],
  ),
  role(
    '14b46e9e-c2b7-41b4-b07b-48a6ebf60603',
    'Key Vault Crypto Officer',
    [`${vaults}/*/read`],
    [`${vaults}/keys/*`, `${vaults}/keyrotationpolicies/*`],
  ),
  role(
    'f25e0fa2-a7c8-4377-a976-54943a77a395',
    'Key Vault Contributor',
    ['Microsoft.KeyVault/*'],
    [],
    ['Microsoft.KeyVault/locations/deletedVaults/purge/action'],
  ),
  role('17d1049b-9a84-46fb-8f53-869881c3d3ab', 'Storage Account Contributor', [`${storage}/*`]),
  role(
    'b7e6dc6d-f1e8-4753-8033-0f276bb0955b',
    'Storage Blob Data Owner',
    [`${blobs}/containers/*`, `${blobs}/generateUserDelegationKey/action`],
    [`${blobs}/containers/blobs/*`],
  ),
  role(
    'ba92f5b4-2d11-453d-a403-e96b0029c9fe',
    'Storage Blob Data Contributor',
    [
      ...['delete', 'read', 'write'].map((each) => `${blobs}/containers/${each}`),
      `${blobs}/generateUserDelegationKey/action`,
    ],
    ['delete', 'read', 'write', 'move/action', 'add/action'].map(
      (each) => `${blobs}/containers/blobs/${each}`,
    ),
  ),
  role(
    '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1',
    'Storage Blob Data Reader',
    [`${blobs}/containers/read`, `${blobs}/generateUserDelegationKey/action`],
    [`${blobs}/containers/blobs/read`],
  ),
  role(
    '974c5e8b-45b9-4653-ba55-5f855dd0fb88',
    'Storage Queue Data Contributor',
    ['delete', 'read', 'write'].map((each) => `${queues}/queues/${each}`),
    ['delete', 'read', 'write', 'process/action'].map(
      (each) => `${queues}/queues/messages/${each}`,
    ),
  ),
  role(
    '19e7f393-937e-4f77-808e-94535e297925',
    'Storage Queue Data Reader',
    [`${queues}/queues/read`],
    [`${queues}/queues/messages/read`],
  ),
  role(
    '0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3',
    'Storage Table Data Contributor',
    ['read', 'write', 'delete'].map((each) => `${tables}/tables/${each}`),
    ['read', 'write', 'delete', 'add/action', 'update/action'].map(
      (each) => `${tables}/tables/entities/${each}`,
    ),
  ),
  role(
    '76199698-9eea-4c19-bc75-cec21354c6b6',
    'Storage Table Data Reader',
    [`${tables}/tables/read`],
    [`${tables}/tables/entities/read`],
  ),
  role('92aaf0da-9dab-42b6-94a3-d43ce8d16293', 'Log Analytics Contributor', [
    '*/read',
    'Microsoft.OperationalInsights/*',
    'Microsoft.OperationsManagement/*',
    'Microsoft.Insights/diagnosticSettings/*',
  ]),
  role(
    '73c42c96-874c-492b-b04d-ab87d138a893',
    'Log Analytics Reader',
    [
      '*/read',
      'Microsoft.OperationalInsights/workspaces/analytics/query/action',
      'Microsoft.OperationalInsights/workspaces/search/action',
      'Microsoft.Support/*',
    ],
    [],
    ['Microsoft.OperationalInsights/workspaces/sharedKeys/read'],
  ),
  role('43d0d8ad-25c7-4714-9337-8ba259a9fe05', 'Monitoring Reader', [
    '*/read',
    'Microsoft.OperationalInsights/workspaces/search/action',
    'Microsoft.Support/*',
  ]),
  role(
    '3913510d-42f4-4e42-8a64-420c390055eb',
    'Monitoring Metrics Publisher',
    [
      'Microsoft.Insights/Register/Action',
      'Microsoft.Support/*',
      'Microsoft.Resources/subscriptions/resourceGroups/read',
    ],
    ['Microsoft.Insights/Metrics/Write', 'Microsoft.Insights/Telemetry/Write'],
  ),
  role('f1a07417-d97a-45cb-824c-7a7467783830', 'Managed Identity Operator', [
    'Microsoft.ManagedIdentity/userAssignedIdentities/*/read',
    'Microsoft.ManagedIdentity/userAssignedIdentities/*/assign/action',
  ]),
  role(
    'e40ec5ca-96e0-45a2-b4ff-59039f2c2b59',
    'Managed Identity Contributor',
    ['read', 'write', 'delete'].map(
      (each) => `Microsoft.ManagedIdentity/userAssignedIdentities/${each}`,
    ),
  ),
  role('4d97b98b-1d4f-4787-a291-c67834d212e7', 'Network Contributor', ['Microsoft.Network/*']),
  role('b12aa53e-6015-4669-85d0-8515ebb3ae7f', 'Private DNS Zone Contributor', [
    'Microsoft.Network/privateDnsZones/*',
  ]),
  role('befefa01-2a29-4197-83a8-272ff33ce314', 'DNS Zone Contributor', [
    'Microsoft.Network/dnsZones/*',
  ]),
  role(
    '516239f1-63e1-4d78-a4de-a74fb236a071',
    'App Configuration Data Reader',
    [],
    ['Microsoft.AppConfiguration/configurationStores/*/read'],
  ),
  role(
    '090c5cfd-751d-490a-894a-3ce6f1109419',
    'Azure Service Bus Data Owner',
    ['Microsoft.ServiceBus/*'],
    ['Microsoft.ServiceBus/*'],
  ),
  role(
    '69a216fc-b8fb-44d8-bc22-1f3c2cd27a39',
    'Azure Service Bus Data Sender',
    ['Microsoft.ServiceBus/*/queues/read', 'Microsoft.ServiceBus/*/topics/read'],
    ['Microsoft.ServiceBus/*/send/action'],
  ),
  role(
    '4f6d3b9b-027b-4f4c-9142-0e5a2a2247e0',
    'Azure Service Bus Data Receiver',
    ['Microsoft.ServiceBus/*/queues/read', 'Microsoft.ServiceBus/*/topics/read'],
    ['Microsoft.ServiceBus/*/receive/action'],
  ),
  role(
    'f526a384-b230-433a-b45c-95f59c4a2dec',
    'Azure Event Hubs Data Owner',
    ['Microsoft.EventHub/*'],
    ['Microsoft.EventHub/*'],
  ),
  role(
    '2b629674-e913-4c01-ae53-ef4638d8f975',
    'Azure Event Hubs Data Sender',
    ['Microsoft.EventHub/*/eventhubs/read'],
    ['Microsoft.EventHub/*/send/action'],
  ),
  role(
    'a638d3c7-ab3a-418d-83e6-5f17a39d4fde',
    'Azure Event Hubs Data Receiver',
    ['Microsoft.EventHub/*/eventhubs/consumergroups/read'],
    ['Microsoft.EventHub/*/receive/action'],
  ),
  role(
    '5e0bd9bd-7b93-4f28-af87-19fc36ad61bd',
    'Cognitive Services OpenAI User',
    ['Microsoft.CognitiveServices/*/read'],
    ['Microsoft.CognitiveServices/accounts/OpenAI/*/read'],
  ),
];
