import type { ResourceType } from './api-versions.js';
import { apiVersions } from './api-versions.js';
import type { CallOptions } from './options.js';
import type { Resource, ResourceBody } from './resource.js';
import { parseResourceId, resourceGroupId } from './resource-id.js';
import type { Resources } from './resources.js';

/** The resources of one type, by their whole id. */
export interface ResourceFamily<Properties> {
  /** @throws ServiceError with status 404 when there is none. */
  get(id: string, call?: CallOptions): Promise<Resource<Properties>>;
  /** Undefined when there is none. */
  find(id: string, call?: CallOptions): Promise<Resource<Properties> | undefined>;
  createOrUpdate(id: string, body: ResourceBody, call?: CallOptions): Promise<Resource<Properties>>;
  update(id: string, body: ResourceBody, call?: CallOptions): Promise<Resource<Properties>>;
  /** One that is gone already is no error. */
  delete(id: string, call?: CallOptions): Promise<void>;
}

/** The same with a listing: of a group when a group's id is given, else of a whole subscription. */
export interface ListedFamily<Properties> extends ResourceFamily<Properties> {
  list(scopeId: string, call?: CallOptions): AsyncIterable<Resource<Properties>>;
}

/** The operations of one resource type, at the api-version that the client speaks for it. */
export function resourceFamily<Properties>(resources: Resources, type: ResourceType): ResourceFamily<Properties> {
  const version = apiVersions[type];
  return {
    get: (id, call) => resources.get(id, version, call),
    find: (id, call) => resources.find(id, version, call),
    createOrUpdate: (id, body, call) => resources.put(id, version, body, call),
    update: (id, body, call) => resources.patch(id, version, body, call),
    delete: (id, call) => resources.delete(id, version, call),
  };
}

/** The same with a listing. */
export function listedFamily<Properties>(resources: Resources, type: ResourceType): ListedFamily<Properties> {
  return {
    ...resourceFamily<Properties>(resources, type),
    list(scopeId, call) {
      const { subscriptionId, resourceGroup } = parseResourceId(scopeId);
      const scope = resourceGroup === undefined ? `/subscriptions/${subscriptionId}` : resourceGroupId(subscriptionId, resourceGroup);
      return resources.list(`${scope}/providers/${type}`, apiVersions[type], call);
    },
  };
}
