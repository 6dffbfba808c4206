import { referencesOf } from '../engine/references.js';
import { type Declaration, StackIndex } from '../engine/stack-index.js';
import {
  currentPlace,
  formerPlaces,
  type Move,
  type MovedPlace,
  withFormerName,
} from '../../kinds/stack/moved.js';

/**
 * The declarations of a stack before a change, by the names and in the stacks that they have after
 * it: what was renamed or moved is compared with itself, and is not gone.
 *
 * @param indexes the stacks before the change, by name.
 */
export function movedBase(
  stack: string | undefined,
  indexes: ReadonlyMap<string | undefined, StackIndex>,
  moves: readonly Move[],
): StackIndex | undefined {
  const own = indexes.get(stack) ?? indexes.get(formerStackOf(stack, moves));
  if (moves.length === 0 || stack === undefined) return own;
  const declarations: Declaration[] = [];
  for (const [name, index] of indexes)
    for (const declaration of index.declarations()) {
      const before = { stack: name ?? '', section: declaration.section, name: declaration.name };
      const now = currentPlace(moves, before);
      if (now.stack === stack) declarations.push(renamed(declaration, before, now));
    }
  if (own === undefined && declarations.length === 0) return undefined;
  const { settings = {}, locate = () => undefined } = own ?? {};
  return new StackIndex(settings, declarations, referencesOf, locate);
}

function formerStackOf(stack: string | undefined, moves: readonly Move[]): string | undefined {
  return stack === undefined ? undefined : formerPlaces(moves, { stack })[0]?.stack;
}

function renamed(declaration: Declaration, before: MovedPlace, now: MovedPlace): Declaration {
  if (now.name === undefined || now.name === before.name) return declaration;
  const value = withFormerName(declaration.section, declaration.value, [before]);
  return { ...declaration, name: now.name, value } as Declaration;
}
