import type { Clock } from '../common/clock.js';
import { present, sameLocation, tagsOf } from './envelope.js';
import { ArmError, badRequest, conflict, groupNotFound, resourceNotFound } from './errors.js';
import { mergePatch, omit, textOf } from './json.js';
import type { Hosting, ResourceKind, ResourcePath } from './kind.js';
import { kindOf } from './kinds/index.js';
import type { Json, ResourceStore, StoredResource } from './store.js';
import { keyOf } from './store.js';

/** What resources stand on. */
export interface ResourcesContext {
  readonly store: ResourceStore;
  readonly clock: Clock;
  readonly hosting: Hosting;
  /** Told after each write and deletion. */
  changed(type: string): Promise<void>;
}

/** Everything that a group can hold, by kind: created, replaced, changed, read, deleted. */
export class Resources {
  constructor(private readonly context: ResourcesContext) {}

  /** @throws ArmError 404 when the resource or its group isn't there. */
  async get(path: ResourcePath): Promise<{ resource: StoredResource; kind: ResourceKind }> {
    const kind = this.kindOf(path);
    const resource = await this.context.store.find(path.id);
    if (resource === undefined) {
      if ((await this.context.store.find(groupId(path))) === undefined) throw groupNotFound(path.group);
      throw resourceNotFound(kind.type, path.name, path.group);
    }
    return { resource, kind };
  }

  /** As answers show it. */
  async read(path: ResourcePath): Promise<Json> {
    const { resource, kind } = await this.get(path);
    return present(resource, kind, this.context);
  }

  /** Creates or replaces; what the body leaves out is gone. */
  async put(path: ResourcePath, body: Json): Promise<{ answer: Json; status: 200 | 201 }> {
    const kind = this.kindOf(path);
    const { store, clock, hosting } = this.context;
    const group = await store.find(groupId(path));
    if (group === undefined) throw groupNotFound(path.group);
    const parent = path.parent === undefined ? undefined : await store.find(path.parent);
    if (path.parent !== undefined && parent === undefined)
      throw new ArmError(
        404,
        'ParentResourceNotFound',
        `Failed to perform 'write' on resource(s) of type '${typeWords(kind.type)}', because the parent resource '${path.parent}' could not be found.`,
      );
    const previous = await store.find(path.id);
    if (previous === undefined) kind.checkName(path.name);
    const location = this.locationOf(body, kind, previous, path);
    const tags = kind.child ? {} : tagsOf(body);
    const { identity, secrets = [], properties, decided } = await kind.declare(body, { path, previous, store, clock, hosting });
    const now = clock.now().toISOString();
    const resource: StoredResource = {
      // Ids keep the spelling of their creation, and the group's own.
      id: previous?.id ?? path.id.replace(/\/resourceGroups\/[^/]+/i, `/resourceGroups/${group.name}`),
      type: kind.type,
      name: previous?.name ?? path.name,
      subscription: path.subscription,
      group: group.name,
      ...(location === undefined ? {} : { location }),
      tags,
      ...(identity === undefined ? {} : { identity }),
      properties,
      decided,
      secrets,
      createdAt: previous?.createdAt ?? now,
      changedAt: now,
    };
    await store.save(resource, path.parent);
    await this.context.changed(kind.type);
    return { answer: await present(resource, kind, this.context), status: previous === undefined ? (kind.createdStatus ?? 201) : 200 };
  }

  /** Merges a change into what stands (JSON merge patch); secrets that it doesn't name stay. */
  async patch(path: ResourcePath, change: Json): Promise<Json> {
    const { resource, kind } = await this.get(path);
    const { location, tags, identity, secrets } = resource;
    const properties = withSecretValues(resource.properties, secrets);
    const merged = mergePatch({ location, tags, identity, properties }, omit(change, ['id', 'name', 'type', 'systemData'])) as Json;
    // A list of secrets that a change carries replaces the old one; those that it names without a value keep theirs.
    return (await this.put({ ...path, id: resource.id }, kind.type.endsWith('/containerApps') ? keepValues(merged, secrets) : merged))
      .answer;
  }

  /** @returns false when there was nothing to delete. */
  async delete(path: ResourcePath, force = false): Promise<boolean> {
    const kind = this.kindOf(path);
    const { store, hosting, clock } = this.context;
    const resource = await store.find(path.id);
    if (resource === undefined) return false;
    await kind.beforeDelete?.(resource, { store, hosting, clock, force });
    await store.remove(resource.id);
    await this.context.changed(kind.type);
    return true;
  }

  /** `POST {id}/{action}`. */
  async act(path: ResourcePath): Promise<Json> {
    const kind = this.kindOf(path);
    const action = kind.actions?.[path.action ?? ''];
    if (action === undefined)
      throw new ArmError(404, 'InvalidResourceAction', `The action '${path.action ?? ''}' does not exist for the type '${kind.type}'.`);
    return action((await this.get(path)).resource);
  }

  /** As answers show them; nothing when the type has none. */
  async list(query: { subscription: string; group?: string; type: string; parent?: string }): Promise<Json[]> {
    const kind = this.kindOf(query);
    if (query.group !== undefined && (await this.context.store.find(groupId({ ...query, group: query.group }))) === undefined)
      throw groupNotFound(query.group);
    const found = await this.context.store.list({ ...query, type: kind.type });
    return Promise.all(found.map((resource) => present(resource, kind, this.context)));
  }

  /** @throws ArmError 404 for a type that isn't served. */
  kindOf({ type }: { readonly type: string }): ResourceKind {
    const kind = kindOf(type);
    if (kind !== undefined) return kind;
    const [namespace = '', ...words] = type.split('/');
    throw new ArmError(
      404,
      'InvalidResourceType',
      `The resource type '${words.join('/')}' could not be found in the namespace '${namespace}'.`,
    );
  }

  private locationOf(body: Json, kind: ResourceKind, previous: StoredResource | undefined, path: ResourcePath): string | undefined {
    if (kind.child) return undefined;
    const location = textOf(body['location']) ?? previous?.location;
    if (location === undefined) throw badRequest('LocationRequired', 'The location property is required for this definition.');
    if (previous !== undefined && !sameLocation(previous.location, location))
      throw conflict(
        'InvalidResourceLocation',
        `The resource '${path.name}' already exists in location '${previous.location ?? ''}' in resource group '${path.group}'. A resource with the same name cannot be created in location '${location}'.`,
      );
    return previous?.location ?? location;
  }
}

function groupId({ subscription, group }: { subscription: string; group: string }): string {
  return keyOf(`/subscriptions/${subscription}/resourceGroups/${group}`);
}

function typeWords(type: string): string {
  return type.split('/').slice(1).join('/');
}

type Configured = { configuration?: Json & { secrets?: readonly Json[] } };

function withSecretValues(properties: Json, secrets: readonly { name: string }[]): Json {
  const { configuration } = properties as Configured;
  if (configuration === undefined || secrets.length === 0) return properties;
  return { ...properties, configuration: { ...configuration, secrets } };
}

function keepValues(body: Json, secrets: readonly { name: string; value?: string }[]): Json {
  const properties = body['properties'] as Configured | undefined;
  const given = properties?.configuration?.secrets;
  if (!Array.isArray(given)) return body;
  const filled = given.map((entry: Json) => ({ ...secrets.find(({ name }) => name === entry['name']), ...entry }));
  return { ...body, properties: { ...properties, configuration: { ...properties?.configuration, secrets: filled } } };
}
