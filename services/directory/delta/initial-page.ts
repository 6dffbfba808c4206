import type { DirectoryRequest } from '../http/request.js';
import type { StoredObject } from '../store/objects.js';
import type { Relation } from '../store/relations.js';
import {
  deltaLimits,
  deltaName,
  type DeltaPage,
  type DeltaSource,
  followedRelations,
  presentObject,
  presentReference,
} from './delta-page.js';
import type { DeltaState, Round } from './delta-token.js';

/**
 * One page of the first round: each object with its references. A large object continues on the
 * next pages under the same id.
 */
export async function initialPage(
  request: DirectoryRequest,
  source: DeltaSource,
  state: DeltaState,
  round: Round,
): Promise<DeltaPage> {
  const objects = await nextObjects(request, source, state, round);
  const more = objects.length > deltaLimits.objects;
  const value: Record<string, unknown>[] = [];
  const relations = followedRelations(source, state);
  let room: number = deltaLimits.references;
  for (const object of objects.slice(0, deltaLimits.objects)) {
    const entry = presentObject(request, source, state, object);
    value.push(entry);
    if (source.mayFollow && !(await source.mayFollow(request, object))) continue;
    const rest = round.rest?.object === object.number ? round.rest : undefined;
    for (let at = rest?.relation ?? 0; at < relations.length; at++) {
      const relation = relations[at] as Relation;
      const afterTarget = at === rest?.relation ? rest.afterTarget : 0;
      const targets = await request.directory.links.targets(
        object,
        relation,
        afterTarget,
        room + 1,
      );
      const page = targets.slice(0, room);
      if (page.length > 0)
        entry[deltaName(relation)] = page.map((target) =>
          presentReference(request, target.type, target.id),
        );
      room -= page.length;
      if (targets.length > page.length)
        return {
          value,
          next: {
            afterObject: object.number - 1,
            rest: {
              object: object.number,
              relation: at,
              afterTarget: page.at(-1)?.number ?? afterTarget,
            },
          },
        };
    }
    if (room === 0) return { value, next: { afterObject: object.number } };
  }
  return more
    ? { value, next: { afterObject: objects[deltaLimits.objects - 1]?.number ?? 0 } }
    : { value };
}

async function nextObjects(
  request: DirectoryRequest,
  source: DeltaSource,
  state: DeltaState,
  { afterObject }: Round,
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
