import { closedObject, list, text } from '../schema/schema-builders.js';

/** The sections whose declarations can move. */
const sections = [
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
export type MovableSection = (typeof sections)[number];

const stackName = '[A-Za-z][A-Za-z0-9-]{0,62}';
const declaration = `(?:(${stackName})/)?(${sections.join('|')})\\.([A-Za-z][A-Za-z0-9_-]{0,62})`;

const place = (description: string) =>
  text(description, {
    pattern: `^(?:${declaration}|${stackName})$`,
    patternDescription: 'the form groups.NAME, STACK/groups.NAME or, for a whole stack, STACK',
  });

/** Declarations that had another name, or were in another stack. */
export const movedSchema = list(
  closedObject(
    {
      from: place('Where it was: `groups.old`, `storefront/containerApps.web`, or a stack.'),
      to: place('Where it is now, in the same form.'),
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

/** What the functions below read of a stack; nothing has been checked yet. */
export type MovedIn = Readonly<Record<string, unknown>> | null | undefined;

/** The entries of a stack that have the right form. */
export function movesOf(config: MovedIn): readonly Move[] {
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

const declarationPattern = new RegExp(`^${declaration}$`);
const stackPattern = new RegExp(`^${stackName}$`);

function readPlace(written: unknown, ownStack: string): MovedPlace | undefined {
  if (typeof written !== 'string') return undefined;
  const [, stack = ownStack, section, name] = declarationPattern.exec(written) ?? [];
  if (section !== undefined && name !== undefined)
    return { stack, section: section as MovableSection, name };
  return stackPattern.test(written) ? { stack: written } : undefined;
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
  const own = moves.find(({ to }) => isSamePlace(to, place))?.from;
  if (own !== undefined) return own;
  const ofStack = moves.find(({ to }) => isSamePlace(to, { stack: place.stack }))?.from;
  return ofStack === undefined ? undefined : { ...place, stack: ofStack.stack };
}

/** The properties whose default is the key of the declaration. */
const namedByKey: Partial<Record<MovableSection, string>> = {
  groups: 'mailNickname',
  containerApps: 'name',
  environments: 'name',
};

/**
 * A declaration with the names that follow from its key written out, as they were under its first
 * key.
 */
export function withFormerName<Value>(
  section: string,
  value: Value,
  former: readonly MovedPlace[],
): Value {
  const property = namedByKey[section as MovableSection];
  const name = former.find((each) => each.name !== undefined)?.name;
  if (property === undefined || name === undefined) return value;
  if (value === null || typeof value !== 'object' || property in value) return value;
  return { ...value, [property]: name };
}

/** A configuration whose moved declarations have the names that follow from their first key. */
export function withFormerNames<Config>(config: Config, moves: readonly Move[]): Config {
  const { stack, ...sectionsOf } = (config ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof stack !== 'string' || moves.length === 0) return config;
  const changed: Record<string, unknown> = {};
  for (const section of Object.keys(namedByKey) as MovableSection[]) {
    const declared = sectionsOf[section];
    if (declared === null || typeof declared !== 'object') continue;
    changed[section] = Object.fromEntries(
      Object.entries(declared).map(([name, value]) => [
        name,
        withFormerName(section, value as unknown, formerPlaces(moves, { stack, section, name })),
      ]),
    );
  }
  return { ...config, ...changed };
}

/** Where something is now that was at a place. */
export function currentPlace(moves: readonly Move[], place: MovedPlace): MovedPlace {
  const seen: MovedPlace[] = [];
  for (let current = place; ;) {
    const next = nextPlace(moves, current);
    if (next === undefined || seen.some((each) => isSamePlace(each, next))) return current;
    seen.push(current);
    current = next;
  }
}

function nextPlace(moves: readonly Move[], place: MovedPlace): MovedPlace | undefined {
  const own = moves.find(({ from }) => isSamePlace(from, place))?.to;
  if (own !== undefined) return own;
  const ofStack = moves.find(({ from }) => isSamePlace(from, { stack: place.stack }))?.to;
  return ofStack === undefined ? undefined : { ...place, stack: ofStack.stack };
}
