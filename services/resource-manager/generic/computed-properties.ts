import { createHash } from 'node:crypto';
import { badRequest } from '../errors.js';
import { asObject, nonEmptyText, readNumber, readObjects } from '../json.js';
import type { ReadContext } from '../kind.js';
import type { Json, StoredResource } from '../store.js';

type ComputeProperties = (resource: StoredResource, context: ReadContext) => Json;

/** Properties that the service sets on common types. All others are returned as sent. */
const computedByType: Readonly<Record<string, ComputeProperties>> = {
  'microsoft.storage/storageaccounts': ({ name, location, createdAt }, { platform }) => ({
    creationTime: createdAt,
    primaryLocation: location,
    statusOfPrimary: 'available',
    primaryEndpoints: Object.fromEntries(
      ['blob', 'queue', 'table', 'file', 'web', 'dfs'].map((each) => [
        each,
        `https://${name}.${each}.${platform.suffixes.storage}/`,
      ]),
    ),
  }),
  'microsoft.containerregistry/registries': ({ name, createdAt }, { platform }) => ({
    loginServer: `${name.toLowerCase()}.${platform.suffixes.registry}`,
    creationDate: createdAt,
  }),
  'microsoft.insights/components': (resource, { platform }) => {
    const [key, appId] = [stableId(resource, 'key'), stableId(resource, 'application')];
    return {
      InstrumentationKey: key,
      AppId: appId,
      ApplicationId: resource.name,
      Name: resource.name,
      TenantId: platform.tenantId,
      CreationDate: resource.createdAt,
      ConnectionString: `InstrumentationKey=${key};ApplicationId=${appId}`,
    };
  },
  'microsoft.network/virtualnetworks': (resource) => ({
    resourceGuid: stableId(resource, 'network'),
  }),
  'microsoft.network/networksecuritygroups': (resource) => ({
    resourceGuid: stableId(resource, 'network'),
  }),
  'microsoft.network/dnszones': ({ id }) => ({
    maxNumberOfRecordSets: 10_000,
    numberOfRecordSets: 2,
    nameServers: ['com', 'net', 'org', 'info'].map(
      (domain, index) => `ns${index + 1}-0${stableNumber(id, 9)}.azure-dns.${domain}.`,
    ),
  }),
  'microsoft.network/privatednszones': () => ({
    maxNumberOfRecordSets: 25_000,
    maxNumberOfVirtualNetworkLinks: 1000,
    maxNumberOfVirtualNetworkLinksWithRegistration: 100,
    numberOfRecordSets: 1,
  }),
  'microsoft.network/privateendpoints': ({ id, name, properties }) => {
    const interfaceName =
      nonEmptyText(properties['customNetworkInterfaceName']) ??
      `${name}.nic.${stableNumber(id, 1000)}`;
    const targets = ['privateLinkServiceConnections', 'manualPrivateLinkServiceConnections']
      .flatMap((list) => readObjects(properties[list], list))
      .map((each) => nonEmptyText(asObject(each['properties'])?.['privateLinkServiceId']) ?? '');
    return {
      networkInterfaces: [
        {
          id: id.replace(/privateEndpoints\/[^/]+$/i, `networkInterfaces/${interfaceName}`),
          name: interfaceName,
        },
      ],
      customDnsConfigs: targets.map((target) => ({
        fqdn: target.split('/').at(-1),
        ipAddresses: [`10.0.0.${4 + stableNumber(id, 250)}`],
      })),
    };
  },
  'microsoft.sql/servers': ({ name }) => ({
    fullyQualifiedDomainName: `${name}.database.windows.net`,
    state: 'Ready',
  }),
  'microsoft.sql/servers/databases': sqlDatabase,
  'microsoft.dbforpostgresql/flexibleservers': ({ name }) => ({
    fullyQualifiedDomainName: `${name}.postgres.database.azure.com`,
    state: 'Ready',
  }),
  'microsoft.servicebus/namespaces': busNamespace,
  'microsoft.eventhub/namespaces': (resource) => ({
    isAutoInflateEnabled: false,
    maximumThroughputUnits: 0,
    kafkaEnabled: true,
    minimumTlsVersion: '1.2',
    ...resource.properties,
    ...busNamespace(resource),
  }),
  // A subscription of all clients has no properties of one client.
  'microsoft.servicebus/namespaces/topics/subscriptions': ({ properties }) =>
    properties['isClientAffine'] === true ? {} : { clientAffineProperties: undefined },
  'microsoft.eventhub/namespaces/eventhubs': ({ properties }) => ({
    partitionIds: Array.from({ length: partitionCount(properties) }, (_, index) => String(index)),
  }),
  'microsoft.keyvault/vaults/secrets': ({ id, name, changedAt }, { platform }) => {
    const vault = /\/vaults\/([^/]+)/i.exec(id)?.[1] ?? '';
    const secretUri = `${platform.vaultUri(vault)}secrets/${name}`;
    const version = createHash('sha256').update(`${id.toLowerCase()} at ${changedAt}`);
    return {
      secretUri,
      secretUriWithVersion: `${secretUri}/${version.digest('hex').slice(0, 32)}`,
    };
  },
  'microsoft.network/publicipaddresses': (resource) => ({
    resourceGuid: stableId(resource, 'network'),
    ipAddress: publicIpAddress(resource),
  }),
  'microsoft.operationalinsights/workspaces/tables': ({ properties }) => ({
    retentionInDaysAsDefault: !hasOwnRetention(properties['retentionInDays']),
    totalRetentionInDaysAsDefault: !hasOwnRetention(properties['totalRetentionInDays']),
  }),
  'microsoft.app/jobs': () => ({ outboundIpAddresses: ['127.0.0.1'], runningStatus: 'Ready' }),
  'microsoft.resources/deployments': ({ properties, changedAt }) => ({
    timestamp: changedAt,
    duration: 'PT0S',
    providers: [],
    dependencies: [],
    outputResources: [],
    outputs: literalOutputs(asObject(properties['template'])),
  }),
};

/** The records of a zone; a zone's network links are none. */
const dnsRecord =
  /^microsoft\.network\/(privatednszones|dnszones)\/(a|aaaa|caa|cname|mx|ns|ptr|soa|srv|txt)$/;

/** The properties that the service adds to a resource; none for most types. */
export function computedProperties(resource: StoredResource, context: ReadContext): Json {
  const type = resource.type.toLowerCase();
  if (dnsRecord.test(type)) return { fqdn: fullDomainName(resource) };
  return computedByType[type]?.(resource, context) ?? {};
}

/** The domain name of a record with its final dot; a record named @ is the zone itself. */
function fullDomainName({ id, name }: StoredResource): string {
  const zone = /\/(?:private)?dnszones\/([^/]+)/i.exec(id)?.[1] ?? '';
  return name === '@' ? `${zone}.` : `${name}.${zone}.`;
}

/** An id that stays the same for the lifetime of the resource. */
function stableId({ id, createdAt }: StoredResource, purpose: string): string {
  const hex = createHash('sha256')
    .update(`${purpose} of ${id.toLowerCase()} since ${createdAt}`)
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** An address in the range reserved for documentation. */
function publicIpAddress({ id }: StoredResource): string {
  return `203.0.113.${stableNumber(id, 256)}`;
}

/** A number below a limit that stays the same for an id. */
function stableNumber(id: string, limit: number): number {
  return createHash('sha256').update(id.toLowerCase()).digest().readUInt32BE() % limit;
}

/** Whether a table has a retention of its own: -1 stands for that of its workspace. */
function hasOwnRetention(days: unknown): boolean {
  return typeof days === 'number' && days > 0;
}

/** The most partitions of an event hub, in the cloud's largest tier. */
const maxPartitions = 1024;

/** @throws ArmError 400 for a number of partitions that no event hub can have. */
function partitionCount(properties: Json): number {
  const count = readNumber(properties['partitionCount'], 'properties.partitionCount') ?? 0;
  if (Number.isInteger(count) && count >= 0 && count <= maxPartitions) return count;
  throw badRequest(
    'BadRequest',
    `Invalid properties.partitionCount ${count}: it must be an integer from 1 to ${maxPartitions}.`,
  );
}

function busNamespace({ name }: StoredResource): Json {
  return { serviceBusEndpoint: `https://${name}.servicebus.windows.net:443/`, status: 'Active' };
}

/** A general purpose database of two cores, unless the body says otherwise. */
function sqlDatabase(resource: StoredResource): Json {
  const { properties, otherMembers, createdAt } = resource;
  const objective = nonEmptyText(asObject(otherMembers?.['sku'])?.['name']) ?? 'GP_Gen5_2';
  const redundancy = nonEmptyText(properties['requestedBackupStorageRedundancy']) ?? 'Geo';
  const defaults: Json = {
    collation: 'SQL_Latin1_General_CP1_CI_AS',
    maxSizeBytes: 32 * 2 ** 30,
    readScale: 'Disabled',
    zoneRedundant: false,
    requestedBackupStorageRedundancy: redundancy,
  };
  return {
    ...defaults,
    ...properties,
    status: 'Online',
    databaseId: stableId(resource, 'database'),
    creationDate: createdAt,
    earliestRestoreDate: createdAt,
    currentServiceObjectiveName: objective,
    requestedServiceObjectiveName: objective,
    currentBackupStorageRedundancy: redundancy,
  };
}

/** Outputs of a template with literal values; template expressions are not evaluated. */
function literalOutputs(template: Json | undefined): Json {
  const outputs = Object.entries(asObject(template?.['outputs']) ?? {});
  const literal = outputs.filter(([, each]) => !holdsExpression(asObject(each)?.['value']));
  return Object.fromEntries(
    literal.map(([name, each]) => [
      name,
      { type: asObject(each)?.['type'], value: asObject(each)?.['value'] },
    ]),
  );
}

/** Whether a value is a template expression, `[…]`, or an object or list with one. */
function holdsExpression(value: unknown): boolean {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).some(holdsExpression);
  return typeof value === 'string' && value.startsWith('[');
}
