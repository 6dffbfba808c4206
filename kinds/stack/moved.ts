import { isObject } from '../../core/values/is-object.js';
import { closedObject, list, text } from '../schema/schema-builders.js';

/** The sections whose declarations can move. */
const movableSections = [
  'principals',
  'registrations',
  'environments',
  'containerApps',
  'groups',
  'workspaces',
  'eventhouses',
  'eventstreams',
] as const;

/** A section whose declarations can move. */
export type MovableSection = (typeof movableSections)[number];

const stackName = '[A-Za-z][A-Za-z0-9-]{0,62}';
const declarationPlace = `(?:(${stackName})/)?(${movableSections.join('|')})\\.([A-Za-z][A-Za-z0-9_-]{0,62})`;

const placeSchema = (description: string) =>
  text(description, {
    pattern: `^(?:${declarationPlace}|${stackName})$`,
    patternDescription: 'the form groups.NAME, STACK/groups.NAME or, for a whole stack, STACK',
  });

/** Declarations that had another name, or were in another stack. */
export const movedSchema = list(
  closedObject(
    {
      from: placeSchema('Where it was: `groups.old`, `storefront/containerApps.web`, or a stack.'),
      to: placeSchema('Where it is now, in the same form.'),
    },
    { required: ['from', 'to'] },
  ),
  {
    description:
      'What was renamed, or moved between stacks: its resources keep their state, and names that follow from the key keep their value.',
  },
);

/** A place in `moved`: a declaration, or a whole stack. */
export interface MovedPlace {
  /** The stack that is named, otherwise the one whose `moved` it is in. */
  readonly stack: string;
  /** Absent for a whole stack. */
  readonly section?: MovableSection;
  /** Absent for a whole stack. */
  readonly name?: string;
}

/** One entry of `moved`. */
export interface Move {
  readonly from: MovedPlace;
  readonly to: MovedPlace;
  /** Its position in the list. */
  readonly index: number;
}

/** The configuration of a stack, before it is checked. */
export type UncheckedConfig = Readonly<Record<string, unknown>> | null | undefined;

/** The entries of `moved` of a stack whose places have the right form; the places are not checked. */
export function movesOf(config: UncheckedConfig): readonly Move[] {
  const { stack, moved } = config ?? {};
  if (typeof stack !== 'string' || !Array.isArray(moved)) return [];
  return (moved as readonly unknown[]).flatMap((entry, index) => {
    const { from, to } = (entry ?? {}) as { readonly from?: unknown; readonly to?: unknown };
    const places = [readPlace(from, stack), readPlace(to, stack)] as const;
    return places[0] === undefined || places[1] === undefined
      ? []
      : [{ from: places[0], to: places[1], index }];
  });
}

const declarationPattern = new RegExp(`^${declarationPlace}$`);
const stackPattern = new RegExp(`^${stackName}$`);

function readPlace(text: unknown, ownStack: string): MovedPlace | undefined {
  if (typeof text !== 'string') return undefined;
  const [, stack = ownStack, section, name] = declarationPattern.exec(text) ?? [];
  if (section !== undefined && name !== undefined)
    return { stack, section: section as MovableSection, name };
  return stackPattern.test(text) ? { stack: text } : undefined;
}

/** Whether two places are the same. */
export function isSamePlace(one: MovedPlace, other: MovedPlace): boolean {
  return one.stack === other.stack && one.section === other.section && one.name === other.name;
}

/** A place as it is written, seen from a stack. */
export function formatPlace({ stack, section, name }: MovedPlace, seenFrom: string): string {
  if (section === undefined || name === undefined) return stack;
  return `${stack === seenFrom ? '' : `${stack}/`}${section}.${name}`;
}

/** The places where a declaration, or a stack, was before: the oldest first. */
export function formerPlaces(moves: readonly Move[], place: MovedPlace): readonly MovedPlace[] {
  const places: MovedPlace[] = [];
  let current = place;
  for (;;) {
    const before = previousPlace(moves, current);
    if (before === undefined || isSamePlace(before, place)) return places;
    if (places.some((each) => isSamePlace(each, before))) return places;
    places.unshift(before);
    current = before;
  }
}

function previousPlace(moves: readonly Move[], place: MovedPlace): MovedPlace | undefined {
  const ownMove = moves.find(({ to }) => isSamePlace(to, place))?.from;
  if (ownMove !== undefined) return ownMove;
  const stackMove = moves.find(({ to }) => isSamePlace(to, { stack: place.stack }))?.from;
  return stackMove === undefined ? undefined : { ...place, stack: stackMove.stack };
}

/** The properties whose default is the key of the declaration. */
const namedByKey: Partial<Record<MovableSection, string>> = {
  groups: 'mailNickname',
  containerApps: 'name',
  environments: 'name',
};

/**
 * A declaration in which names that default to its key are set to its first key, so that a moved
 * declaration keeps its name.
 */
export function withFormerName<Value>(
  section: string,
  value: Value,
  earlierPlaces: readonly MovedPlace[],
): Value {
  const property = namedByKey[section as MovableSection];
  const name = earlierPlaces.find((each) => each.name !== undefined)?.name;
  if (property === undefined || name === undefined) return value;
  if (value === null || typeof value !== 'object' || property in value) return value;
  return { ...value, [property]: name };
}

/** A configuration whose moved declarations keep their names: see {@link withFormerName}. */
export function withFormerNames<Config>(config: Config, moves: readonly Move[]): Config {
  const { stack, ...declarations } = (config ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof stack !== 'string' || moves.length === 0) return config;
  const changedSections: Record<string, unknown> = {};
  for (const section of Object.keys(namedByKey) as MovableSection[]) {
    const declared = declarations[section];
    if (!isObject(declared)) continue;
    changedSections[section] = Object.fromEntries(
      Object.entries(declared).map(([name, value]) => [
        name,
        withFormerName(section, value as unknown, formerPlaces(moves, { stack, section, name })),
      ]),
    );
  }
  return { ...config, ...changedSections };
}

/** The place to which a declaration or stack of a place has moved. */
export function currentPlace(moves: readonly Move[], place: MovedPlace): MovedPlace {
  return laterPlaces(moves, place).at(-1) ?? place;
}

/** The places to which a declaration or stack of a place has moved: the newest last. */
export function laterPlaces(moves: readonly Move[], place: MovedPlace): readonly MovedPlace[] {
  const places: MovedPlace[] = [];
  for (let current = place; ;) {
    const next = nextPlace(moves, current);
    if (next === undefined || [place, ...places].some((each) => isSamePlace(each, next)))
      return places;
    places.push(next);
    current = next;
  }
}

function nextPlace(moves: readonly Move[], place: MovedPlace): MovedPlace | undefined {
  const ownMove = moves.find(({ from }) => isSamePlace(from, place))?.to;
  if (ownMove !== undefined) return ownMove;
  const stackMove = moves.find(({ from }) => isSamePlace(from, { stack: place.stack }))?.to;
  return stackMove === undefined ? undefined : { ...place, stack: stackMove.stack };
}
