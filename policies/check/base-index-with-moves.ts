import { referencesOf } from '../engine/references.js';
import { type Declaration, StackIndex } from '../engine/stack-index.js';
import {
  formerPlaces,
  laterPlaces,
  type Move,
  type MovedPlace,
  withFormerName,
} from '../../kinds/stack/moved.js';

/**
 * The declarations of a stack before a change, by the names and in the stacks that they have after
 * it: what was renamed or moved is compared with itself, and is not gone. What would move to where
 * something else was stays where it was: Terraform deletes it.
 *
 * @param indexes the stacks before the change, by name.
 */
export function baseIndexWithMoves(
  stack: string | undefined,
  indexes: ReadonlyMap<string | undefined, StackIndex>,
  moves: readonly Move[],
): StackIndex | undefined {
  const ownIndex = indexes.get(stack) ?? indexes.get(formerStackOf(stack, moves));
  if (moves.length === 0 || stack === undefined) return ownIndex;
  const declarations: Declaration[] = [];
  for (const [name, index] of indexes)
    for (const declaration of index.declarations()) {
      const formerPlace = {
        stack: name ?? '',
        section: declaration.section,
        name: declaration.name,
      };
      const presentPlace = presentPlaceOf(formerPlace, indexes, moves);
      if (presentPlace.stack === stack)
        declarations.push(withPresentName(declaration, formerPlace, presentPlace));
    }
  if (ownIndex === undefined && declarations.length === 0) return undefined;
  const { settings = {}, locate = () => undefined } = ownIndex ?? {};
  return new StackIndex(settings, declarations, referencesOf, locate);
}

function presentPlaceOf(
  place: MovedPlace,
  indexes: ReadonlyMap<string | undefined, StackIndex>,
  moves: readonly Move[],
): MovedPlace {
  const places = laterPlaces(moves, place);
  const isTaken = places.some(({ stack, section, name }) => {
    if (section === undefined || name === undefined) return false;
    return indexes.get(stack)?.names(section).includes(name) ?? false;
  });
  return isTaken ? place : (places.at(-1) ?? place);
}

function formerStackOf(stack: string | undefined, moves: readonly Move[]): string | undefined {
  return stack === undefined ? undefined : formerPlaces(moves, { stack })[0]?.stack;
}

function withPresentName(
  declaration: Declaration,
  formerPlace: MovedPlace,
  presentPlace: MovedPlace,
): Declaration {
  if (presentPlace.name === undefined || presentPlace.name === formerPlace.name) return declaration;
  // the name in the cloud stays the one that defaulted to the former name
  const value = withFormerName(declaration.section, declaration.value, [formerPlace]);
  return { ...declaration, name: presentPlace.name, value } as Declaration;
}
