import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { undefinedIfNotFound, isServiceError } from '../../../clients/common/index.js';
import type { CreateItem, Item } from '../../../clients/items/index.js';
import type { Kind } from '../../../kinds/schema/kind.js';
import { isMap, type Value, type ValueMap } from '../../values/value.js';
import { expandProperties } from '../described-values.js';
import { waitingItemFinder } from '../finders.js';
import { type Context, type PlanCall, type ResourceHandler, ProviderFailure } from '../handler.js';
import {
  differsIn,
  propertyAsValue,
  listDifference,
  textOrEmpty,
  optionalText,
  textList,
} from '../read-values.js';
import type { ActualValues } from '../../planner/new-state.js';
import {
  mustSendDefinition,
  expandDefinition,
  planDefinition,
  processParts,
  sha256,
} from './definition.js';
import { isGuid } from '../../../core/values/guid.js';

/** Options of an item type. */
export interface ItemKind<T extends Item> {
  /** The type in the generic endpoints. */
  readonly type: string;
  /** Sent by the official provider when a definition is removed from the configuration. */
  readonly emptyDefinition: Readonly<Record<string, string>>;
  /** The description of the kind, if there is one. */
  readonly describedKind?: Pick<Kind, 'terraform' | 'schema'>;
  /** The creation payload of undescribed properties; undefined without one. */
  creationPayload?(planned: ValueMap): Readonly<Record<string, unknown>> | undefined;
  get(context: Context, workspaceId: string, id: string): Promise<T>;
  /** Attributes beyond those of all items. */
  flatten?(item: T): ActualValues;
}

/**
 * The resource type of an item type: created, changed and deleted by the endpoints that all items
 * share.
 */
export function itemHandler<T extends Item>(kind: ItemKind<T>): ResourceHandler {
  return {
    async create({ planned, ...context }) {
      const { api, signal } = context;
      const workspaceId = textOrEmpty(planned, 'workspace_id');
      const definition = isMap(planned['definition'])
        ? { definition: await expandDefinition(planned) }
        : {};
      const draft: CreateItem & { readonly type: string } = {
        type: kind.type,
        displayName: textOrEmpty(planned, 'display_name'),
        description: optionalText(planned, 'description') ?? '',
        ...omitUndefined({
          folderId: optionalText(planned, 'folder_id'),
          creationPayload: kind.creationPayload?.(planned),
        }),
        ...(kind.describedKind !== undefined &&
          expandProperties(kind.describedKind, `fabric_${kind.type.toLowerCase()}`, planned)),
        ...definition,
      };
      const answer = await api.items.items.create(workspaceId, draft, { signal });
      context.reportCreated({ id: answer.id });
      const tags = textList(planned, 'tags');
      if (tags.length > 0)
        await api.items.items.applyTags(workspaceId, answer.id, tags, { signal });
      return toState(await kind.get(context, workspaceId, answer.id), planned, kind);
    },
    findExisting: waitingItemFinder(kind.type),
    async read({ state, ...context }) {
      const item = await warnIfNotFound(
        kind.get(context, textOrEmpty(state, 'workspace_id'), textOrEmpty(state, 'id')),
        context,
      );
      return item === undefined ? undefined : { ...flattenItem(item), ...kind.flatten?.(item) };
    },
    async update({ prior, planned, ...context }) {
      await updateWithDefinition(prior, planned, context, kind);
      return toState(
        await kind.get(context, textOrEmpty(prior, 'workspace_id'), textOrEmpty(prior, 'id')),
        planned,
        kind,
      );
    },
    async delete({ api, state, signal }) {
      await undefinedIfNotFound(
        api.items.items.delete(textOrEmpty(state, 'workspace_id'), textOrEmpty(state, 'id'), {
          signal,
        }),
      );
    },
    import: importItem,
    plan: ({ change }: PlanCall) => planDefinition(change),
  };
}

async function updateWithDefinition<T extends Item>(
  prior: ValueMap,
  planned: ValueMap,
  context: Context,
  kind: ItemKind<T>,
): Promise<void> {
  const { api, signal } = context;
  const [workspaceId, id] = [textOrEmpty(prior, 'workspace_id'), textOrEmpty(prior, 'id')];
  await updateProperties(prior, planned, context);
  const parts = await processParts(planned);
  const digests = Object.fromEntries(
    Object.entries(parts).map(([path, content]) => [path, sha256(content)]),
  );
  if (!mustSendDefinition(prior, planned, digests)) return;
  const emptyParts = Object.entries(kind.emptyDefinition).map(([path, content]) => ({
    path,
    payload: Buffer.from(content).toString('base64'),
    payloadType: 'InlineBase64' as const,
  }));
  const definition =
    Object.keys(parts).length === 0 ? { parts: emptyParts } : await expandDefinition(planned);
  await api.items.items.updateDefinition(workspaceId, id, definition, { signal });
}

/** Renames, moves and tags an item as requested. */
export async function updateProperties(
  prior: ValueMap,
  planned: ValueMap,
  { api, signal }: Context,
): Promise<void> {
  const [workspaceId, id] = [textOrEmpty(prior, 'workspace_id'), textOrEmpty(prior, 'id')];
  const { items } = api.items;
  if (differsIn(prior, planned, 'display_name', 'description'))
    await items.update(
      workspaceId,
      id,
      {
        displayName: textOrEmpty(planned, 'display_name'),
        description: optionalText(planned, 'description') ?? '',
      },
      { signal },
    );
  if (differsIn(prior, planned, 'folder_id'))
    await items.move(workspaceId, id, optionalText(planned, 'folder_id'), { signal });
  const { add, remove } = listDifference(textList(prior, 'tags'), textList(planned, 'tags'));
  if (remove.length > 0) await items.unapplyTags(workspaceId, id, remove, { signal });
  if (add.length > 0) await items.applyTags(workspaceId, id, add, { signal });
}

/** After create and update the digests of the definition are known. */
async function toState<T extends Item>(
  item: T,
  planned: ValueMap,
  kind: ItemKind<T>,
): Promise<ActualValues> {
  const { definition } = planned;
  const withDigests = isMap(definition)
    ? { definition: await addDigests(planned, definition) }
    : {};
  return { ...flattenItem(item), ...kind.flatten?.(item), ...withDigests };
}

async function addDigests(planned: ValueMap, definition: ValueMap): Promise<ValueMap> {
  const parts = await processParts(planned);
  const entries = Object.entries(definition).map(([path, part]): [string, Value] => {
    const content = parts[path];
    return [
      path,
      isMap(part) && content !== undefined
        ? { ...part, source_content_sha256: sha256(content) }
        : part,
    ];
  });
  return Object.fromEntries(entries);
}

/** The attributes of every item. */
export function flattenItem(item: Item): ActualValues {
  return {
    id: item.id,
    workspace_id: item.workspaceId,
    display_name: item.displayName,
    description: propertyAsValue(item, 'description') ?? '',
    folder_id: item.folderId ?? null,
    tags: (item.tags ?? []).map(({ id }) => id),
  };
}

/** Parses `<workspace>/<item>`; ids in upper case are accepted and converted to lower case. */
export function importItem(id: string): { readonly workspace_id: string; readonly id: string } {
  const [workspace = '', item = '', ...extraSegments] = id.split('/');
  if (extraSegments.length > 0 || !isGuid(workspace) || !isGuid(item))
    throw new ProviderFailure(
      'Invalid import identifier',
      `Expected identifier with format: WorkspaceID/ItemID (two UUIDs), got: ${id}`,
    );
  return { workspace_id: workspace.toLowerCase(), id: item.toLowerCase() };
}

/** Parses the id of a workspace. */
export function importWorkspace(id: string): { readonly id: string } {
  if (!isGuid(id))
    throw new ProviderFailure(
      'Invalid import identifier',
      `Expected the UUID of the workspace, got: ${id}`,
    );
  return { id: id.toLowerCase() };
}

const notFoundCodes = new Set(['EntityNotFound', 'WorkspaceNotFound']);

/**
 * Awaits an object that is read. If it is gone, warns and returns undefined: by any 404, and by a
 * 400 with a corresponding code.
 */
export async function warnIfNotFound<T>(
  answer: Promise<T>,
  { warn }: Context,
): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    const isGone =
      isServiceError(error, 404) ||
      (isServiceError(error, 400) && notFoundCodes.has(error.serviceCode));
    if (!isGone) throw error;
    warn({
      summary: 'Resource not found',
      detail:
        'The resource was not found in the service. It is removed from the state; the next plan creates it again.',
    });
    return undefined;
  }
}
