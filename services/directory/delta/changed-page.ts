import type { DirectoryRequest } from '../http/request.js';
import type { Change } from '../store/changes.js';
import { relations } from '../store/relations.js';
import {
  deltaLimits,
  deltaProperty,
  type DeltaPage,
  type DeltaSource,
  followedRelations,
  presentObject,
  presentReference,
} from './delta-page.js';
import type { DeltaState, DeltaRound } from './delta-token.js';

/** One page of a later round: each changed object once. */
export async function changedPage(
  request: DirectoryRequest,
  source: DeltaSource,
  state: DeltaState,
  round: DeltaRound,
): Promise<DeltaPage> {
  const { changes } = request.directory;
  const range = { from: round.fromChange ?? 0, upTo: state.upToChange };
  const objectNumbers = await changes.changedObjects(
    source.type.name,
    range,
    round.afterObject,
    deltaLimits.objects + 1,
  );
  const value: Record<string, unknown>[] = [];
  for (const objectNumber of objectNumbers.slice(0, deltaLimits.objects)) {
    const objectChanges = await changes.changesOf(objectNumber, range);
    const entry = await changedEntry(request, source, state, objectNumber, objectChanges);
    if (entry) value.push(entry);
  }
  const lastNumber = objectNumbers[deltaLimits.objects - 1];
  return objectNumbers.length > deltaLimits.objects && lastNumber !== undefined
    ? { value, next: { ...round, afterObject: lastNumber } }
    : { value };
}

/** The entry of a changed object; undefined if nothing that the client asked for changed. */
async function changedEntry(
  request: DirectoryRequest,
  source: DeltaSource,
  state: DeltaState,
  objectNumber: number,
  changes: readonly Change[],
): Promise<Record<string, unknown> | undefined> {
  const id = changes[0]?.id ?? '';
  if (state.ids && !state.ids.includes(id)) return undefined;
  const object = await request.directory.objects.getByNumber(objectNumber);
  if (!object) {
    // `changed` as a reason: deleted, but restorable.
    const lastChange = changes.findLast((change) => change.kind !== 'link');
    return { id, '@removed': { reason: lastChange?.kind === 'deleted' ? 'deleted' : 'changed' } };
  }
  const names = changedProperties(changes);
  if (
    state.select &&
    names !== 'all' &&
    !state.select.some((name) => names.has(name)) &&
    !hasFollowedReferenceChange(source, state, changes)
  )
    return undefined;
  const entry = presentObject(request, source, state, object);
  if (request.preference('return') === 'minimal' && names !== 'all')
    for (const name of Object.keys(entry))
      if (name !== 'id' && !names.has(name)) delete entry[name];
  if (!source.mayFollow || (await source.mayFollow(request, object)))
    Object.assign(entry, changedReferences(request, source, state, changes));
  return entry;
}

/** The names of the properties that changed, or `all`. */
function changedProperties(changes: readonly Change[]): 'all' | ReadonlySet<string> {
  const objectChanges = changes.filter((change) => change.kind !== 'link');
  // Null: all properties changed.
  if (objectChanges.some((change) => change.changed === null)) return 'all';
  return new Set(objectChanges.flatMap((change) => JSON.parse(change.changed ?? '[]') as string[]));
}

/** Whether a change added or removed a reference that the delta follows. */
function hasFollowedReferenceChange(
  source: DeltaSource,
  state: DeltaState,
  changes: readonly Change[],
): boolean {
  const relationNumbers = new Set<number>(
    followedRelations(source, state).map((relation) => relations[relation]),
  );
  return changes.some((change) => change.relation !== null && relationNumbers.has(change.relation));
}

/** The last change of every added or removed reference. */
function changedReferences(
  request: DirectoryRequest,
  source: DeltaSource,
  state: DeltaState,
  changes: readonly Change[],
): Record<string, unknown> {
  const entries: Record<string, unknown> = {};
  for (const relation of followedRelations(source, state)) {
    const lastByTarget = new Map<string, Change>();
    for (const change of changes)
      if (change.relation === relations[relation] && change.target_id !== null)
        lastByTarget.set(change.target_id, change);
    if (lastByTarget.size === 0) continue;
    entries[deltaProperty(relation)] = [...lastByTarget].map(([id, change]) => ({
      ...presentReference(request, change.target_type ?? '', id),
      ...(change.removed === 1 && { '@removed': { reason: 'deleted' } }),
    }));
  }
  return entries;
}
