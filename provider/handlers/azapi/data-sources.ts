import type { Json } from '../../values/json.js';
import type { ValueMap } from '../../values/value.js';
import { type DataSourceHandler, ProviderFailure } from '../handler.js';
import { isTrue, textOrEmpty, optionalText } from '../read-values.js';
import { isObject } from '../../../core/values/is-object.js';
import { outputOf, readOnlyOutput } from './output.js';
import { callOptions } from './request-parts.js';
import { buildAddress, parentAndName, splitType } from './resource-address.js';
import { tagTexts } from './stored-resource.js';
import { retryingResources, withRetries } from './retry.js';

/** The data source azapi_resource: any resource by its id, or by parent and name. */
export const resourceData: DataSourceHandler = async (call) => {
  const { config, signal } = call;
  const { apiVersion } = splitType(textOrEmpty(config, 'type'));
  const id = configuredId(config);
  const resource = await retryingResources(call, config).find<Json>(
    id,
    apiVersion,
    callOptions(config, 'unprefixed', signal),
  );
  if (resource === undefined && !isTrue(config, 'ignore_not_found'))
    throw new ProviderFailure(
      'Resource not found',
      `${textOrEmpty(config, 'type')} ${id} does not exist.`,
    );
  const answer = isObject(resource) ? resource : {};
  const { location, tags, identity } = answer;
  return {
    id,
    exists: resource !== undefined,
    resource_id: id,
    name: parentAndName(id).name,
    parent_id: parentAndName(id).parentId,
    location: typeof location === 'string' ? location : null,
    tags: isObject(tags) ? tagTexts(tags) : null,
    identity: isObject(identity) ? [flattenIdentity(identity)] : [],
    output: outputOf(answer, config['response_export_values'] ?? null, readOnlyOutput(answer, {})),
  };
};

/** The data source azapi_resource_list: the resources of one type below a parent. */
export const resourceListData: DataSourceHandler = async ({ api, config, signal }) => {
  const { type, apiVersion } = splitType(textOrEmpty(config, 'type'));
  const parentId = textOrEmpty(config, 'parent_id').replace(/\/+$/, '');
  const path = collectionPath(parentId, type);
  const { resources, http } = api.resourceManager;
  const listAll = async (): Promise<Json[]> => {
    const listed: Json[] = [];
    for await (const each of resources.list<Json>(
      path,
      apiVersion,
      callOptions(config, 'unprefixed', signal),
    ))
      listed.push(each);
    return listed;
  };
  const value = await withRetries(config, listAll, (pause) => http.sleep(pause, signal));
  const list = { value };
  return { id: path, output: outputOf(list, config['response_export_values'] ?? null, list) };
};

/** The path of the resources of a type below a parent. */
function collectionPath(parentId: string, type: string): string {
  if (type.toLowerCase() === 'microsoft.resources/resourcegroups')
    return `${parentId}/resourceGroups`;
  const parts = type.split('/');
  return parts.length === 2 ? `${parentId}/providers/${type}` : `${parentId}/${parts.at(-1) ?? ''}`;
}

/**
 * The data source azapi_resource_id: builds or parses an id, without a request.
 *
 * @example
 * // /subscriptions/S/resourceGroups/G/providers/Microsoft.App/containerApps/A:
 * // parts are subscriptions S, resourceGroups G and containerApps A
 */
export const resourceIdData: DataSourceHandler = ({ config }) => {
  const id = configuredId(config);
  const parts = id.split('/').filter((part) => part !== '');
  const allPairs = parts.flatMap((part, index): [string, string][] =>
    index % 2 === 0 && part.toLowerCase() !== 'providers' ? [[part, parts[index + 1] ?? '']] : [],
  );
  const valueAfter = (segment: string): string =>
    parts[parts.findIndex((part) => part.toLowerCase() === segment) + 1] ?? '';
  const hasSegment = (segment: string): boolean =>
    parts.some((part) => part.toLowerCase() === segment);
  const namespace = hasSegment('providers') ? valueAfter('providers') : 'Microsoft.Resources';
  const afterNamespace = hasSegment('providers')
    ? parts.slice(parts.findIndex((part) => part.toLowerCase() === 'providers') + 2)
    : [];
  const pairsOfProvider = afterNamespace.flatMap((part, index): [string, string][] =>
    index % 2 === 0 ? [[part, afterNamespace[index + 1] ?? '']] : [],
  );
  const pairsOfScope = hasSegment('providers')
    ? allPairs.filter(([name]) => ['subscriptions', 'resourcegroups'].includes(name.toLowerCase()))
    : allPairs;
  return Promise.resolve({
    id,
    resource_id: id,
    name: parentAndName(id).name,
    parent_id: parentAndName(id).parentId,
    subscription_id: hasSegment('subscriptions') ? valueAfter('subscriptions') : '',
    resource_group_name: hasSegment('resourcegroups') ? valueAfter('resourcegroups') : '',
    provider_namespace: namespace,
    parts: Object.fromEntries([...pairsOfScope, ...pairsOfProvider]),
  });
};

/** The data source azapi_client_config: the caller, without a request except for the token. */
export const clientConfigData: DataSourceHandler = async ({ api: { identity } }) => {
  const [clientId, objectId] = await Promise.all([identity.clientId(), identity.objectId()]);
  const { tenantId, subscriptionId } = identity;
  return {
    id: `clientConfigs/subscriptionId=${subscriptionId};tenantId=${tenantId};clientId=${clientId}`,
    object_id: objectId,
    subscription_id: subscriptionId,
    subscription_resource_id: `/subscriptions/${subscriptionId}`,
    tenant_id: tenantId,
  };
};

function configuredId(config: ValueMap): string {
  const id = optionalText(config, 'resource_id');
  if (id !== undefined) return id;
  if (optionalText(config, 'name') === undefined || optionalText(config, 'parent_id') === undefined)
    throw new ProviderFailure(
      'Invalid configuration',
      'either `resource_id`, or `name` and `parent_id` must be set',
    );
  return buildAddress(config).id;
}

function flattenIdentity(identity: { readonly [name: string]: Json }): ValueMap {
  const userAssigned = identity['userAssignedIdentities'];
  const textMember = (name: string): string | null =>
    typeof identity[name] === 'string' ? identity[name] : null;
  return {
    type: textMember('type'),
    principal_id: textMember('principalId'),
    tenant_id: textMember('tenantId'),
    identity_ids: isObject(userAssigned) ? Object.keys(userAssigned) : [],
  };
}
