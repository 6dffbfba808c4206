import { createHash } from 'node:crypto';
import { badRequest, unreadable } from '../errors.js';
import { objectOf, omit } from '../json.js';
import type { ResourceKind, PresentContext } from '../kind.js';
import type { StoredResource, Json } from '../store.js';
import { hideValues } from './hidden-values.js';
import { isKey, newKeys } from './list-actions.js';
import { partsOf, takeParts } from './parts.js';

/** The standard properties of every resource beside `properties`; others are kept as sent. */
const envelope = [
  'id',
  'name',
  'type',
  'location',
  'tags',
  'identity',
  'systemData',
  'properties',
  'etag',
];

/** Types whose API answers a creating PUT with 200 only. */
const answeringOk = [
  /^microsoft\.app\/managedenvironments\/(certificates|daprcomponents|storages)$/,
  /^microsoft\.insights\/(components(\/.*)?|diagnosticsettings|metricalerts)$/,
  /^microsoft\.operationalinsights\/workspaces\/(savedsearches|tables)$/,
  /^microsoft\.storage\/storageaccounts(\/(blob|file|queue|table)services|\/(queue|table)services\/.*|\/managementpolicies)?$/,
  /^microsoft\.(eventhub|servicebus)\/namespaces\/.*$/,
  /^microsoft\.documentdb\/.*$/,
  /^microsoft\.web\/(serverfarms|sites)(\/.*)?$/,
];
/** Types whose API answers every PUT with 201. */
const answeringCreated =
  /^microsoft\.authorization\/policy(assignments|definitions|setdefinitions)$/;

function putStatusOf(key: string): Pick<ResourceKind, 'putStatus'> {
  if (answeringCreated.test(key)) return { putStatus: 201 };
  return answeringOk.some((pattern) => pattern.test(key)) ? { putStatus: 200 } : {};
}

/** Write-only properties of some types. */
const writeOnly: Readonly<Record<string, readonly string[]>> = {
  'microsoft.app/managedenvironments/certificates': ['value'],
  'microsoft.keyvault/vaults/secrets': ['value'],
};

/** Any other type of resource: stored and returned as sent. */
export function genericKind(type: string): ResourceKind {
  const key = type.toLowerCase();
  return {
    type,
    apiVersions: 'any',
    generic: true,
    ...putStatusOf(key),
    ...(key === 'microsoft.resources/deployments' ? { deletedStatus: 204 as const } : {}),
    checkName(name) {
      if (name.length > 260 || /[<>%&\\?/#\u0000-\u001f]/.test(name))
        throw badRequest(
          'InvalidResourceName',
          `Resource name '${name}' is invalid: 1 to 260 characters, none of < > % & \\ ? / #.`,
        );
    },
    declare(body, { previous }) {
      const value = body['properties'];
      if (value !== undefined && value !== null && objectOf(value) === undefined)
        throw unreadable("'properties' is not an object.");
      const { properties, listed } = takeParts(
        type,
        omit(objectOf(value) ?? {}, ['provisioningState']),
      );
      const visible = hideValues(properties, writeOnly[key]);
      return {
        properties: visible.properties,
        decided: {},
        rest: omit(body, envelope),
        secrets: [...(previous?.secrets.filter(isKey) ?? newKeys()), ...visible.hidden],
        parts: listed,
      };
    },
    async present(resource, context) {
      const parts = await Promise.all(
        partsOf(type).map(async (name) => {
          const children = await context.store.list({
            type: `${type}/${name}`,
            parent: resource.id,
          });
          return [name, children.map(partOf)] as const;
        }),
      );
      return {
        ...resource.properties,
        ...Object.fromEntries(parts),
        ...computedProperties(resource, context),
        provisioningState: 'Succeeded',
      };
    },
  };
}

function partOf({ id, name, type, properties }: StoredResource): Record<string, unknown> {
  return { id, name, type, properties: { ...properties, provisioningState: 'Succeeded' } };
}

type Computed = (resource: StoredResource, context: PresentContext) => Json;

/** Properties that the service sets on common types. All others are returned as sent. */
const computed: Readonly<Record<string, Computed>> = {
  'microsoft.storage/storageaccounts': ({ name, location, createdAt }, { hosting }) => ({
    creationTime: createdAt,
    primaryLocation: location,
    statusOfPrimary: 'available',
    primaryEndpoints: Object.fromEntries(
      ['blob', 'queue', 'table', 'file', 'web', 'dfs'].map((each) => [
        each,
        `https://${name}.${each}.${hosting.suffixes.storage}/`,
      ]),
    ),
  }),
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
  'microsoft.network/virtualnetworks': (resource) => ({
    resourceGuid: lastingId(resource, 'network'),
  }),
  'microsoft.network/networksecuritygroups': (resource) => ({
    resourceGuid: lastingId(resource, 'network'),
  }),
  'microsoft.network/publicipaddresses': (resource) => ({
    resourceGuid: lastingId(resource, 'network'),
    ipAddress: addressOf(resource),
  }),
  'microsoft.app/managedenvironments/certificates': (resource) => ({
    thumbprint: createHash('sha1').update(resource.id.toLowerCase()).digest('hex').toUpperCase(),
    valid: true,
  }),
  'microsoft.app/jobs': () => ({ outboundIpAddresses: ['127.0.0.1'], runningStatus: 'Ready' }),
  'microsoft.resources/deployments': ({ properties, changedAt }) => ({
    ...{
      timestamp: changedAt,
      duration: 'PT0S',
      providers: [],
      dependencies: [],
      outputResources: [],
    },
    outputs: literalOutputs(objectOf(properties['template'])),
  }),
};

/** The properties that the service adds to a resource; none for most types. */
function computedProperties(resource: StoredResource, context: PresentContext): Json {
  return computed[resource.type.toLowerCase()]?.(resource, context) ?? {};
}

/** An id that stays the same for the lifetime of the resource. */
function lastingId({ id, createdAt }: StoredResource, purpose: string): string {
  const hex = createHash('sha256')
    .update(`${purpose} of ${id.toLowerCase()} since ${createdAt}`)
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** An address in the range reserved for documentation. */
function addressOf({ id }: StoredResource): string {
  return `203.0.113.${createHash('sha256').update(id.toLowerCase()).digest()[0] ?? 0}`;
}

/** Outputs of a template with literal values; template expressions are not evaluated. */
function literalOutputs(template: Json | undefined): Json {
  const outputs = Object.entries(objectOf(template?.['outputs']) ?? {});
  const literal = outputs.filter(([, each]) => !String(objectOf(each)?.['value']).startsWith('['));
  return Object.fromEntries(
    literal.map(([name, each]) => [
      name,
      { type: objectOf(each)?.['type'], value: objectOf(each)?.['value'] },
    ]),
  );
}
