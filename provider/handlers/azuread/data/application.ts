import { quote } from '../../../../clients/directory/index.js';
import type { ValueMap } from '../../../values/value.js';
import type { DataSourceHandler } from '../../handler.js';
import { optionalText } from '../../read-values.js';
import { flattenApplication, flattenApplicationBlocks } from '../application-mapping.js';
import { collectIds } from '../listing.js';
import { equalsFilter, findOne, type LookupKeys } from './lookups.js';

/** Blocks that the data source always returns. */
const allSections = {
  api: [{}],
  public_client: [{}],
  single_page_application: [{}],
  web: [{ implicit_grant: [{}] }],
  optional_claims: [{}],
} as unknown as ValueMap;

/** The data source azuread_application. */
export const applicationData: DataSourceHandler = async ({ api, config, signal }) => {
  const { applications } = api.directory;
  const application = await findOne(config, {
    objects: applications,
    noun: 'Application',
    keys: lookupKeys,
    signal,
  });
  const {
    app_role: roles,
    template_id: _template,
    api: apis,
    ...sections
  } = flattenApplicationBlocks(application, allSections);
  const [{ oauth2_permission_scope: scopes, ...section } = {}] = apis as readonly ValueMap[];
  return {
    ...flattenApplication(application),
    ...sections,
    identifier_uri: optionalText(config, 'identifier_uri') ?? application.identifierUris?.[0] ?? '',
    app_roles: roles,
    api: [{ ...section, oauth2_permission_scopes: scopes ?? [] }],
    owners: await collectIds(applications.owners.list(application.id, { signal })),
  };
};

const lookupKeys: LookupKeys = {
  client_id: ['client ID', equalsFilter('appId')],
  identifier_uri: ['identifier URI', (uri) => `identifierUris/any(uri:uri eq ${quote(uri)})`],
  display_name: ['display name', equalsFilter('displayName')],
};

/** First-party applications by name, as public constants. */
const publishedAppIds = {
  AzureActiveDirectoryGraph: '00000002-0000-0000-c000-000000000000',
  AzureAppService: 'abfa0a7c-a6b6-4736-8310-5855508787cd',
  AzureContainerRegistry: '6a0ec4d3-30cb-4a83-91c0-ae56bc0e3d26',
  AzureCosmosDb: 'a232010e-820c-4083-83bb-3ace5fc29d0b',
  AzureDevOps: '499b84ac-1321-427f-aa17-267ca6975798',
  AzureEventHubs: '80369ed6-5f11-4dd9-bef3-692475845e77',
  AzureKeyVault: 'cfa8b339-82a2-471a-a3c9-0fc0be7a4093',
  AzureKubernetesServiceAadServer: '6dae42f8-4368-4678-94ff-3960e28e3630',
  AzurePortal: 'c44b4083-3bb0-49c1-b47d-974e53cbdf3c',
  AzureResourceManager: '797f4846-ba00-4fd7-ba43-dac1f8f63013',
  AzureServiceBus: '80a10ef9-8168-493d-abf9-3297c4ef6e3c',
  AzureServiceManagement: '797f4846-ba00-4fd7-ba43-dac1f8f63013',
  AzureSqlDatabase: '022907d3-0f1b-48f7-badc-1ba6abab6d66',
  AzureStorage: 'e406a681-f3d4-42a8-90b6-c2b029497af1',
  KustoService: '2746ea77-4702-4b45-80ca-3c97e680e8b7',
  LogAnalytics: 'ca7f3f0b-7d91-482c-8e09-c5d840d0eac5',
  MicrosoftAzureCli: '04b07795-8ddb-461a-bbee-02f9e1bf7b46',
  MicrosoftGraph: '00000003-0000-0000-c000-000000000000',
  MicrosoftTeams: '1fec8e78-bce4-4aaf-ab1b-5451cc387264',
  Office365ExchangeOnline: '00000002-0000-0ff1-ce00-000000000000',
  Office365SharePointOnline: '00000003-0000-0ff1-ce00-000000000000',
  PowerBiService: '00000009-0000-0000-c000-000000000000',
  Purview: '73c2949e-da2d-457a-9607-fcc665198967',
  Synapse: '9e09aefc-b2e5-4d19-9f74-3e3e8b11a57b',
} as const;

/** The data source azuread_application_published_app_ids: a fixed table, without a request. */
export const publishedAppIdsData: DataSourceHandler = () =>
  Promise.resolve({ id: 'appIds', result: publishedAppIds });
