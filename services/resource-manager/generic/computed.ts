import { createHash } from 'node:crypto';
import { objectOf } from '../json.js';
import type { PresentContext } from '../kind.js';
import type { Json, StoredResource } from '../store.js';

type Computed = (resource: StoredResource, context: PresentContext) => Json;

/** What the service itself says of resources of common types. Everything else is given back as it was sent. */
const computed: Readonly<Record<string, Computed>> = {
  'microsoft.storage/storageaccounts': ({ name, location, createdAt }, { hosting }) => ({
    creationTime: createdAt,
    primaryLocation: location,
    statusOfPrimary: 'available',
    primaryEndpoints: Object.fromEntries(
      ['blob', 'queue', 'table', 'file', 'web', 'dfs'].map((each) => [each, `https://${name}.${each}.${hosting.suffixes.storage}/`]),
    ),
  }),
  'microsoft.keyvault/vaults': ({ name }, { hosting }) => ({ vaultUri: `https://${name}.${hosting.suffixes.keyVault}/` }),
  'microsoft.containerregistry/registries': ({ name, createdAt }, { hosting }) => ({
    loginServer: `${name.toLowerCase()}.${hosting.suffixes.registry}`,
    creationDate: createdAt,
  }),
  'microsoft.insights/components': (resource, { hosting }) => {
    const [key, appId] = [lastingId(resource, 'key'), lastingId(resource, 'application')];
    return {
      InstrumentationKey: key,
      AppId: appId,
      ApplicationId: resource.name,
      Name: resource.name,
      TenantId: hosting.tenantId,
      CreationDate: resource.createdAt,
      ConnectionString: `InstrumentationKey=${key};ApplicationId=${appId}`,
    };
  },
  'microsoft.network/virtualnetworks': (resource) => ({ resourceGuid: lastingId(resource, 'network') }),
  'microsoft.network/networksecuritygroups': (resource) => ({ resourceGuid: lastingId(resource, 'network') }),
  'microsoft.network/publicipaddresses': (resource) => ({ resourceGuid: lastingId(resource, 'network'), ipAddress: addressOf(resource) }),
  'microsoft.app/managedenvironments/certificates': (resource) => ({
    thumbprint: createHash('sha1').update(resource.id.toLowerCase()).digest('hex').toUpperCase(),
    valid: true,
  }),
  'microsoft.app/jobs': () => ({ outboundIpAddresses: ['127.0.0.1'], runningStatus: 'Ready' }),
  'microsoft.resources/deployments': ({ properties, changedAt }) => ({
    timestamp: changedAt,
    outputs: literalOutputs(objectOf(properties['template'])),
  }),
};

/** What is said of a resource beyond what was sent of it; nothing for most types. */
export function computedProperties(resource: StoredResource, context: PresentContext): Json {
  return computed[resource.type.toLowerCase()]?.(resource, context) ?? {};
}

/** An id that is the same as long as the resource is there. */
function lastingId({ id, createdAt }: StoredResource, purpose: string): string {
  const hex = createHash('sha256').update(`${purpose} of ${id.toLowerCase()} since ${createdAt}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** An address of the range that is set apart for documentation. */
function addressOf({ id }: StoredResource): string {
  return `203.0.113.${createHash('sha256').update(id.toLowerCase()).digest()[0] ?? 0}`;
}

/** Outputs of a template that say their value outright; nothing runs the template's expressions. */
function literalOutputs(template: Json | undefined): Json {
  const outputs = Object.entries(objectOf(template?.['outputs']) ?? {});
  const literal = outputs.filter(([, each]) => !String(objectOf(each)?.['value']).startsWith('['));
  return Object.fromEntries(literal.map(([name, each]) => [name, { type: objectOf(each)?.['type'], value: objectOf(each)?.['value'] }]));
}
