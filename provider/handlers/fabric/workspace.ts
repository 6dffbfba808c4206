import { undefinedIfNotFound } from '../../../clients/common/index.js';
import { workspace as workspaceKind } from '../../../kinds/workspace/workspace.js';
import type { Workspace } from '../../../clients/items/index.js';
import type { ValueMap } from '../../values/value.js';
import {
  type Context,
  type DataSourceHandler,
  ProviderFailure,
  type ResourceHandler,
} from '../handler.js';
import { expandProperties, flattenProperties } from '../described-values.js';
import { differsIn, isTrue, textOrEmpty, oneBlock, optionalText } from '../read-values.js';
import type { ActualValues } from '../../planner/new-state.js';
import { warnIfNotFound, importWorkspace } from './item.js';

/** The resource fabric_workspace. */
export const workspace: ResourceHandler = {
  async create({ planned, ...context }) {
    const { api, signal } = context;
    const { workspaces } = api.items;
    const draft = expandProperties(workspaceKind, 'fabric_workspace', planned, {
      include: ['capacityId'],
    });
    const answer = await workspaces.create(
      { displayName: textOrEmpty(planned, 'display_name'), ...draft },
      { signal },
    );
    context.reportCreated({ id: answer.id });
    await requireActiveCapacity(planned, context);
    if (oneBlock(planned, 'identity') !== undefined)
      await workspaces.provisionIdentity(answer.id, { signal });
    return toState(await workspaces.get(answer.id, { signal }));
  },
  /** Names are unique in the tenant. */
  async findExisting({ api, planned, signal }) {
    for await (const { id, displayName } of api.items.workspaces.list({ signal }))
      if (displayName === textOrEmpty(planned, 'display_name')) return { id };
    return undefined;
  },
  async read({ state, ...context }) {
    const workspace = await warnIfNotFound(
      context.api.items.workspaces.get(textOrEmpty(state, 'id'), { signal: context.signal }),
      context,
    );
    if (workspace !== undefined)
      await requireActiveCapacity({ ...state, capacity_id: workspace.capacityId ?? null }, context);
    return workspace === undefined ? undefined : toState(workspace);
  },
  async update({ prior, planned, ...context }) {
    const { api, signal } = context;
    const { workspaces } = api.items;
    const id = textOrEmpty(prior, 'id');
    const changes = {
      ...expandProperties(workspaceKind, 'fabric_workspace', planned, { prior }),
      // null would leave it as it is
      ...(differsIn(prior, planned, 'description') && {
        description: textOrEmpty(planned, 'description'),
      }),
    };
    if (Object.keys(changes).length > 0) await workspaces.update(id, changes, { signal });
    if (differsIn(prior, planned, 'capacity_id')) {
      const capacity = optionalText(planned, 'capacity_id');
      await (capacity === undefined
        ? workspaces.unassignFromCapacity(id, { signal })
        : workspaces.assignToCapacity(id, capacity, { signal }));
    }
    const [hadIdentity, hasIdentity] = [
      oneBlock(prior, 'identity') !== undefined,
      oneBlock(planned, 'identity') !== undefined,
    ];
    if (!hadIdentity && hasIdentity) await workspaces.provisionIdentity(id, { signal });
    if (hadIdentity && !hasIdentity) await workspaces.deprovisionIdentity(id, { signal });
    await requireActiveCapacity(planned, context);
    return toState(await workspaces.get(id, { signal }));
  },
  async delete({ api, state, signal }) {
    const { workspaces } = api.items;
    if (oneBlock(state, 'identity') !== undefined)
      await undefinedIfNotFound(
        workspaces.deprovisionIdentity(textOrEmpty(state, 'id'), { signal }),
      );
    await undefinedIfNotFound(workspaces.delete(textOrEmpty(state, 'id'), { signal }));
  },
  import: importWorkspace,
};

/**
 * A workspace with a capacity works only while the capacity is active.
 *
 * @param values planned values, or those of the state.
 * @throws ProviderFailure if the capacity is not active, or not visible to the caller.
 */
async function requireActiveCapacity(values: ValueMap, { api, signal }: Context): Promise<void> {
  const target = optionalText(values, 'capacity_id')?.toLowerCase();
  if (target === undefined || isTrue(values, 'skip_capacity_state_validation')) return;
  for await (const capacity of api.items.capacities({ signal })) {
    if (capacity.id.toLowerCase() !== target) continue;
    if (capacity.state === 'Active') return;
    throw new ProviderFailure(
      'Fabric Capacity state',
      `The capacity ${capacity.displayName} (${target}) is ${capacity.state}: it must be Active. Set skip_capacity_state_validation to skip this check.`,
      ['capacity_id'],
    );
  }
  throw new ProviderFailure(
    'Fabric Capacity not found',
    `No capacity with the id ${target} is visible to the caller.`,
    ['capacity_id'],
  );
}

function toState(workspace: Workspace): ActualValues {
  const { workspaceIdentity, oneLakeEndpoints } = workspace;
  return {
    id: workspace.id,
    ...flattenProperties(workspaceKind, 'fabric_workspace', workspace),
    description: workspace.description ?? '',
    type: workspace.type,
    capacity_id: workspace.capacityId ?? null,
    capacity_region: workspace.capacityRegion ?? null,
    capacity_assignment_progress: workspace.capacityAssignmentProgress ?? null,
    identity:
      workspaceIdentity == null
        ? null
        : {
            type: 'SystemAssigned',
            application_id: workspaceIdentity.applicationId,
            service_principal_id: workspaceIdentity.servicePrincipalId,
          },
    onelake_endpoints:
      oneLakeEndpoints == null
        ? null
        : {
            blob_endpoint: oneLakeEndpoints.blobEndpoint,
            dfs_endpoint: oneLakeEndpoints.dfsEndpoint,
          },
  };
}

/** The data source fabric_workspace, by id or name. */
export const workspaceData: DataSourceHandler = async ({ config, ...context }) => {
  const { api, signal } = context;
  const [id, name] = [optionalText(config, 'id'), optionalText(config, 'display_name')];
  if (id !== undefined) return toState(await api.items.workspaces.get(id, { signal }));
  for await (const each of api.items.workspaces.list({ signal }))
    if (each.displayName === name)
      return toState(await api.items.workspaces.get(each.id, { signal }));
  throw new ProviderFailure(
    'Read operation',
    `Unable to find Workspace with 'display_name': ${name ?? ''}`,
    ['display_name'],
  );
};

/** The data source fabric_capacity, by id or name. */
export const capacityData: DataSourceHandler = async ({ api, config, signal }) => {
  const [id, name] = [
    optionalText(config, 'id')?.toLowerCase(),
    optionalText(config, 'display_name'),
  ];
  for await (const { id: capacityId, displayName, region, sku, state } of api.items.capacities({
    signal,
  }))
    if (id === undefined ? displayName === name : capacityId.toLowerCase() === id)
      return { id: capacityId, display_name: displayName, region, sku, state };
  throw new ProviderFailure(
    'Read operation',
    `Unable to find Capacity with ${id === undefined ? `'display_name': ${name ?? ''}` : `'id': ${id}`}`,
  );
};
