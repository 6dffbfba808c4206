import { omitUndefined } from '../../../core/values/omit-undefined.js';
import {
  apiVersions,
  type Resource,
  resourceId,
  type ResourceType,
  type ResourceIdentity,
} from '../../../clients/resource-manager/index.js';
import type { ActualValues } from '../../planner/new-state.js';
import { normalizeLocation } from '../../schemas/spelling.js';
import type { ValueMap, Value } from '../../values/value.js';
import {
  type Context,
  type DataSourceHandler,
  ProviderFailure,
  type ResourceHandler,
} from '../handler.js';
import { mayBeCreatedSince } from '../finders.js';
import { textOrEmpty, oneBlock, optionalText, textList } from '../read-values.js';

/** Options of a resource of the resource manager that is in a resource group. */
export interface AzurermKind {
  /** The type in the resource manager: `Microsoft.App/containerApps`. */
  readonly type: ResourceType;
  /** The name of its segment in ids: `containerAppName`. */
  readonly nameInIds: string;
  /** The type in Terraform: `azurerm_container_app`. */
  readonly typeName: string;
  /** Whether a change sends the whole resource, or only the changed properties. */
  readonly updateMethod: 'put' | 'patch';
  /**
   * Builds the body of a request; `prior` is the state before an update, `existing` the resource
   * that was read if `readsFirst` is set.
   */
  expand(
    planned: ValueMap,
    options: Context & { readonly prior?: ValueMap; readonly existing?: Resource },
  ): Promise<object> | object;
  /** An update reads the resource before it calls `expand`. */
  readonly readsFirst?: true;
  /**
   * Converts to its own attributes, besides those of every resource; `reference` is the plan, the
   * state, or the configuration of the data source.
   */
  flatten(
    answer: Resource,
    context: Context,
    reference: ValueMap,
  ): Promise<ActualValues> | ActualValues;
  readonly plan?: NonNullable<ResourceHandler['plan']>;
  /** Converts to the attributes of its data source. @default the attributes of the resource */
  readonly data?: (state: ActualValues) => ActualValues;
}

/**
 * The handlers of a resource and of its data source. Ids consist of names, so an object created by
 * a killed run has this id.
 */
export function azurermResource(kind: AzurermKind): {
  readonly resource: ResourceHandler;
  readonly data: DataSourceHandler;
} {
  const version = apiVersions[kind.type];
  const resourceIdFrom = ({ identity }: Context['api'], values: ValueMap): string =>
    resourceId(
      identity.subscriptionId,
      textOrEmpty(values, 'resource_group_name'),
      kind.type,
      textOrEmpty(values, 'name'),
    );
  const toState = async (
    answer: Resource,
    id: string,
    context: Context,
    reference: ValueMap,
  ): Promise<ActualValues> => {
    const { name, resourceGroup } = nameAndResourceGroup(id);
    const location = normalizeLocation(answer.location ?? '');
    const ownAttributes = await kind.flatten(answer, context, reference);
    return {
      id,
      name,
      resource_group_name: resourceGroup,
      location,
      tags: answer.tags ?? {},
      ...ownAttributes,
    };
  };
  const resource: ResourceHandler = {
    async create({ planned, reportCreated, ...context }) {
      const { api, signal } = context;
      const id = resourceIdFrom(api, planned);
      const { resources } = api.resourceManager;
      refuseExisting(await resources.find(id, version, { signal }), id, kind.typeName);
      const body = { ...(await kind.expand(planned, context)) };
      const answer = await resources.put(id, version, body, { signal });
      reportCreated({ id });
      return toState(answer, id, context, planned);
    },
    async findExisting({ api, planned, createdSince, signal }) {
      const id = resourceIdFrom(api, planned);
      const resource = await api.resourceManager.resources.find(id, version, { signal });
      return resource !== undefined && mayBeCreatedSince(createdSince, resource)
        ? { id }
        : undefined;
    },
    async read({ state, ...context }) {
      const id = textOrEmpty(state, 'id');
      const resource = await context.api.resourceManager.resources.find(id, version, {
        signal: context.signal,
      });
      return resource === undefined ? undefined : toState(resource, id, context, state);
    },
    async update({ planned, prior, ...context }) {
      const { resources } = context.api.resourceManager;
      const [id, options] = [textOrEmpty(prior, 'id'), { signal: context.signal }];
      const existing =
        kind.readsFirst === true ? { existing: await resources.get(id, version, options) } : {};
      const body = { ...(await kind.expand(planned, { ...context, prior, ...existing })) };
      return toState(
        await resources[kind.updateMethod](id, version, body, options),
        id,
        context,
        planned,
      );
    },
    delete: ({ api, state, signal }) =>
      api.resourceManager.resources.delete(textOrEmpty(state, 'id'), version, { signal }),
    import: importById(
      `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/${kind.type}/{${kind.nameInIds}}`,
    ),
    ...omitUndefined({ plan: kind.plan }),
  };
  const data: DataSourceHandler = async ({ config, ...context }) => {
    const id = resourceIdFrom(context.api, config);
    const state = await toState(
      await context.api.resourceManager.resources.get(id, version, { signal: context.signal }),
      id,
      context,
      config,
    );
    return kind.data?.(state) ?? state;
  };
  return { resource, data };
}

/** Refuses to create an existing object, as the official provider does. */
export function refuseExisting(existing: unknown, id: string, typeName: string): void {
  if (existing === undefined) return;
  throw new ProviderFailure(
    `a resource with the ID "${id}" already exists - to be managed via Terraform this resource needs to be imported into the State. Please see the resource documentation for "${typeName}" for more information.`,
  );
}

/** Checks the form of an id that is imported: segment names are case-sensitive. */
export function importById(idFormat: string): (id: string) => { readonly id: string } {
  const segments = idFormat.split('/');
  return (id) => {
    const parts = id.split('/');
    const mismatch = segments.findIndex((segment, index) =>
      segment.startsWith('{') ? (parts[index] ?? '') === '' : parts[index] !== segment,
    );
    if (parts.length === segments.length && mismatch < 0) return { id };
    const place =
      mismatch < 0 ? '' : `\n\nThe segment at position ${Math.max(0, mismatch - 1)} didn't match.`;
    throw new ProviderFailure(
      'parsing the ID of the resource to import',
      `Expected the form ${idFormat}, got ${id}.${place}`,
    );
  };
}

/** The name and the resource group in an id of the resource manager. */
export function nameAndResourceGroup(id: string): {
  readonly name: string;
  readonly resourceGroup: string;
} {
  const parts = id.split('/');
  const groupIndex = parts.findIndex((part) => part.toLowerCase() === 'resourcegroups');
  return { name: parts.at(-1) ?? '', resourceGroup: parts[groupIndex + 1] ?? '' };
}

/**
 * The managed identity in a request: without a space between the two kinds, "None" without a block.
 */
export function expandIdentity(planned: ValueMap): ResourceIdentity {
  const block = oneBlock(planned, 'identity');
  const type = optionalText(block, 'type');
  if (type === undefined) return { type: 'None', userAssignedIdentities: null };
  const ids = textList(block, 'identity_ids');
  return {
    type: type.replaceAll(' ', ''),
    userAssignedIdentities: ids.length === 0 ? null : Object.fromEntries(ids.map((id) => [id, {}])),
  };
}

/** The `identity` block for the service's value. */
export function flattenIdentity(identity: ResourceIdentity | undefined | null): Value {
  const kinds = (identity?.type ?? 'None').split(',').map((each) => each.trim().toLowerCase());
  const types = [
    kinds.includes('systemassigned') ? 'SystemAssigned' : '',
    kinds.includes('userassigned') ? 'UserAssigned' : '',
  ].filter((each) => each !== '');
  if (types.length === 0) return [];
  return [
    {
      type: types.join(', '),
      identity_ids: Object.keys(identity?.userAssignedIdentities ?? {}),
      principal_id: identity?.principalId ?? '',
      tenant_id: identity?.tenantId ?? '',
    },
  ];
}
