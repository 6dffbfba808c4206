import { setTimeout as sleep } from 'node:timers/promises';
import { undefinedIfNotFound, isServiceError } from '../../../clients/common/index.js';
import type { CreateItem, Eventhouse, Item } from '../../../clients/items/index.js';
import { eventhouse as eventhouseKind } from '../../../kinds/eventhouse/eventhouse.js';
import { eventstream as eventstreamKind } from '../../../kinds/eventstream/schema.js';
import type { PlannedChange } from '../../planner/plan.js';
import type { ActualValues } from '../../planner/new-state.js';
import { equalValues } from '../../values/equality.js';
import { isWhollyKnown, type ValueMap } from '../../values/value.js';
import { flattenItem, updateProperties, importItem, undefinedWithWarning } from '../fabric/item.js';
import { flattenEventhouse } from '../fabric/items.js';
import { declaredAndAnswered, expand } from '../described-values.js';
import { findItem } from '../finders.js';
import type { Context, ResourceHandler } from '../handler.js';
import { dropUndefined, requiredText, oneBlock, text, texts } from '../read-values.js';
import {
  expandDefinition,
  hasGraph,
  readDefinition,
  sameDefinition,
  withGraph,
} from './definition.js';

type Family = 'eventhouses' | 'eventstreams';

const kinds = { eventhouses: eventhouseKind, eventstreams: eventstreamKind } as const;

/** The resource castellan_eventhouse. */
export const eventhouse: ResourceHandler = itemHandler('eventhouses');
/** The resource castellan_eventstream. */
export const eventstream: ResourceHandler = itemHandler('eventstreams');

/** Items by their typed endpoints, which accept everything: label settings, any parts, a format. */
function itemHandler(family: Family): ResourceHandler {
  const get = ({ api, signal }: Context, state: ValueMap, id: string): Promise<Item> =>
    api.items[family].get(requiredText(state, 'workspace_id'), id, { signal });
  return {
    async create({ planned, ...context }) {
      const { api, signal } = context;
      const workspaceId = requiredText(planned, 'workspace_id');
      const answer = await retryUntilNameIsFree(
        () => api.items[family].create(workspaceId, draft(family, planned), { signal }),
        signal,
      );
      context.created({ id: answer.id });
      const tags = texts(planned, 'tags');
      if (tags.length > 0)
        await api.items.items.applyTags(workspaceId, answer.id, tags, { signal });
      return toState(await get(context, planned, answer.id));
    },
    find: findItem(family === 'eventhouses' ? 'Eventhouse' : 'Eventstream'),
    async read({ state, ...context }) {
      const { api, signal } = context;
      const item = await undefinedWithWarning(
        get(context, state, requiredText(state, 'id')),
        context,
      );
      if (item === undefined) return undefined;
      if (oneBlock(state, 'definition') === undefined || !followsDefinition(state))
        return toState(item);
      const actual = await api.items[family].getDefinition(item.workspaceId, item.id, {
        signal,
        ...formatOf(state),
      });
      return { ...toState(item), definition: readDefinition(state, actual) };
    },
    async update({ prior, planned, ...context }) {
      const { api, signal } = context;
      await updateProperties(prior, planned, context);
      const [workspaceId, id] = [requiredText(prior, 'workspace_id'), requiredText(prior, 'id')];
      const declared = expandDefinition(planned);
      const isSent =
        followsDefinition(planned) && !(followsDefinition(prior) && sameDefinition(prior, planned));
      if (declared !== undefined && isSent) {
        const whole = family === 'eventhouses' || hasGraph(declared);
        const definition = whole
          ? declared
          : withGraph(declared, await api.items[family].getDefinition(workspaceId, id, { signal }));
        await api.items[family].updateDefinition(workspaceId, id, definition, { signal });
      }
      return toState(await get(context, prior, requiredText(prior, 'id')));
    },
    async delete({ api, state, signal }) {
      await undefinedIfNotFound(
        api.items[family].delete(requiredText(state, 'workspace_id'), requiredText(state, 'id'), {
          signal,
        }),
      );
    },
    import: importItem,
    plan: ({ change }) => {
      planLabel(change);
      keepWhatIsThere(change, family);
      planDefinition(change);
    },
  };
}

function draft(family: Family, planned: ValueMap): CreateItem {
  const definition =
    family === 'eventstreams' ? withGraph(expandDefinition(planned)) : expandDefinition(planned);
  const body = expand(kinds[family], typeOf(family), planned, { also: ['folderId'] });
  return {
    displayName: requiredText(planned, 'display_name'),
    description: '',
    ...body,
    ...dropUndefined({ definition }),
  };
}

function typeOf(family: Family): string {
  return `castellan_${family.slice(0, -1)}`;
}

/** Whether the service gets a changed definition; then its definition is read as well. */
function followsDefinition(state: ValueMap): boolean {
  return state['definition_update_enabled'] !== false;
}

function formatOf(state: ValueMap): { readonly format?: string } {
  const format = text(oneBlock(state, 'definition'), 'format');
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
  const labelBefore = text(prior, 'assigned_label_id')?.toLowerCase();
  const target = text(after, 'label_id')?.toLowerCase();
  if (target !== undefined && target === labelBefore) change.keepDespite('sensitivity_label');
  else if ((before === undefined) !== (after === undefined))
    change.replaceBecauseOf('sensitivity_label');
}

/**
 * A value that the item already has (after an import, or by default) needs no replacement, which
 * would lose data needlessly.
 */
function keepWhatIsThere(change: PlannedChange, family: Family): void {
  for (const { attribute, target, actual } of declaredAndAnswered(
    kinds[family],
    typeOf(family),
    change.planned,
    change.prior,
  ))
    if (
      actual !== null &&
      equalValues(target, actual, typeof actual === 'string' ? 'string' : 'number')
    )
      change.keepDespite(attribute);
}

/** Another layout of the same JSON is no change. */
function planDefinition(change: PlannedChange): void {
  const { prior, planned } = change;
  const [before, after] = [prior?.['definition'] ?? null, planned['definition'] ?? null];
  if (
    prior === undefined ||
    before === null ||
    after === null ||
    !isWhollyKnown(after) ||
    !followsDefinition(planned)
  )
    return;
  if (!sameDefinition(prior, planned))
    change.warn(
      'Definition content has changed',
      'The definition in the service will be overwritten when the plan is applied.',
      'definition',
    );
}

function toState(item: Item): ActualValues {
  const house = 'properties' in item ? flattenEventhouse(item as Eventhouse) : {};
  return { ...flattenItem(item), assigned_label_id: item.sensitivityLabel?.id ?? null, ...house };
}

/** The interval and the limit of retries, by the code of the error. */
const retryLimits: Readonly<Record<string, { readonly pauseMs: number; readonly maxMs: number }>> =
  {
    // When an item moves between fabric_* and castellan_*, Terraform deletes the old one and
    // creates
    // the new one concurrently.
    ItemDisplayNameAlreadyInUse: { pauseMs: 2000, maxMs: 10_000 },
    // The cloud reserves the name of a deleted item for some minutes.
    ItemDisplayNameNotAvailableYet: { pauseMs: 30_000, maxMs: 10 * 60_000 },
  };

/**
 * Creates an item whose name another item may soon release: retries for 10 s while the name is in
 * use, for 10 min while the service reserves it.
 *
 * @param pause tests inject their own
 * @throws the last error when the name is not released in time, every other error at once, the
 *   signal's reason when interrupted
 */
export async function retryUntilNameIsFree<T>(
  create: () => Promise<T>,
  signal: AbortSignal,
  pause: (milliseconds: number) => Promise<unknown> = (milliseconds) =>
    sleep(milliseconds, undefined, { signal }),
): Promise<T> {
  for (let elapsed = 0; ;) {
    try {
      return await create();
    } catch (error) {
      const wait = isServiceError(error) ? retryLimits[error.serviceCode] : undefined;
      if (wait === undefined || elapsed >= wait.maxMs) throw error;
      await pause(wait.pauseMs);
      elapsed += wait.pauseMs;
    }
  }
}
