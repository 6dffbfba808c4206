import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { writePageToken } from '../../common/page-token.js';
import { badRequest, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Directory } from '../kernel/directory.js';
import { contextUrl } from '../kernel/collection.js';
import type { ObjectType } from '../kernel/object-type.js';
import { checkSelect, odataType, present } from '../kernel/present.js';
import type { FilterNode } from '../odata/index.js';
import type { Change } from '../store/changes.js';
import type { StoredObject } from '../store/objects.js';
import { navigationName, type Relation, relations } from '../store/relations.js';
import { decodeDeltaToken, type DeltaState, expiredToken, type Round } from './delta-token.js';

/**
 * Answers a delta query: first all objects, page by page; then, with the delta link, the changes
 * since. A page shows the state when it is read, and the delta link starts where the round started,
 * so no change is lost in between.
 */
export async function delta(request: DirectoryRequest, source: DeltaSource): Promise<Reply> {
  const { directory, options } = request;
  const address = `${request.base}/${source.type.collection}/delta`;
  const state = await stateOf(request, source, address);
  if (state.round === undefined) return answer(request, source, { value: [] }, state, address);
  const page =
    state.round.from === undefined
      ? await initialPage(request, source, state)
      : await changedPage(request, source, state);
  if (options.deltatoken !== undefined) await directory.changes.prune(directory.clock.now());
  return answer(request, source, page, state, address);
}

async function stateOf(
  request: DirectoryRequest,
  source: DeltaSource,
  address: string,
): Promise<DeltaState> {
  const { directory, options } = request;
  const now = directory.clock.now();
  const stateIn = (token: string): DeltaState => {
    const state = decodeDeltaToken(token, now, address);
    checkAsked(directory, source, state);
    return state;
  };
  if (options.skiptoken !== undefined) return stateIn(options.skiptoken);
  const latest = await directory.changes.latest();
  if (options.deltatoken !== undefined && options.deltatoken.toLowerCase() !== 'latest') {
    const known = stateIn(options.deltatoken);
    if (known.upTo > latest) throw expiredToken(address);
    return { ...known, upTo: latest, at: now.getTime(), round: { from: known.upTo, after: 0 } };
  }
  if (
    options.top !== undefined ||
    options.orderby ||
    options.search ||
    options.count ||
    options.expand
  )
    throw badRequest(
      'Delta queries take $select, and $filter by ids; not $top, $orderby, $search, $count or $expand.',
    );
  const asked = omitUndefined({
    select: options.select,
    ids: options.filter && filteredIds(options.filter),
  });
  checkAsked(directory, source, asked);
  const start = { upTo: latest, at: now.getTime(), ...asked };
  return options.deltatoken === undefined ? { ...start, round: { after: 0 } } : start;
}

/** Refuses what a delta query can't select or follow; a token isn't signed, so each says it anew. */
function checkAsked(
  directory: Directory,
  { type }: DeltaSource,
  { select, ids = [] }: Pick<DeltaState, 'select' | 'ids'>,
): void {
  checkSelect(directory, type, select, false);
  if (ids.length > deltaLimits.ids)
    throw badRequest(`A delta query follows at most ${deltaLimits.ids} ids.`);
}

function answer(
  request: DirectoryRequest,
  source: DeltaSource,
  page: DeltaPage,
  state: DeltaState,
  address: string,
): Reply {
  const { round: _round, ...rest } = state;
  const link = page.next
    ? {
        '@odata.nextLink': `${address}?$skiptoken=${writePageToken({ ...state, round: page.next })}`,
      }
    : { '@odata.deltaLink': `${address}?$deltatoken=${writePageToken(rest)}` };
  const select = state.select ? { count: false, select: state.select } : { count: false };
  return ok({
    '@odata.context': contextUrl(request, source.type.collection, select),
    ...link,
    value: page.value,
  });
}

/**
 * One page of the first round: each object with its references. A large object continues on the
 * next pages under the same id.
 */
async function initialPage(
  request: DirectoryRequest,
  source: DeltaSource,
  state: DeltaState,
): Promise<DeltaPage> {
  const round = state.round as Round;
  const objects = await nextObjects(request, source, state, round);
  const more = objects.length > deltaLimits.objects;
  const value: Record<string, unknown>[] = [];
  let budget: number = deltaLimits.references;
  for (const object of objects.slice(0, deltaLimits.objects)) {
    const entry = entryOf(request, source, state, object);
    value.push(entry);
    if (source.mayFollow && !(await source.mayFollow(request, object))) continue;
    const relations = trackedRelations(source, state);
    const rest = round.rest?.number === object.number ? round.rest : undefined;
    for (let at = rest?.relation ?? 0; at < relations.length; at++) {
      const relation = relations[at] as (typeof relations)[number];
      const from = at === rest?.relation ? rest.after : 0;
      const targets = await request.directory.links.targets(object, relation, from, budget + 1);
      const page = targets.slice(0, budget);
      if (page.length > 0)
        entry[deltaName(relation)] = page.map((target) =>
          presentReference(request, target.type, target.id),
        );
      budget -= page.length;
      if (targets.length > page.length)
        return {
          value,
          next: {
            after: object.number - 1,
            rest: { number: object.number, relation: at, after: page.at(-1)?.number ?? from },
          },
        };
    }
    if (budget === 0) return { value, next: { after: object.number } };
  }
  return more
    ? { value, next: { after: objects[deltaLimits.objects - 1]?.number ?? 0 } }
    : { value };
}

async function nextObjects(
  request: DirectoryRequest,
  source: DeltaSource,
  state: DeltaState,
  round: Round,
): Promise<StoredObject[]> {
  const { objects } = request.directory;
  if (!state.ids) return objects.page(source.type.name, round.after, deltaLimits.objects + 1);
  const matches: StoredObject[] = [];
  for (const id of state.ids) {
    const object = await objects.getOfType(source.type.name, id);
    if (object && object.number > round.after) matches.push(object);
  }
  return matches.sort((a, b) => a.number - b.number);
}

/**
 * The ids of `id eq 'a' or id eq 'b'`, the only filter of delta queries.
 *
 * @throws DirectoryError 400 for anything else.
 */
function filteredIds(filter: FilterNode): string[] {
  const ids = collect(filter);
  if (ids === undefined)
    throw badRequest("Delta queries are filtered by ids only: id eq '…' or id eq '…'.");
  return ids;
}

function collect(node: FilterNode): string[] | undefined {
  if (node.kind === 'or') {
    const lists = node.operands.map(collect);
    return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
  }
  const byId =
    (node.kind === 'compare' || node.kind === 'in') && node.path.segments.join('/') === 'id';
  if (!byId) return undefined;
  if (node.kind === 'in') return node.values.map((value) => String(value.value).toLowerCase());
  return node.operator === 'eq' ? [String(node.value.value).toLowerCase()] : undefined;
}

/** One page of a later round: each changed object once. */
export async function changedPage(
  request: DirectoryRequest,
  source: DeltaSource,
  state: DeltaState,
): Promise<DeltaPage> {
  const { changes } = request.directory;
  const round = state.round as Round;
  const range = { from: round.from ?? 0, upTo: state.upTo };
  const numbers = await changes.changedObjects(
    source.type.name,
    range,
    round.after,
    deltaLimits.objects + 1,
  );
  const value: Record<string, unknown>[] = [];
  for (const number of numbers.slice(0, deltaLimits.objects)) {
    const entry = await changedEntry(
      request,
      source,
      state,
      number,
      await changes.changesOf(number, range),
    );
    if (entry) value.push(entry);
  }
  const last = numbers[deltaLimits.objects - 1];
  return numbers.length > deltaLimits.objects && last !== undefined
    ? { value, next: { ...round, after: last } }
    : { value };
}

async function changedEntry(
  request: DirectoryRequest,
  source: DeltaSource,
  state: DeltaState,
  number: number,
  changes: readonly Change[],
): Promise<Record<string, unknown> | undefined> {
  const id = changes[0]?.id ?? '';
  if (state.ids && !state.ids.includes(id)) return undefined;
  const object = await request.directory.objects.getByNumber(number);
  if (!object) {
    const last = changes.findLast((change) => change.kind !== 'link');
    return { id, '@removed': { reason: last?.kind === 'deleted' ? 'deleted' : 'changed' } };
  }
  const names = changedNames(changes);
  if (
    state.select &&
    names !== 'all' &&
    !state.select.some((name) => names.has(name)) &&
    !touchesLinks(source, state, changes)
  )
    return undefined;
  const entry = entryOf(request, source, state, object);
  if (request.preference('return') === 'minimal' && names !== 'all')
    for (const name of Object.keys(entry))
      if (name !== 'id' && !names.has(name)) delete entry[name];
  if (!source.mayFollow || (await source.mayFollow(request, object)))
    Object.assign(entry, changedReferences(request, source, state, changes));
  return entry;
}

function changedNames(changes: readonly Change[]): 'all' | ReadonlySet<string> {
  const sets = changes.filter((change) => change.kind !== 'link');
  // null: the change was of the whole object
  if (sets.some((change) => change.changed === null)) return 'all';
  return new Set(sets.flatMap((change) => JSON.parse(change.changed ?? '[]') as string[]));
}

function touchesLinks(source: DeltaSource, state: DeltaState, changes: readonly Change[]): boolean {
  const numbers = new Set<number>(
    trackedRelations(source, state).map((relation) => relations[relation]),
  );
  return changes.some((change) => change.relation !== null && numbers.has(change.relation));
}

/** The last change of every added or removed reference. */
function changedReferences(
  request: DirectoryRequest,
  source: DeltaSource,
  state: DeltaState,
  changes: readonly Change[],
): Record<string, unknown> {
  const entries: Record<string, unknown> = {};
  for (const relation of trackedRelations(source, state)) {
    const last = new Map<string, Change>();
    for (const change of changes)
      if (change.relation === relations[relation] && change.target_id !== null)
        last.set(change.target_id, change);
    if (last.size === 0) continue;
    entries[deltaName(relation)] = [...last].map(([id, change]) =>
      (change.removed === 1 ? removedReference : presentReference)(
        request,
        change.target_type ?? '',
        id,
      ),
    );
  }
  return entries;
}

/** The properties and relations in the delta of a type. */
export interface DeltaSource {
  readonly type: ObjectType;
  /** The followed relations: all of them without `$select`, otherwise the selected ones. */
  readonly relations: readonly Relation[];
  /** Whether the caller may see the references of an object. @default everyone may */
  readonly mayFollow?: (request: DirectoryRequest, object: StoredObject) => Promise<boolean>;
}

/** One page of a delta round: its entries, and the start of the next page. */
export interface DeltaPage {
  readonly value: readonly Record<string, unknown>[];
  readonly next?: DeltaState['round'];
}

/** The most ids in a delta query, and the most entries and references on a page. */
export const deltaLimits = { ids: 50, objects: 100, references: 1_000 } as const;

/** The relations that a delta follows: the selected ones, or all without `$select`. */
export function trackedRelations(source: DeltaSource, state: DeltaState): readonly Relation[] {
  const { select } = state;
  return select === undefined
    ? source.relations
    : source.relations.filter((relation) => select.includes(navigationName(relation)));
}

/** An object's properties in a delta: the id, and the selected or default ones. */
export function entryOf(
  request: DirectoryRequest,
  source: DeltaSource,
  state: DeltaState,
  object: StoredObject,
): Record<string, unknown> {
  const names = new Set<string>(source.relations.map((relation) => navigationName(relation)));
  const select = state.select?.filter((name) => !names.has(name));
  return { id: object.id, ...present(request.directory, object, { select }) };
}

/** The property for changed references: `members@delta`. */
export function deltaName(relation: Relation): string {
  return `${navigationName(relation)}@delta`;
}

/** An existing reference. */
export function presentReference(
  request: DirectoryRequest,
  type: string,
  id: string,
): Record<string, unknown> {
  return { '@odata.type': odataType(request.directory, type), id };
}

/** A removed reference. */
export function removedReference(
  request: DirectoryRequest,
  type: string,
  id: string,
): Record<string, unknown> {
  return { ...presentReference(request, type, id), '@removed': { reason: 'deleted' } };
}
