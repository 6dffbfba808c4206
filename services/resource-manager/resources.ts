import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { Clock } from '../common/clock.js';
import { requireUnlocked } from './authorization/locks.js';
import {
  builtInRoleResource,
  listRolesOrAssignments,
  roleDefinition,
} from './authorization/roles.js';
import { presentResource, isSameLocation, readTags } from './envelope.js';
import { replicaResources, revisionResources } from './container-app/revisions.js';
import {
  ArmError,
  badRequest,
  conflict,
  resourceGroupNotFound,
  resourceNotFound,
} from './errors.js';
import { requireFreeName } from './global-names.js';
import { findDefaultContent } from './generic/default-children.js';
import { answerListAction, regenerateKey } from './generic/list-actions.js';
import type { ListedChild } from './generic/listed-children.js';
import { resolveIdentity } from './identity.js';
import { asObject, entryOf, nonEmptyText } from './json.js';
import type { Platform, ResourceKind, WriteContext } from './kind.js';
import { appReplica, appRevision } from './kinds/container-app.js';
import { kindOf } from './kinds/index.js';
import { requireRegistered } from './namespaces.js';
import { patchedBody } from './patched-body.js';
import { parsePath, type ResourcePath } from './path.js';
import { type Json, resourceKey, type ResourceStore, type StoredResource } from './store.js';

/** What {@link Resources} depends on. */
export interface ResourcesContext {
  readonly store: ResourceStore;
  readonly clock: Clock;
  readonly platform: Platform;
  /** Called after every write and deletion. */
  onChange(type: string): Promise<void>;
}

/** The resources of a subscription by kind: create, replace, change, read, delete. */
export class Resources {
  constructor(private readonly context: ResourcesContext) {}

  /** The same resources, presented with the tenant and addresses of another platform. */
  withPlatform(platform: Platform): Resources {
    return new Resources({ ...this.context, platform });
  }

  /** @throws ArmError 404 when the resource or its group does not exist. */
  async get(path: ResourcePath): Promise<{ resource: StoredResource; kind: ResourceKind }> {
    const resource = await this.find(path);
    if (resource !== undefined) return { resource, kind: kindOf(resource.type) };
    await this.requireGroup(path);
    await this.requireParent(path, 'read');
    throw resourceNotFound(kindOf(path.type).type, path.name, path.group);
  }

  /** The answer for a resource. */
  async present(path: ResourcePath): Promise<Json> {
    const { resource, kind } = await this.get(path);
    return presentResource(resource, kind, this.context);
  }

  /** Creates or replaces a resource; properties missing from the body are removed. */
  async put(path: ResourcePath, body: Json): Promise<{ answer: Json; status: 200 | 201 | 202 }> {
    const { store, clock, platform } = this.context;
    const group = await this.requireGroup(path);
    const previous = await store.find(path.id);
    const kind = kindOf(previous?.type ?? path.type);
    await requireRegistered(store, path);
    await requireUnlocked(store, path, 'write');
    await this.requireParent(path, 'write');
    if (previous === undefined) {
      kind.checkName(path.name);
      await requireFreeName(store, kind.type, path.name);
    }
    const location = this.resolveLocation(body, kind, previous, path);
    const context = { path, previous, store, clock, platform };
    const {
      secrets = [],
      properties,
      otherMembers,
      setByService,
      listedChildren,
    } = await kind.prepareWrite(body, context);
    const identity = kind.isProxyResource
      ? undefined
      : await resolveIdentity(body['identity'], context);
    const now = clock.now().toISOString();
    const resource: StoredResource = {
      // Ids keep the spelling used at creation, also that of the group.
      id:
        previous?.id ??
        (group === undefined
          ? path.id
          : path.id.replace(/\/resourceGroups\/[^/]+/i, `/resourceGroups/${group.name}`)),
      type: kind.type,
      name: previous?.name ?? path.name,
      subscription: path.subscription,
      group: group?.name ?? '',
      ...omitUndefined({ location }),
      ...(!kind.isProxyResource && optionalTags(body, kind)),
      ...omitUndefined({ identity }),
      properties,
      ...omitUndefined({ otherMembers }),
      setByService,
      secrets,
      createdAt: previous?.createdAt ?? now,
      changedAt: now,
    };
    // Before anything is saved: what can't be answered or has a wrong child is refused as a whole.
    await presentResource(resource, kind, this.context);
    for (const [name, listed] of listedChildren ?? [])
      await checkListedChildren(childType(resource, name), listed, context);
    await store.save(resource, path.parent);
    for (const [name, listed] of listedChildren ?? [])
      await this.putListedChildren(path, resource, name, listed);
    await this.context.onChange(kind.type);
    return {
      answer: await presentResource(resource, kind, this.context),
      status: kind.putStatus ?? (previous === undefined ? 201 : 200),
    };
  }

  /**
   * Merges a change into the resource (JSON merge patch); tags are replaced, and secrets that the
   * change does not name stay.
   */
  async patch(path: ResourcePath, change: Json): Promise<Json> {
    const { resource, kind } = await this.get(path);
    const body = patchedBody(resource, kind, change);
    return (await this.put({ ...path, id: resource.id }, body)).answer;
  }

  /** @returns the status of the answer: 204 when there was nothing to delete. */
  async delete(path: ResourcePath, { force = false } = {}): Promise<200 | 204> {
    const { store, platform, clock } = this.context;
    const resource = await this.find(path);
    if (resource === undefined) return 204;
    await requireUnlocked(store, resource, 'delete');
    const kind = kindOf(resource.type);
    await kind.beforeDelete?.(resource, { store, platform });
    await kind.keepForRecovery?.(resource, { store, platform, clock, force });
    await store.remove(resource.id);
    await this.context.onChange(kind.type);
    return kind.deleteStatus ?? 200;
  }

  /** `POST {id}/{action}`. @throws ArmError 404 for an action that the type does not have. */
  async runAction(path: ResourcePath, action: string, body: Json): Promise<Json> {
    const kind = kindOf(path.type);
    await requireUnlocked(this.context.store, path, 'write');
    const change = entryOf(kind.savingActions, action);
    if (change !== undefined) {
      const { resource } = await this.get(path);
      const changedAt = this.context.clock.now().toISOString();
      const changed = { ...change(resource, body, changedAt), changedAt };
      await this.context.store.save(
        changed,
        changed.id === resource.id ? path.parent : resource.id,
      );
      await this.context.onChange(kind.type);
      return presentResource(changed, kindOf(changed.type), this.context);
    }
    if (!kind.isGeneric) {
      const run = entryOf(kind.actions, action);
      if (run === undefined)
        throw new ArmError(
          404,
          'InvalidResourceAction',
          `The action '${action}' does not exist for the type '${kind.type}'.`,
        );
      return run((await this.get(path)).resource, this.context);
    }
    // Called before a deployment is created; templates are not run here, so nothing is refused.
    if (action === 'validate' && kind.type.toLowerCase() === 'microsoft.resources/deployments')
      return {
        id: path.id,
        name: path.name,
        type: kind.type,
        properties: { ...asObject(body['properties']), provisioningState: 'Succeeded' },
      };
    const { resource } = await this.get(path);
    if (action !== 'regeneratekey' && action !== 'regeneratecredential')
      return answerListAction(resource, action, body);
    const renewed = {
      ...resource,
      secrets: regenerateKey(resource, body),
      changedAt: this.context.clock.now().toISOString(),
    };
    await this.context.store.save(renewed, path.parent);
    return answerListAction(
      renewed,
      action === 'regeneratekey' ? 'listkeys' : 'listcredentials',
      {},
    );
  }

  /**
   * The answers for a list; empty for a type without resources.
   *
   * @throws ArmError 404 when the group or the parent does not exist.
   */
  async list(
    query: { subscription: string; group?: string; type: string; parent?: string },
    filter: string | null,
  ): Promise<Json[]> {
    const { store } = this.context;
    if (query.group !== undefined) await this.requireGroup({ ...query, group: query.group });
    await this.requireParent(query, 'read');
    const resources =
      (await listRolesOrAssignments(store, query, filter)) ??
      (await this.listRevisionsOrReplicas(query)) ??
      (await store.list(query)).filter((resource) => !this.isExpired(resource));
    return Promise.all(
      resources.map((resource) => presentResource(resource, kindOf(resource.type), this.context)),
    );
  }

  /**
   * The revisions of an app or the replicas of a revision; undefined for other types.
   *
   * @throws ArmError 404
   */
  private async listRevisionsOrReplicas({
    type,
    parent = '',
  }: {
    type: string;
    parent?: string;
  }): Promise<StoredResource[] | undefined> {
    const kind = kindOf(type);
    if (kind !== appRevision && kind !== appReplica) return undefined;
    const owner = parsePath(parent);
    if (owner?.kind !== 'resource') return [];
    const { resource } = await this.get(owner);
    return (kind === appRevision ? revisionResources : replicaResources)(
      resource,
      this.context.platform,
    );
  }

  private async find(path: ResourcePath): Promise<StoredResource | undefined> {
    const { store } = this.context;
    const stored = await store.find(path.id);
    const resource = stored === undefined || this.isExpired(stored) ? undefined : stored;
    if (resource === undefined && kindOf(path.type) === roleDefinition)
      return builtInRoleResource(path.subscription, path.name);
    const revisionsOrReplicas = resource ? undefined : await this.listRevisionsOrReplicas(path);
    if (revisionsOrReplicas !== undefined)
      return revisionsOrReplicas.find(({ id }) => resourceKey(id) === resourceKey(path.id));
    const createDefaultContent = findDefaultContent(path.type, path.name);
    if (resource !== undefined || path.parent === undefined || createDefaultContent === undefined)
      return resource;
    const parent = await store.find(path.parent);
    if (parent === undefined) return undefined;
    const { subscription, group, createdAt, changedAt } = parent;
    const { id, type, name } = path;
    return {
      id,
      type,
      name,
      subscription,
      group,
      setByService: {},
      secrets: [],
      ...createDefaultContent(parent),
      createdAt,
      changedAt,
    };
  }

  /** The group of a path; undefined for a resource of the subscription. @throws ArmError 404 */
  private async requireGroup({
    subscription,
    group,
  }: {
    subscription: string;
    group: string;
  }): Promise<StoredResource | undefined> {
    if (group === '') return undefined;
    const resource = await this.context.store.find(
      resourceKey(`/subscriptions/${subscription}/resourceGroups/${group}`),
    );
    if (resource === undefined) throw resourceGroupNotFound(group);
    return resource;
  }

  /** Whether the service has removed a resource, as a deleted vault on its purge date. */
  private isExpired(resource: StoredResource): boolean {
    const expiry = kindOf(resource.type).expiryOf?.(resource);
    return expiry !== undefined && Date.parse(expiry) <= this.context.clock.now().getTime();
  }

  /** @throws ArmError 404 when the parent of a child or an extension does not exist. */
  private async requireParent(
    { parent, type }: { readonly parent?: string; readonly type: string },
    operation: 'read' | 'write',
  ): Promise<void> {
    if (parent === undefined) return;
    const path = parsePath(parent);
    if (path?.kind === 'resource' && (isLocation(path) || (await this.find(path)) !== undefined))
      return;
    throw new ArmError(
      404,
      'ParentResourceNotFound',
      `Failed to perform '${operation}' on resource(s) of type '${typeWithoutNamespace(kindOf(type).type)}', because the parent resource '${parent}' could not be found.`,
    );
  }

  /** Writes the children listed in a body, and removes those that are no longer listed. */
  private async putListedChildren(
    path: ResourcePath,
    owner: StoredResource,
    name: string,
    listed: readonly ListedChild[],
  ): Promise<void> {
    const { store } = this.context;
    const type = childType(owner, name);
    const listedNames = new Set(listed.map((child) => child.name.toLowerCase()));
    for (const child of await store.list({ type, parent: owner.id }))
      if (!listedNames.has(child.name.toLowerCase())) await store.remove(child.id);
    for (const child of listed)
      await this.put(
        {
          ...path,
          type,
          name: child.name,
          id: `${owner.id}/${name}/${child.name}`,
          parent: owner.id,
        },
        child.body,
      );
  }

  private resolveLocation(
    body: Json,
    kind: ResourceKind,
    previous: StoredResource | undefined,
    path: ResourcePath,
  ): string | undefined {
    if (kind.isProxyResource) return undefined;
    const location = nonEmptyText(body['location']) ?? previous?.location;
    if (location === undefined && kind.isGeneric) return undefined;
    if (location === undefined)
      throw badRequest(
        'LocationRequired',
        'The location property is required for this definition.',
      );
    if (previous?.location !== undefined && !isSameLocation(previous.location, location))
      throw conflict(
        'InvalidResourceLocation',
        `The resource '${path.name}' already exists in location '${previous.location}' in resource group '${path.group}'. A resource with the same name cannot be created in location '${location}'.`,
      );
    return previous?.location ?? location;
  }
}

/** The type of the children that a property of their owner lists. */
function childType(owner: StoredResource, name: string): string {
  return `${owner.type}/${name}`;
}

/** @throws ArmError 400 for a child that can't be written. */
async function checkListedChildren(
  type: string,
  listed: readonly ListedChild[],
  context: WriteContext,
): Promise<void> {
  const kind = kindOf(type);
  for (const { name, body } of listed) {
    kind.checkName(name);
    if (!kind.isProxyResource) optionalTags(body, kind);
    await kind.prepareWrite(body, { ...context, previous: undefined });
  }
}

/** Unknown types have tags only if the request sets them: not every type supports tags. */
function optionalTags(body: Json, kind: ResourceKind): Pick<StoredResource, 'tags'> {
  const tags = body['tags'];
  return kind.isGeneric && (tags === undefined || tags === null) ? {} : { tags: readTags(body) };
}

/** Whether a path is a place of a provider, `Microsoft.KeyVault/locations/westeurope`. */
function isLocation({ type }: ResourcePath): boolean {
  return typeWithoutNamespace(type).toLowerCase() === 'locations';
}

function typeWithoutNamespace(type: string): string {
  return type.split('/').slice(1).join('/');
}
