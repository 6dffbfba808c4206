import { setTimeout as sleep } from 'node:timers/promises';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { undefinedIfNotFound, isServiceError } from '../../../clients/common/index.js';
import type { CreateItem, Eventhouse, Item } from '../../../clients/items/index.js';
import { eventhouse as eventhouseKind } from '../../../kinds/eventhouse/eventhouse.js';
import { eventstream as eventstreamKind } from '../../../kinds/eventstream/eventstream.js';
import type { PlannedChange } from '../../planner/plan.js';
import type { ActualValues } from '../../planner/new-state.js';
import { equalValues } from '../../values/equality.js';
import { isWhollyKnown, type ValueMap } from '../../values/value.js';
import { flattenItem, updateProperties, importItem, warnIfNotFound } from '../fabric/item.js';
import { flattenEventhouse } from '../fabric/item-types.js';
import { declaredAndActual, expandProperties } from '../described-values.js';
import { waitingItemFinder } from '../finders.js';
import type { Context, ResourceHandler } from '../handler.js';
import { textOrEmpty, oneBlock, optionalText, textList } from '../read-values.js';
import {
  expandDefinition,
  hasGraph,
  readDefinition,
  isSameDefinition,
  withGraph,
} from './definition.js';

type ItemCollection = 'eventhouses' | 'eventstreams';

const kinds = { eventhouses: eventhouseKind, eventstreams: eventstreamKind } as const;

/** The resource castellan_eventhouse. */
export const eventhouse: ResourceHandler = itemHandler('eventhouses');
/** The resource castellan_eventstream. */
export const eventstream: ResourceHandler = itemHandler('eventstreams');

/** Items by their typed endpoints, which accept everything: label settings, any parts, a format. */
function itemHandler(collection: ItemCollection): ResourceHandler {
  const get = ({ api, signal }: Context, state: ValueMap, id: string): Promise<Item> =>
    api.items[collection].get(textOrEmpty(state, 'workspace_id'), id, { signal });
  return {
    async create({ planned, ...context }) {
      const { api, signal } = context;
      const workspaceId = textOrEmpty(planned, 'workspace_id');
      const answer = await retryUntilNameIsFree(
        () => api.items[collection].create(workspaceId, itemDraft(collection, planned), { signal }),
        signal,
      );
      context.reportCreated({ id: answer.id });
      const tags = textList(planned, 'tags');
      if (tags.length > 0)
        await api.items.items.applyTags(workspaceId, answer.id, tags, { signal });
      return toState(await get(context, planned, answer.id));
    },
    findExisting: waitingItemFinder(collection === 'eventhouses' ? 'Eventhouse' : 'Eventstream'),
    async read({ state, ...context }) {
      const { api, signal } = context;
      const item = await warnIfNotFound(get(context, state, textOrEmpty(state, 'id')), context);
      if (item === undefined) return undefined;
      if (oneBlock(state, 'definition') === undefined || !managesDefinition(state))
        return toState(item);
      const actualDefinition = await api.items[collection].getDefinition(
        item.workspaceId,
        item.id,
        {
          signal,
          ...formatOf(state),
        },
      );
      return { ...toState(item), definition: readDefinition(state, actualDefinition) };
    },
    async update({ prior, planned, ...context }) {
      const { api, signal } = context;
      await updateProperties(prior, planned, context);
      const [workspaceId, id] = [textOrEmpty(prior, 'workspace_id'), textOrEmpty(prior, 'id')];
      const declaredDefinition = expandDefinition(planned);
      const mustSend =
        managesDefinition(planned) &&
        !(managesDefinition(prior) && isSameDefinition(prior, planned));
      if (declaredDefinition !== undefined && mustSend) {
        const isComplete = collection === 'eventhouses' || hasGraph(declaredDefinition);
        const definition = isComplete
          ? declaredDefinition
          : withGraph(
              declaredDefinition,
              await api.items[collection].getDefinition(workspaceId, id, { signal }),
            );
        await api.items[collection].updateDefinition(workspaceId, id, definition, { signal });
      }
      return toState(await get(context, prior, textOrEmpty(prior, 'id')));
    },
    async delete({ api, state, signal }) {
      await undefinedIfNotFound(
        api.items[collection].delete(textOrEmpty(state, 'workspace_id'), textOrEmpty(state, 'id'), {
          signal,
        }),
      );
    },
    import: importItem,
    plan: ({ change }) => {
      planLabel(change);
      keepExistingValues(change, collection);
      planDefinition(change);
    },
  };
}

function itemDraft(collection: ItemCollection, planned: ValueMap): CreateItem {
  const definition =
    collection === 'eventstreams'
      ? withGraph(expandDefinition(planned))
      : expandDefinition(planned);
  const body = expandProperties(kinds[collection], resourceTypeName(collection), planned, {
    include: ['folderId'],
  });
  return {
    displayName: textOrEmpty(planned, 'display_name'),
    description: '',
    ...body,
    ...omitUndefined({ definition }),
  };
}

function resourceTypeName(collection: ItemCollection): string {
  return `castellan_${collection.slice(0, -1)}`;
}

/** Whether the service gets a changed definition; then its definition is read as well. */
function managesDefinition(state: ValueMap): boolean {
  return state['definition_update_enabled'] !== false;
}

function formatOf(state: ValueMap): { readonly format?: string } {
  const format = optionalText(oneBlock(state, 'definition'), 'format');
  return format === undefined ? {} : { format };
}

/**
 * A label that the item already has (after an import) needs no new item; another label, or its
 * removal, does.
 */
function planLabel(change: PlannedChange): void {
  const { prior, planned } = change;
  if (prior === undefined) return;
  const [before, after] = [
    oneBlock(prior, 'sensitivity_label'),
    oneBlock(planned, 'sensitivity_label'),
  ];
  const labelBefore = optionalText(prior, 'assigned_label_id')?.toLowerCase();
  const plannedLabel = optionalText(after, 'label_id')?.toLowerCase();
  if (plannedLabel !== undefined && plannedLabel === labelBefore)
    change.updateInPlace('sensitivity_label');
  else if ((before === undefined) !== (after === undefined))
    change.requireReplacement('sensitivity_label');
}

/**
 * A value that the item already has (after an import, or by default) needs no replacement, which
 * would lose data needlessly.
 */
function keepExistingValues(change: PlannedChange, collection: ItemCollection): void {
  for (const { attribute, declared, actual } of declaredAndActual(
    kinds[collection],
    resourceTypeName(collection),
    change.planned,
    change.prior,
  ))
    if (
      actual !== null &&
      equalValues(declared, actual, typeof actual === 'string' ? 'string' : 'number')
    )
      change.updateInPlace(attribute);
}

/** Warns that the definition in the service is overwritten, unless only the layout of JSON differs. */
function planDefinition(change: PlannedChange): void {
  const { prior, planned } = change;
  const [before, after] = [prior?.['definition'] ?? null, planned['definition'] ?? null];
  if (
    prior === undefined ||
    before === null ||
    after === null ||
    !isWhollyKnown(after) ||
    !managesDefinition(planned)
  )
    return;
  if (!isSameDefinition(prior, planned))
    change.warn(
      'Definition content has changed',
      'The definition in the service will be overwritten when the plan is applied.',
      'definition',
    );
}

function toState(item: Item): ActualValues {
  const eventhouseAttributes = 'properties' in item ? flattenEventhouse(item as Eventhouse) : {};
  return {
    ...flattenItem(item),
    assigned_label_id: item.sensitivityLabel?.id ?? null,
    ...eventhouseAttributes,
  };
}

/** The interval and the limit of retries, by the code of the error. */
const retryLimits: Readonly<Record<string, { readonly pauseMs: number; readonly maxMs: number }>> =
  {
    // When an item moves between fabric_* and castellan_*, Terraform deletes the old one and
    // creates the new one at the same time.
    ItemDisplayNameAlreadyInUse: { pauseMs: 2000, maxMs: 10_000 },
    // The cloud reserves the name of a deleted item for some minutes.
    ItemDisplayNameNotAvailableYet: { pauseMs: 30_000, maxMs: 10 * 60_000 },
  };

/**
 * Creates an item whose name another item may soon release: retries for 10 s while the name is in
 * use, for 10 min while the service reserves it.
 *
 * @param pause tests inject their own
 * @throws the last error when the name is not released in time or the run is interrupted, every
 *   other error at once
 */
export async function retryUntilNameIsFree<T>(
  create: () => Promise<T>,
  signal: AbortSignal,
  pause: (milliseconds: number) => Promise<unknown> = (milliseconds) =>
    sleep(milliseconds, undefined, { signal }),
): Promise<T> {
  for (let elapsedMs = 0; ;) {
    try {
      return await create();
    } catch (error) {
      const limits = isServiceError(error) ? retryLimits[error.serviceCode] : undefined;
      if (limits === undefined || elapsedMs >= limits.maxMs) throw error;
      try {
        await pause(limits.pauseMs);
      } catch {
        // interrupted: the refusal says that nothing was created, so that the next run does not take
        // the item of that name, which is someone else's, for its own
        throw error;
      }
      elapsedMs += limits.pauseMs;
    }
  }
}
