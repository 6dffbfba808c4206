import type { DirectoryRequest } from '../http/request.js';
import type { StoredObject } from '../store/objects.js';
import type { Relation } from '../store/relations.js';
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

/**
 * One page of the first round: each object with its references. A large object continues on the
 * next pages under the same id.
 */
export async function initialPage(
  request: DirectoryRequest,
  source: DeltaSource,
  state: DeltaState,
  round: DeltaRound,
): Promise<DeltaPage> {
  const objects = await nextObjects(request, source, state, round);
  const hasMore = objects.length > deltaLimits.objects;
  const value: Record<string, unknown>[] = [];
  const relations = followedRelations(source, state);
  let remainingReferences: number = deltaLimits.references;
  for (const object of objects.slice(0, deltaLimits.objects)) {
    const entry = presentObject(request, source, state, object);
    value.push(entry);
    if (source.mayFollow && !(await source.mayFollow(request, object))) continue;
    const continuation = round.rest?.object === object.number ? round.rest : undefined;
    for (
      let relationIndex = continuation?.relation ?? 0;
      relationIndex < relations.length;
      relationIndex++
    ) {
      const relation = relations[relationIndex] as Relation;
      const afterTarget = relationIndex === continuation?.relation ? continuation.afterTarget : 0;
      const targets = await request.directory.links.targets(
        object,
        relation,
        afterTarget,
        remainingReferences + 1,
      );
      const page = targets.slice(0, remainingReferences);
      if (page.length > 0)
        entry[deltaProperty(relation)] = page.map((target) =>
          presentReference(request, target.type, target.id),
        );
      remainingReferences -= page.length;
      if (targets.length > page.length)
        return {
          value,
          next: {
            afterObject: object.number - 1,
            rest: {
              object: object.number,
              relation: relationIndex,
              afterTarget: page.at(-1)?.number ?? afterTarget,
            },
          },
        };
    }
    if (remainingReferences === 0) return { value, next: { afterObject: object.number } };
  }
  return hasMore
    ? { value, next: { afterObject: objects[deltaLimits.objects - 1]?.number ?? 0 } }
    : { value };
}

async function nextObjects(
  request: DirectoryRequest,
  source: DeltaSource,
  state: DeltaState,
  { afterObject }: DeltaRound,
): Promise<StoredObject[]> {
  const { objects } = request.directory;
  if (!state.ids) return objects.page(source.type.name, afterObject, deltaLimits.objects + 1);
  const matches: StoredObject[] = [];
  for (const id of state.ids) {
    const object = await objects.getOfType(source.type.name, id);
    if (object && object.number > afterObject) matches.push(object);
  }
  return matches.sort((a, b) => a.number - b.number);
}
