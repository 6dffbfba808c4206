import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { type Resource, resourceGroupId } from '../../../clients/resource-manager/index.js';
import { normalizeLocation } from '../../schemas/spelling.js';
import type { ValueMap } from '../../values/value.js';
import {
  type Api,
  type DataSourceHandler,
  ProviderFailure,
  type ResourceHandler,
} from '../handler.js';
import { blocks, textOrEmpty, oneBlock, optionalText, textMap } from '../read-values.js';
import type { ActualValues } from '../../planner/new-state.js';
import { importById, nameAndResourceGroup, refuseExisting } from './azurerm-resource.js';

/** The resource azurerm_resource_group. */
export const resourceGroup: ResourceHandler = {
  async create({ api, planned, signal }) {
    const id = resourceGroupId(api.identity.subscriptionId, textOrEmpty(planned, 'name'));
    refuseExisting(
      await api.resourceManager.resourceGroups.find(id, { signal }),
      id,
      'azurerm_resource_group',
    );
    const managedBy = optionalText(planned, 'managed_by');
    const body = omitUndefined({
      location: normalizeLocation(textOrEmpty(planned, 'location')),
      tags: textMap(planned, 'tags'),
      managedBy,
    });
    return toState(
      await api.resourceManager.resourceGroups.createOrUpdate(id, body, { signal }),
      id,
    );
  },
  findExisting: ({ api, planned }) =>
    Promise.resolve({
      id: resourceGroupId(api.identity.subscriptionId, textOrEmpty(planned, 'name')),
    }),
  async read({ api, state, signal }) {
    const id = textOrEmpty(state, 'id');
    const resource = await api.resourceManager.resourceGroups.find(id, { signal });
    return resource === undefined ? undefined : toState(resource, id);
  },
  async update({ api, planned, prior, signal }) {
    const id = textOrEmpty(prior, 'id');
    const body = {
      tags: textMap(planned, 'tags'),
      managedBy: optionalText(planned, 'managed_by') ?? '',
    };
    return toState(await api.resourceManager.resourceGroups.update(id, body, { signal }), id);
  },
  async delete({ api, state, providerConfig, signal }) {
    const id = textOrEmpty(state, 'id');
    if (preventsDeletionWithResources(providerConfig))
      await waitUntilEmpty(api, id, textOrEmpty(state, 'name'), signal);
    await api.resourceManager.resourceGroups.delete(id, { signal });
  },
  import: importById('/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}'),
};

/** The data source azurerm_resource_group. */
export const resourceGroupData: DataSourceHandler = async ({ api, config, signal }) => {
  const id = resourceGroupId(api.identity.subscriptionId, textOrEmpty(config, 'name'));
  return toState(await api.resourceManager.resourceGroups.get(id, { signal }), id);
};

function toState(group: Resource, id: string): ActualValues {
  const managedBy = (group as unknown as { managedBy?: string }).managedBy ?? null;
  return {
    id,
    name: nameAndResourceGroup(id).name,
    location: normalizeLocation(group.location ?? ''),
    tags: group.tags ?? {},
    managed_by: managedBy,
  };
}

function preventsDeletionWithResources(providerConfig: ValueMap): boolean {
  const settings = oneBlock(oneBlock(providerConfig, 'features'), 'resource_group');
  return (
    settings?.['prevent_deletion_if_contains_resources'] !== false ||
    blocks(providerConfig, 'features').length === 0
  );
}

/** How often, and how long, a group is listed until it is empty. */
const emptyPolling = { tries: 10, intervalMs: 150 };

/**
 * The same run may still be destroying other resources: waits for a moment, then lists those that
 * remain.
 */
async function waitUntilEmpty(
  api: Api,
  id: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  for (let tries = emptyPolling.tries; ; tries--) {
    const remaining: string[] = [];
    for await (const each of api.resourceManager.resourceGroups.contents(id, { signal }))
      remaining.push(each.id);
    if (remaining.length === 0) return;
    if (tries === 0)
      throw new ProviderFailure(
        `deleting Resource Group "${name}": the Resource Group still contains Resources.`,
        `Terraform is configured to check for Resources within the Resource Group when deleting the Resource Group - and raise an error if nested Resources still exist to avoid unintentionally deleting these Resources.\n\n${remaining.map((each) => `* ${each}`).join('\n')}\n\nSet prevent_deletion_if_contains_resources in the features block to false to delete them with the group.`,
      );
    await api.resourceManager.http.sleep(emptyPolling.intervalMs, signal);
  }
}
