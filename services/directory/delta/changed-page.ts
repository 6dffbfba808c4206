import type { DirectoryRequest } from '../http/request.js';
import type { Change } from '../store/changes.js';
import { relations } from '../store/relations.js';
import {
  deltaLimits,
  deltaName,
  type DeltaPage,
  type DeltaSource,
  entryOf,
  followed,
  presentReference,
  removedReference,
} from './delta-source.js';
import type { DeltaState, Round } from './delta-token.js';

/** One page of a later round: what has changed, each object once. */
export async function changedPage(request: DirectoryRequest, source: DeltaSource, state: DeltaState): Promise<DeltaPage> {
  const { changes } = request.directory;
  const round = state.round as Round;
  const range = { from: round.from ?? 0, upTo: state.upTo };
  const numbers = await changes.changedObjects(source.type.name, range, round.after, deltaLimits.objects + 1);
  const value: Record<string, unknown>[] = [];
  for (const number of numbers.slice(0, deltaLimits.objects)) {
    const entry = await changedEntry(request, source, state, number, await changes.changesOf(number, range));
    if (entry) value.push(entry);
  }
  const last = numbers[deltaLimits.objects - 1];
  return numbers.length > deltaLimits.objects && last !== undefined ? { value, next: { ...round, after: last } } : { value };
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
  if (state.select && names !== 'all' && !state.select.some((name) => names.has(name)) && !touchesLinks(source, state, changes))
    return undefined;
  const entry = entryOf(request, source, state, object);
  if (request.preference('return') === 'minimal' && names !== 'all')
    for (const name of Object.keys(entry)) if (name !== 'id' && !names.has(name)) delete entry[name];
  if (!source.mayFollow || (await source.mayFollow(request, object)))
    Object.assign(entry, changedReferences(request, source, state, changes));
  return entry;
}

function changedNames(changes: readonly Change[]): 'all' | ReadonlySet<string> {
  const sets = changes.filter((change) => change.kind !== 'link');
  if (sets.some((change) => change.changed === null)) return 'all';
  return new Set(sets.flatMap((change) => JSON.parse(change.changed ?? '[]') as string[]));
}

function touchesLinks(source: DeltaSource, state: DeltaState, changes: readonly Change[]): boolean {
  const numbers = new Set<number>(followed(source, state).map((relation) => relations[relation]));
  return changes.some((change) => change.relation !== null && numbers.has(change.relation));
}

/** The last word on every reference that came or went. */
function changedReferences(
  request: DirectoryRequest,
  source: DeltaSource,
  state: DeltaState,
  changes: readonly Change[],
): Record<string, unknown> {
  const entries: Record<string, unknown> = {};
  for (const relation of followed(source, state)) {
    const last = new Map<string, Change>();
    for (const change of changes)
      if (change.relation === relations[relation] && change.target_id !== null) last.set(change.target_id, change);
    if (last.size === 0) continue;
    entries[deltaName(relation)] = [...last].map(([id, change]) =>
      (change.removed === 1 ? removedReference : presentReference)(request, change.target_type ?? '', id),
    );
  }
  return entries;
}
