import type { DirectoryRequest } from '../http/request.js';
import type { StoredObject } from '../store/objects.js';
import type { DeltaPage, DeltaSource } from './delta-source.js';
import type { DeltaState, Round } from './delta-token.js';
import { deltaName, entryOf, followed, presentReference, deltaLimits } from './entry.js';

/** One page of the first round: every object with its references. A big object goes over several pages, under the same id. */
export async function initialPage(request: DirectoryRequest, source: DeltaSource, state: DeltaState): Promise<DeltaPage> {
  const round = state.round as Round;
  const objects = await nextObjects(request, source, state, round);
  const more = objects.length > deltaLimits.objects;
  const value: Record<string, unknown>[] = [];
  let budget: number = deltaLimits.references;
  for (const object of objects.slice(0, deltaLimits.objects)) {
    const entry = entryOf(request, source, state, object);
    value.push(entry);
    if (source.mayFollow && !(await source.mayFollow(request, object))) continue;
    const relations = followed(source, state);
    const rest = round.rest?.number === object.number ? round.rest : undefined;
    for (let at = rest?.relation ?? 0; at < relations.length; at++) {
      const relation = relations[at] as (typeof relations)[number];
      const from = at === rest?.relation ? rest.after : 0;
      const targets = await request.directory.links.targets(object, relation, from, budget + 1);
      const shown = targets.slice(0, budget);
      if (shown.length > 0) entry[deltaName(relation)] = shown.map((target) => presentReference(request, target.type, target.id));
      budget -= shown.length;
      if (targets.length > shown.length)
        return {
          value,
          next: { after: object.number - 1, rest: { number: object.number, relation: at, after: shown.at(-1)?.number ?? from } },
        };
    }
    if (budget === 0) return { value, next: { after: object.number } };
  }
  return more ? { value, next: { after: objects[deltaLimits.objects - 1]?.number ?? 0 } } : { value };
}

async function nextObjects(request: DirectoryRequest, source: DeltaSource, state: DeltaState, round: Round): Promise<StoredObject[]> {
  const { objects } = request.directory;
  if (!state.ids) return objects.page(source.type.name, round.after, deltaLimits.objects + 1);
  const found: StoredObject[] = [];
  for (const id of state.ids) {
    const object = await objects.getOfType(source.type.name, id);
    if (object && object.number > round.after) found.push(object);
  }
  return found.sort((a, b) => a.number - b.number);
}
