import type { Problem } from '../../core/source/problem.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import { isObject } from '../../core/values/is-object.js';
import {
  currentPlace,
  formerPlaces,
  isSamePlace,
  type Move,
  type UncheckedConfig,
  type MovedPlace,
  movesOf,
  formatPlace,
} from '../../kinds/stack/moved.js';
import type { LoadedStack } from './loaded-stack.js';

/** An entry of `moved`, and the stack in whose file it is. */
interface Entry {
  readonly move: Move;
  readonly stack: LoadedStack;
}

/**
 * The entries of `moved` that can't be applied: where something is still declared or not declared,
 * kinds differ, entries repeat each other or form a cycle, or an app would change its resource
 * group.
 *
 * @param reported the stacks of which a problem is reported; an entry may be in another one.
 */
export function movedProblems(
  stacks: readonly LoadedStack[],
  reported: ReadonlySet<LoadedStack>,
): readonly Problem[] {
  const entries = stacks.flatMap((stack) =>
    movesOf(stack.config as UncheckedConfig).map((move) => ({ move, stack })),
  );
  const names = new Set([...reported].map(({ config }) => (config as UncheckedConfig)?.['stack']));
  return entries.flatMap((entry) => {
    const { from, to } = entry.move;
    const isReported =
      reported.has(entry.stack) || [from, to].some(({ stack }) => names.has(stack));
    if (!isReported) return [];
    const mistake = mistakeOf(entry, entries, stacks);
    if (mistake === undefined) return [];
    const location = entry.stack.locate(['moved', entry.move.index, mistake.key]);
    return location === undefined
      ? []
      : [{ id: 'config-moved', message: mistake.message, location }];
  });
}

interface Mistake {
  /** The key of the entry of `moved` at which the mistake is reported. */
  readonly key: 'from' | 'to';
  readonly message: string;
}

function mistakeOf(
  { move, stack }: Entry,
  entries: readonly Entry[],
  stacks: readonly LoadedStack[],
): Mistake | undefined {
  const { from, to } = move;
  const ownStack = stack.config.stack;
  const [formerText, newText] = [formatPlace(from, ownStack), formatPlace(to, ownStack)];
  const mistakeAt = (key: Mistake['key'], message: string): Mistake => ({ key, message });
  const allMoves = entries.map((each) => each.move);
  if (![from, to, currentPlace(allMoves, to)].some((each) => each.stack === ownStack))
    return mistakeAt(
      'to',
      `neither ${formerText} nor ${newText} is in the stack ${ownStack}: move the entry to one of theirs`,
    );
  if ((from.section === undefined) !== (to.section === undefined))
    return mistakeAt(
      'to',
      `${formerText} can't become ${newText}: a stack moves to a stack, a declaration to a declaration`,
    );
  if (from.section !== to.section)
    return mistakeAt(
      'to',
      `${formerText} can't become ${newText}: what moves stays in its section`,
    );
  if (isSamePlace(from, to))
    return mistakeAt('to', `from and to are both ${formerText}: remove the entry`);
  const otherMoves = allMoves.filter((each) => each !== move);
  const cycle = cycleFrom(move, allMoves);
  if (cycle !== undefined)
    return mistakeAt(
      'from',
      `moved goes in a circle: ${cycle.map((each) => formatPlace(each, ownStack)).join(' -> ')}; remove one of the entries`,
    );
  if (otherMoves.some((each) => isSamePlace(each.from, from)))
    return mistakeAt('from', `${formerText} moves twice: it can have one new place`);
  if (otherMoves.some((each) => isSamePlace(each.to, to)))
    return mistakeAt('to', `two entries move to ${newText}: only one can`);
  if (isDeclared(from, stacks) === true)
    return mistakeAt(
      'from',
      `${formerText} is still declared: remove its declaration, or this entry`,
    );
  const movesOn = otherMoves.some((each) => isSamePlace(each.from, to));
  if (!movesOn && isDeclared(to, stacks) === false)
    return mistakeAt('to', `${newText} is not declared${suggestion(to, stacks)}`);
  return groupMistake(move, ownStack, stacks);
}

/** The places of a cycle that begins with a move; undefined if it leads to an end. */
function cycleFrom(start: Move, moves: readonly Move[]): readonly MovedPlace[] | undefined {
  const places = [start.from, start.to];
  for (let current = start.to; places.length <= moves.length + 1;) {
    const next = moves.find(({ from }) => isSamePlace(from, current));
    if (next === undefined) return undefined;
    places.push(next.to);
    if (isSamePlace(next.to, start.from)) return places;
    current = next.to;
  }
  return undefined;
}

/** Whether a place is declared; undefined if its stack was not loaded. */
function isDeclared(place: MovedPlace, stacks: readonly LoadedStack[]): boolean | undefined {
  const stack = stackOf(place.stack, stacks);
  if (place.section === undefined || place.name === undefined) return stack !== undefined;
  if (stack === undefined) return undefined;
  const section: unknown = stack.config[place.section];
  return isObject(section) && section[place.name] !== undefined;
}

function suggestion({ section, name, stack }: MovedPlace, stacks: readonly LoadedStack[]): string {
  const declared = section && stackOf(stack, stacks)?.config[section];
  if (!isObject(declared) || name === undefined) return '';
  return didYouMean(nearest(name, Object.keys(declared)), '');
}

function stackOf(name: string, stacks: readonly LoadedStack[]): LoadedStack | undefined {
  return stacks.find(({ config }) => (config as UncheckedConfig)?.['stack'] === name);
}

/** An app or environment that would be in another resource group, which replaces it. */
function groupMistake(
  { from, to }: Move,
  ownStack: string,
  stacks: readonly LoadedStack[],
): Mistake | undefined {
  if (from.stack === to.stack) return undefined;
  if (to.section !== 'environments' && to.section !== 'containerApps') return undefined;
  const [formerGroup, newGroup] = [
    resourceGroupOf(from.stack, stacks),
    resourceGroupOf(to.stack, stacks),
  ];
  if (formerGroup === undefined || newGroup === undefined || formerGroup === newGroup)
    return undefined;
  return {
    key: 'to',
    message: `${formatPlace(from, ownStack)} is in the resource group ${formerGroup}, and would be replaced by one in ${newGroup}: write azure: { resourceGroup: { existing: ${formerGroup} } } in the stack ${to.stack}`,
  };
}

/** The name of a stack's resource group, if it is known. */
function resourceGroupOf(name: string, stacks: readonly LoadedStack[]): string | undefined {
  const stack = stackOf(name, stacks);
  if (stack === undefined) return undefined;
  const moves = stacks.flatMap(({ config }) => movesOf(config as UncheckedConfig));
  const [first = { stack: name }] = formerPlaces(moves, { stack: name });
  const declaredGroup = stack.config.azure?.resourceGroup ?? `rg-${first.stack}`;
  const text = typeof declaredGroup === 'string' ? declaredGroup : declaredGroup.existing;
  return text.includes('${') ? undefined : text;
}
