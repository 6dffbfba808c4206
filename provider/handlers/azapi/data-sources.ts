import { fromJson, type Json } from '../../values/json.js';
import type { ValueMap } from '../../values/value.js';
import { type DataSourceHandler, ProviderFailure } from '../handler.js';
import { isTrue, requiredText, text } from '../read-values.js';
import { isObject } from '../../../core/values/is-object.js';
import { outputOf } from './output.js';
import { callOptions } from './request-parts.js';
import { addressOf, parentOf, splitType } from './resource-address.js';
import { resourcesFor, withRetries } from './retry.js';

/** The data source azapi_resource: any resource by its id, or by parent and name. */
export const resourceData: DataSourceHandler = async (call) => {
  const { config, signal } = call;
  const { apiVersion } = splitType(requiredText(config, 'type'));
  const id = idOf(config);
  const resource = await resourcesFor(call, config).find<Json>(
    id,
    apiVersion,
    callOptions(config, 'any', signal),
  );
  if (resource === undefined && !isTrue(config, 'ignore_not_found'))
    throw new ProviderFailure(
      'Resource not found',
      `${requiredText(config, 'type')} ${id} does not exist.`,
    );
  const answer = isObject(resource) ? resource : {};
  const { location, tags, identity } = answer;
  return {
    id,
    exists: resource !== undefined,
    resource_id: id,
    name: parentOf(id).name,
    parent_id: parentOf(id).parentId,
    location: typeof location === 'string' ? location : null,
    tags: isObject(tags)
      ? Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, String(value)]))
      : null,
    identity: isObject(identity) ? [identityOf(identity)] : [],
    output: outputOf(answer, config['response_export_values'] ?? null, {
      request: {},
      byDefault: true,
    }),
  };
};

/** The data source azapi_resource_list: the resources of one type below a parent. */
export const resourceListData: DataSourceHandler = async ({ api, config, signal }) => {
  const { type, apiVersion } = splitType(requiredText(config, 'type'));
  const parentId = requiredText(config, 'parent_id').replace(/\/+$/, '');
  const parts = type.split('/');
  const path =
    parts.length === 2
      ? type.toLowerCase() === 'microsoft.resources/resourcegroups'
        ? `${parentId}/resourceGroups`
        : `${parentId}/providers/${type}`
      : `${parentId}/${parts.at(-1) ?? ''}`;
  const { resources, http } = api.resourceManager;
  const all = async (): Promise<Json[]> => {
    const pages: Json[] = [];
    for await (const each of resources.list<Json>(
      path,
      apiVersion,
      callOptions(config, 'any', signal),
    ))
      pages.push(each);
    return pages;
  };
  const value = await withRetries(config, all, (pause) => http.sleep(pause, signal));
  const exported = config['response_export_values'] ?? null;
  return {
    id: path,
    output:
      exported === null
        ? fromJson({ value })
        : outputOf({ value }, exported, { request: {}, byDefault: false }),
  };
};

/**
 * The data source azapi_resource_id: builds or parses an id, without a request.
 *
 * @example
 * // /subscriptions/S/resourceGroups/G/providers/Microsoft.App/containerApps/A:
 * // parts are subscriptions S, resourceGroups G and containerApps A
 */
export const resourceIdData: DataSourceHandler = ({ config }) => {
  const id = idOf(config);
  const parts = id.split('/').filter((part) => part !== '');
  const allPairs = parts.flatMap((part, index): [string, string][] =>
    index % 2 === 0 && part.toLowerCase() !== 'providers' ? [[part, parts[index + 1] ?? '']] : [],
  );
  const at = (word: string): string =>
    parts[parts.findIndex((part) => part.toLowerCase() === word) + 1] ?? '';
  const has = (word: string): boolean => parts.some((part) => part.toLowerCase() === word);
  const namespace = has('providers') ? at('providers') : 'Microsoft.Resources';
  const afterNamespace = has('providers')
    ? parts.slice(parts.findIndex((part) => part.toLowerCase() === 'providers') + 2)
    : [];
  const pairsOfProvider = afterNamespace.flatMap((part, index): [string, string][] =>
    index % 2 === 0 ? [[part, afterNamespace[index + 1] ?? '']] : [],
  );
  const pairsOfScope = has('providers')
    ? allPairs.filter(([name]) => ['subscriptions', 'resourcegroups'].includes(name.toLowerCase()))
    : allPairs;
  return Promise.resolve({
    id,
    resource_id: id,
    name: parentOf(id).name,
    parent_id: parentOf(id).parentId,
    subscription_id: has('subscriptions') ? at('subscriptions') : '',
    resource_group_name: has('resourcegroups') ? at('resourcegroups') : '',
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

function idOf(config: ValueMap): string {
  const id = text(config, 'resource_id');
  if (id !== undefined) return id;
  if (text(config, 'name') === undefined || text(config, 'parent_id') === undefined)
    throw new ProviderFailure(
      'Invalid configuration',
      'either `resource_id`, or `name` and `parent_id` must be set',
    );
  return addressOf(config).id;
}

function identityOf(identity: { readonly [name: string]: Json }): ValueMap {
  const assigned = identity['userAssignedIdentities'];
  const word = (name: string): string | null =>
    typeof identity[name] === 'string' ? identity[name] : null;
  return {
    type: word('type'),
    principal_id: word('principalId'),
    tenant_id: word('tenantId'),
    identity_ids: isObject(assigned) ? Object.keys(assigned) : [],
  };
}
