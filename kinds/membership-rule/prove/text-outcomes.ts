import type { Atom, Attribute, Values } from './atom.js';
import { Effort, EffortExceededError } from './effort.js';
import type { Formula, Formulas } from './formula.js';
import { joinedTexts, type Piece, pieceOf } from './joined-texts.js';
import { type LetterClass, letterClasses } from './letter-classes.js';

/** What remains of a formula after a value is chosen for an attribute. */
export interface Outcome {
  readonly rest: Formula;
  readonly value: unknown;
}

/** The choices of a value. */
export interface OutcomeOptions {
  readonly formulas: Formulas;
  readonly effort: Effort;
  readonly atoms: readonly Atom[];
  /** Whether only values count on which all readings of letters agree. */
  readonly isPlain: boolean;
  /** Makes values of an entry plausible that fulfil a formula. @default they stay */
  readonly refine?: (formula: Formula, values: Values) => Values;
}

type TextAttribute = Attribute & { readonly kind: 'text' };

/** A walk that took this part of all work is long: then shortcuts are tried. */
const longWalk = 1 / 16;
/** The most work for a pair of conditions, of all work. */
const workOfPair = 1 / 40;

interface Place {
  readonly rest: Formula;
  /** The atoms in `rest` on this attribute, and the state of the automaton of each. */
  readonly live: readonly Atom[];
  readonly states: readonly number[];
  readonly before: Place | undefined;
  readonly codePoint: number;
}

/**
 * The values of a text that make a difference to a formula, shortest first: a walk through the
 * product of the automata of its atoms. An automaton that has decided leaves the product, and takes
 * with it what the formula doesn't ask any more. Where the walk is long, texts that are joined of
 * those of single conditions come first, and two conditions that contradict each other end it.
 */
export function* textOutcomes(
  formula: Formula,
  attribute: TextAttribute,
  choosing: OutcomeOptions,
): Generator<Outcome> {
  const { formulas, effort, atoms, isPlain } = choosing;
  const own = formulas
    .atomsOf(formula)
    .flatMap((number) => atoms[number] ?? [])
    .filter((atom) => atom.attribute === attribute);
  const seen = new Set<number>();
  const isNew = (rest: Formula): boolean =>
    rest !== formulas.false && !seen.has(rest.id) && seen.add(rest.id) !== undefined;
  const fixed = (value: unknown): Outcome => ({
    rest: assignValue(formula, own, value, choosing),
    value,
  });
  if (attribute.isNullable) {
    const absent = fixed(null);
    if (isNew(absent.rest)) yield absent;
  }
  const automatic = own.filter(({ automaton }) => automaton !== undefined);
  const places = new Map(automatic.map(({ number }, at) => [number, at]));
  const classes = classesOf(automatic, atoms).filter((each) => each.isPlain || !isPlain);
  const start = settle(
    formula,
    automatic,
    automatic.map(({ automaton }) => automaton?.start ?? -1),
    undefined,
    0,
  );
  const queue = [start];
  // the start is not among them: texts have at least one letter
  const visited = new Set<string>();
  const patience = effort.spent + effort.limit * longWalk;
  let isLong = false;
  for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
    if (place !== start) {
      const rest = atEnd(place);
      if (isNew(rest)) yield { rest, value: spelled(wordOf(place), attribute) };
      if (place.live.length === 0) continue;
    }
    if (!isLong && effort.spent > patience) {
      isLong = true;
      const texts = shortcuts(formula, attribute, choosing);
      if (texts === 'contradiction') return;
      for (const text of texts) {
        const joined = fixed(spelled(text, attribute));
        if (isNew(joined.rest)) yield joined;
      }
    }
    const tried = new Set<string>();
    for (const letter of classes) {
      effort.spend(1 + place.live.length);
      const states = place.live.map((atom, at) => stepOf(atom, place?.states[at] ?? -1, letter));
      const key = statesKey(states);
      if (tried.has(key)) continue;
      tried.add(key);
      const next = settle(place.rest, place.live, states, place, letter.codePoint);
      if (next.rest === formulas.false || visited.has(placeKey(next))) continue;
      visited.add(placeKey(next));
      queue.push(next);
    }
  }
  if (isPlain || !attribute.isNullable) return;
  const empty = fixed('');
  if (isNew(empty.rest)) yield empty;

  function stepOf({ automaton, number }: Atom, state: number, letter: LetterClass): number {
    return automaton?.next(state, letter.symbols[places.get(number) ?? 0] ?? -1) ?? -1;
  }

  function settle(
    rest: Formula,
    live: readonly Atom[],
    states: readonly number[],
    before: Place | undefined,
    codePoint: number,
  ): Place {
    const decided = new Map<number, boolean>();
    live.forEach(({ number, automaton }, at) => {
      const state = states[at] ?? -1;
      if (state < 0) decided.set(number, false);
      else if (automaton?.isUniversal(state) === true) decided.set(number, true);
    });
    if (decided.size === 0) return { rest, live, states, before, codePoint };
    effort.spend(live.length);
    const next = formulas.assign(rest, (atom) => decided.get(atom));
    const asked = new Set(formulas.atomsOf(next));
    const kept = live.flatMap(({ number }, at) =>
      asked.has(number) && !decided.has(number) ? [at] : [],
    );
    return {
      rest: next,
      live: kept.map((at) => live[at] as Atom),
      states: kept.map((at) => states[at] ?? -1),
      before,
      codePoint,
    };
  }

  function atEnd({ rest, live, states }: Place): Formula {
    const truth = new Map(
      live.map(({ number, automaton }, at) => [
        number,
        automaton?.accepts(states[at] ?? -1) === true,
      ]),
    );
    return formulas.assign(rest, (atom) => truth.get(atom));
  }
}

/** Texts that may fulfil what a formula asks of an attribute, if any does. */
function shortcuts(
  formula: Formula,
  attribute: TextAttribute,
  choosing: OutcomeOptions,
): readonly string[] | 'contradiction' {
  const { atoms, effort, formulas } = choosing;
  const parts = formula.kind === 'and' ? formula.operands : [formula];
  const needed = parts.flatMap((part) => {
    const atom = atoms[part.kind === 'not' ? (part.operands[0] as Formula).atom : part.atom];
    return atom?.attribute === attribute ? [{ part, atom, isTrue: part.kind === 'atom' }] : [];
  });
  if (needed.length === parts.length && parts.length <= 2) return [];
  const asked = formulas
    .wantedAtoms(formula)
    .flatMap((number) => atoms[number] ?? [])
    .filter((atom) => atom.attribute === attribute);
  const pieces = asked.flatMap((atom) => pieceOf(atom, effort) ?? []);
  const piecesOf = (some: readonly { readonly atom: Atom }[]): readonly Piece[] =>
    pieces.filter((piece) => some.some(({ atom }) => atom === piece.atom));
  const isContradiction = needed.some(
    (one, at) =>
      one.isTrue &&
      needed.some((other, otherAt) => {
        if (other.isTrue && otherAt <= at) return false;
        const isMet = (text: string): boolean =>
          one.atom.test(text) && other.atom.test(text) === other.isTrue;
        return (
          !joinedTexts(piecesOf([one, other])).some(isMet) &&
          exclude(formulas.and([one.part, other.part]))
        );
      }),
  );
  if (isContradiction) return 'contradiction';
  return [...joinedTexts(piecesOf(needed)), ...joinedTexts(pieces)];

  /** Whether no text fulfils a few conditions. */
  function exclude(conditions: Formula): boolean {
    const part = new Effort(effort.limit * workOfPair, effort);
    try {
      return (
        textOutcomes(conditions, attribute, { ...choosing, effort: part }).next().done === true
      );
    } catch (error) {
      if (error instanceof EffortExceededError) return false;
      throw error;
    }
  }
}

const knownClasses = new WeakMap<readonly Atom[], Map<string, readonly LetterClass[]>>();

/** The classes of letters for some atoms, found once. @param all every atom there is */
function classesOf(some: readonly Atom[], all: readonly Atom[]): readonly LetterClass[] {
  const known = knownClasses.get(all) ?? new Map<string, readonly LetterClass[]>();
  knownClasses.set(all, known);
  const key = some.map(({ number }) => number).join();
  const classes = known.get(key) ?? letterClasses(some.flatMap(({ automaton }) => automaton ?? []));
  known.set(key, classes);
  return classes;
}

/** The formula when an attribute has a value. */
export function assignValue(
  formula: Formula,
  own: readonly Atom[],
  value: unknown,
  { formulas, effort }: Pick<OutcomeOptions, 'formulas' | 'effort'>,
): Formula {
  effort.spend(own.length + 1);
  const truth = new Map(own.map(({ number, test }) => [number, test(value)]));
  return formulas.assign(formula, (atom) => truth.get(atom));
}

function placeKey({ rest, states }: Place): string {
  return `${String(rest.id)}:${statesKey(states)}`;
}

/** Numbers of states as a text, one letter each. */
function statesKey(states: readonly number[]): string {
  let text = '';
  for (const state of states) text += String.fromCharCode(state + 1);
  return text;
}

function wordOf(place: Place): string {
  const letters: number[] = [];
  for (let at: Place = place; at.before !== undefined; at = at.before) letters.push(at.codePoint);
  return String.fromCodePoint(...letters.reverse());
}

/** A text with constants as rules spell them: letter case decides nothing. */
function spelled(word: string, { spellings }: Attribute & { readonly kind: 'text' }): string {
  let text = word;
  const small = word.toLowerCase();
  if (small.length !== word.length) return word;
  const longest = [...spellings]
    .filter(([constant]) => small.includes(constant))
    .sort(([a], [b]) => b.length - a.length);
  const taken = new Array<boolean>(word.length).fill(false);
  for (const [constant, spelling] of longest) {
    const at = small.indexOf(constant);
    if (at < 0 || constant === '' || constant.length !== spelling.length || taken[at] === true)
      continue;
    if (taken.slice(at, at + constant.length).some(Boolean)) continue;
    taken.fill(true, at, at + constant.length);
    text = text.slice(0, at) + spelling + text.slice(at + constant.length);
  }
  return text;
}
