import { azureSchema } from '../../kinds/stack/azure.js';
import type { Clock } from '../common/clock.js';
import { isWithin, requireUnlocked } from './authorization/locks.js';
import { checkResourceName } from './property-checks.js';
import { isSameLocation, readTags } from './envelope.js';
import { badRequest, conflict, resourceGroupNotFound } from './errors.js';
import { nonEmptyText } from './json.js';
import type { Platform } from './kind.js';
import { kindOf } from './kinds/index.js';
import type { Json, ResourceStore, StoredResource } from './store.js';

/** The type of resource groups. */
export const resourceGroupType = 'Microsoft.Resources/resourceGroups';

/** The subscription and the name of a group. */
export interface GroupPath {
  readonly subscription: string;
  readonly group: string;
}

/** Resource groups. Deleting one deletes its resources. */
export class ResourceGroups {
  constructor(
    private readonly store: ResourceStore,
    private readonly clock: Clock,
    private readonly platform: Platform,
    private readonly onChanged: () => Promise<void>,
  ) {}

  /** @throws ArmError 404 when there is none. */
  async get(path: GroupPath): Promise<StoredResource> {
    const resource = await this.store.find(groupId(path));
    if (resource === undefined) throw resourceGroupNotFound(path.group);
    return resource;
  }

  /** Creates a group or changes its tags; its location cannot change. */
  async put(path: GroupPath, body: Json): Promise<{ group: StoredResource; isNew: boolean }> {
    checkResourceName(
      azureSchema.properties.resourceGroup,
      path.group,
      'resource group',
      'InvalidResourceGroupName',
    );
    const location = nonEmptyText(body['location']);
    if (location === undefined)
      throw badRequest(
        'LocationRequired',
        'The location property is required for this definition.',
      );
    const previous = await this.store.find(groupId(path));
    if (previous !== undefined) await requireUnlocked(this.store, previous, 'write');
    if (previous !== undefined && !isSameLocation(previous.location, location))
      throw conflict(
        'InvalidResourceGroupLocation',
        `Invalid resource group location '${location}'. The Resource group already exists in location '${previous.location ?? ''}'.`,
      );
    return {
      group: await this.write(path, previous, {
        location,
        tags: readTags(body),
        managedBy: nonEmptyText(body['managedBy']),
      }),
      isNew: previous === undefined,
    };
  }

  /** Changes the tags or the managing resource. */
  async patch(path: GroupPath, body: Json): Promise<StoredResource> {
    const previous = await this.get(path);
    await requireUnlocked(this.store, previous, 'write');
    const tags = body['tags'] === undefined ? (previous.tags ?? {}) : readTags(body);
    const managedBy = nonEmptyText(
      body['managedBy'] === undefined ? previous.properties['managedBy'] : body['managedBy'],
    );
    return this.write(path, previous, { location: previous.location ?? '', tags, managedBy });
  }

  /**
   * Deletes a group with everything in it; what can be recovered alone can be afterwards, too.
   *
   * @throws ArmError 404, 409 for a locked group or one that other groups use.
   */
  async delete(path: GroupPath): Promise<void> {
    const { store, clock, platform } = this;
    const group = await this.get(path);
    await requireUnlocked(store, group, 'delete');
    const resources = await store.list({ subscription: path.subscription, group: path.group });
    await this.requireUnusedByOtherGroups(group, resources);
    for (const resource of resources)
      await kindOf(resource.type).keepForRecovery?.(resource, {
        store,
        platform,
        clock,
        force: false,
      });
    await store.remove(group.id);
    await this.onChanged();
  }

  /** @throws ArmError 409 naming what is used, before anything is deleted. */
  private async requireUnusedByOtherGroups(
    group: StoredResource,
    resources: readonly StoredResource[],
  ): Promise<void> {
    const { store, platform } = this;
    for (const resource of resources) {
      const dependents =
        (await kindOf(resource.type).listDependents?.(resource, { store, platform })) ?? [];
      const dependentsOutside = dependents.filter(({ id }) => !isWithin(id, group.id));
      if (dependentsOutside.length > 0)
        throw conflict(
          'ResourceGroupDeletionBlocked',
          `Deletion of resource group '${group.name}' failed as resources with identifiers '${resource.type}/${resource.name}' could not be deleted: ${dependentsOutside.map(({ id }) => `'${id}'`).join(', ')} must be deleted first.`,
        );
    }
  }

  private async write(
    { subscription, group }: GroupPath,
    previous: StoredResource | undefined,
    change: {
      location: string;
      tags: Readonly<Record<string, string>>;
      managedBy: string | undefined;
    },
  ): Promise<StoredResource> {
    const now = this.clock.now().toISOString();
    const stored: StoredResource = {
      id: previous?.id ?? groupId({ subscription, group }),
      type: resourceGroupType,
      name: previous?.name ?? group,
      subscription,
      group: previous?.group ?? group,
      location: previous?.location ?? change.location.toLowerCase().replaceAll(' ', ''),
      tags: change.tags,
      properties: change.managedBy === undefined ? {} : { managedBy: change.managedBy },
      setByService: {},
      secrets: [],
      createdAt: previous?.createdAt ?? now,
      changedAt: now,
    };
    await this.store.save(stored);
    return stored;
  }
}

/** A group in an answer. */
export function presentGroup({ id, name, location, tags, properties }: StoredResource): Json {
  return {
    id,
    name,
    type: resourceGroupType,
    location,
    ...properties,
    tags,
    properties: { provisioningState: 'Succeeded' },
  };
}

function groupId({ subscription, group }: GroupPath): string {
  return `/subscriptions/${subscription}/resourceGroups/${group}`;
}
