import type { Atom, Attribute, Values } from './atom.js';
import { Effort, EffortExceededError } from './effort.js';
import type { Formula, Formulas } from './formula.js';
import { joinedTexts, type Piece, pieceOf } from './joined-texts.js';
import { type CodePointClass, codePointClasses } from './code-point-classes.js';

/** A value of an attribute, and what remains of the formula with it. */
export interface Outcome {
  /** What other attributes must still fulfil, once this one has the value. */
  readonly remaining: Formula;
  readonly value: unknown;
}

/** The formula's context, and which values may be chosen. */
export interface OutcomeOptions {
  readonly formulas: Formulas;
  readonly effort: Effort;
  /** All atoms by their numbers. */
  readonly atoms: readonly Atom[];
  /** Whether only characters are used that all interpretations compare alike. */
  readonly onlyPlainCharacters: boolean;
  /** Makes the values of an entry plausible, which then still fulfil the formula. @default none */
  readonly makePlausible?: (formula: Formula, values: Values) => Values;
}

type TextAttribute = Attribute & { readonly kind: 'text' };

/** The share of all work after which a walk is long, and shortcuts are tried. */
const longWalkShare = 1 / 16;
/** The share of all work that a pair of conditions may take. */
const pairEffortShare = 1 / 40;

/** A state of the walk: the beginning of a text, by its last character and the state before. */
interface WalkState {
  /** The formula after the atoms that the beginning has decided. */
  readonly remaining: Formula;
  /** The undecided atoms on this attribute, and the state of the automaton of each. */
  readonly openAtoms: readonly Atom[];
  /** The state of the automaton of each of the open atoms, in their order. */
  readonly states: readonly number[];
  readonly previous: WalkState | undefined;
  /** The last character; 0 for the empty text. */
  readonly codePoint: number;
}

/**
 * The values of a text that make a difference to a formula, shortest first: a walk through the
 * product of the automata of its atoms. An automaton that has decided leaves the product, as do
 * those that the remaining formula no longer contains. When the walk is long, texts that are joined
 * from solutions of single conditions are tried, and two conditions that contradict each other end
 * it.
 */
export function* textOutcomes(
  formula: Formula,
  attribute: TextAttribute,
  options: OutcomeOptions,
): Generator<Outcome> {
  const { formulas, effort, atoms, onlyPlainCharacters } = options;
  const attributeAtoms = formulas
    .atomsOf(formula)
    .flatMap((number) => atoms[number] ?? [])
    .filter((atom) => atom.attribute === attribute);
  const seen = new Set<number>();
  /** Remembers a remaining formula; false if an earlier outcome left the same, or it is false. */
  const addIfNew = (remaining: Formula): boolean =>
    remaining !== formulas.false && !seen.has(remaining.id) && seen.add(remaining.id) !== undefined;
  const outcomeOf = (value: unknown): Outcome => ({
    remaining: assignValue(formula, attributeAtoms, value, options),
    value,
  });
  if (attribute.isNullable) {
    const absentOutcome = outcomeOf(null);
    if (addIfNew(absentOutcome.remaining)) yield absentOutcome;
  }
  const atomsWithAutomaton = attributeAtoms.filter(({ automaton }) => automaton !== undefined);
  const indexByAtom = new Map(atomsWithAutomaton.map(({ number }, index) => [number, index]));
  const classes = classesOf(atomsWithAutomaton, atoms).filter(
    (each) => each.isPlain || !onlyPlainCharacters,
  );
  const start = createWalkState(
    formula,
    atomsWithAutomaton,
    atomsWithAutomaton.map(({ automaton }) => automaton?.start ?? -1),
    undefined,
    0,
  );
  const queue = [start];
  // without the start: texts have at least one character
  const visited = new Set<string>();
  const longWalkStart = effort.spent + effort.limit * longWalkShare;
  let isLong = false;
  for (let current = queue.shift(); current !== undefined; current = queue.shift()) {
    if (current !== start) {
      const remaining = formulaAtEnd(current, formulas);
      if (addIfNew(remaining))
        yield { remaining, value: withRuleSpelling(textOfState(current), attribute) };
      if (current.openAtoms.length === 0) continue;
    }
    if (!isLong && effort.spent > longWalkStart) {
      isLong = true;
      const texts = shortcuts(formula, attribute, options);
      if (texts === 'contradiction') return;
      for (const text of texts) {
        const outcome = outcomeOf(withRuleSpelling(text, attribute));
        if (addIfNew(outcome.remaining)) yield outcome;
      }
    }
    const triedKeys = new Set<string>();
    for (const codePointClass of classes) {
      effort.spend(1 + current.openAtoms.length);
      const states = current.openAtoms.map((atom, index) =>
        stepOf(atom, current?.states[index] ?? -1, codePointClass),
      );
      const key = statesKey(states);
      if (triedKeys.has(key)) continue;
      triedKeys.add(key);
      const next = createWalkState(
        current.remaining,
        current.openAtoms,
        states,
        current,
        codePointClass.codePoint,
      );
      if (next.remaining === formulas.false || visited.has(walkStateKey(next))) continue;
      visited.add(walkStateKey(next));
      queue.push(next);
    }
  }
  if (onlyPlainCharacters || !attribute.isNullable) return;
  const emptyOutcome = outcomeOf('');
  if (addIfNew(emptyOutcome.remaining)) yield emptyOutcome;

  function stepOf(
    { automaton, number }: Atom,
    state: number,
    codePointClass: CodePointClass,
  ): number {
    return automaton?.next(state, codePointClass.symbols[indexByAtom.get(number) ?? 0] ?? -1) ?? -1;
  }

  /** The state without the atoms that have decided, and those that no longer matter. */
  function createWalkState(
    remaining: Formula,
    openAtoms: readonly Atom[],
    states: readonly number[],
    previous: WalkState | undefined,
    codePoint: number,
  ): WalkState {
    const decided = new Map<number, boolean>();
    openAtoms.forEach(({ number, automaton }, index) => {
      const state = states[index] ?? -1;
      if (state < 0) decided.set(number, false);
      else if (automaton?.isUniversal(state) === true) decided.set(number, true);
    });
    if (decided.size === 0) return { remaining, openAtoms, states, previous, codePoint };
    effort.spend(openAtoms.length);
    const next = formulas.assign(remaining, (atom) => decided.get(atom));
    const remainingAtoms = new Set(formulas.atomsOf(next));
    const keptIndexes = openAtoms.flatMap(({ number }, index) =>
      remainingAtoms.has(number) && !decided.has(number) ? [index] : [],
    );
    return {
      remaining: next,
      openAtoms: keptIndexes.map((index) => openAtoms[index] as Atom),
      states: keptIndexes.map((index) => states[index] ?? -1),
      previous,
      codePoint,
    };
  }
}

/** What remains of the formula for the text that ends at a state. */
function formulaAtEnd(
  { remaining, openAtoms, states }: WalkState,
  formulas: OutcomeOptions['formulas'],
): Formula {
  const truth = new Map(
    openAtoms.map(({ number, automaton }, index) => [
      number,
      automaton?.accepts(states[index] ?? -1) === true,
    ]),
  );
  return formulas.assign(remaining, (atom) => truth.get(atom));
}

/** Texts that may fulfil all conditions of a formula on an attribute, found without a walk. */
function shortcuts(
  formula: Formula,
  attribute: TextAttribute,
  options: OutcomeOptions,
): readonly string[] | 'contradiction' {
  const { atoms, effort, formulas } = options;
  const parts = formula.kind === 'and' ? formula.operands : [formula];
  const required = parts.flatMap((part) => {
    const atom = atoms[part.kind === 'not' ? (part.operands[0] as Formula).atom : part.atom];
    return atom?.attribute === attribute ? [{ part, atom, isTrue: part.kind === 'atom' }] : [];
  });
  if (required.length === parts.length && parts.length <= 2) return [];
  const helpfulAtoms = formulas
    .wantedAtoms(formula)
    .flatMap((number) => atoms[number] ?? [])
    .filter((atom) => atom.attribute === attribute);
  const pieces = helpfulAtoms.flatMap((atom) => pieceOf(atom, effort) ?? []);
  const piecesOf = (conditions: readonly { readonly atom: Atom }[]): readonly Piece[] =>
    pieces.filter((piece) => conditions.some(({ atom }) => atom === piece.atom));
  const isContradiction = required.some(
    (first, index) =>
      first.isTrue &&
      required.some((second, secondIndex) => {
        if (second.isTrue && secondIndex <= index) return false;
        const isMet = (text: string): boolean =>
          first.atom.test(text) && second.atom.test(text) === second.isTrue;
        return (
          !joinedTexts(piecesOf([first, second])).some(isMet) &&
          isUnsatisfiable(formulas.and([first.part, second.part]))
        );
      }),
  );
  if (isContradiction) return 'contradiction';
  return [...joinedTexts(piecesOf(required)), ...joinedTexts(pieces)];

  /** Whether no text fulfils the conditions. */
  function isUnsatisfiable(conditions: Formula): boolean {
    const pairEffort = new Effort(effort.limit * pairEffortShare, effort);
    try {
      return (
        textOutcomes(conditions, attribute, { ...options, effort: pairEffort }).next().done === true
      );
    } catch (error) {
      if (error instanceof EffortExceededError) return false;
      throw error;
    }
  }
}

const cachedClasses = new WeakMap<readonly Atom[], Map<string, readonly CodePointClass[]>>();

/** The classes of code points for some of the atoms, computed once. */
function classesOf(atoms: readonly Atom[], allAtoms: readonly Atom[]): readonly CodePointClass[] {
  const cached = cachedClasses.get(allAtoms) ?? new Map<string, readonly CodePointClass[]>();
  cachedClasses.set(allAtoms, cached);
  const key = atoms.map(({ number }) => number).join();
  const classes =
    cached.get(key) ?? codePointClasses(atoms.flatMap(({ automaton }) => automaton ?? []));
  cached.set(key, classes);
  return classes;
}

/** A formula with the value of an attribute put in. @param attributeAtoms its atoms */
export function assignValue(
  formula: Formula,
  attributeAtoms: readonly Atom[],
  value: unknown,
  { formulas, effort }: Pick<OutcomeOptions, 'formulas' | 'effort'>,
): Formula {
  effort.spend(attributeAtoms.length + 1);
  const truth = new Map(attributeAtoms.map(({ number, test }) => [number, test(value)]));
  return formulas.assign(formula, (atom) => truth.get(atom));
}

function walkStateKey({ remaining, states }: WalkState): string {
  return `${String(remaining.id)}:${statesKey(states)}`;
}

/** A key of states: each is one character. */
function statesKey(states: readonly number[]): string {
  let text = '';
  for (const state of states) text += String.fromCharCode(state + 1);
  return text;
}

function textOfState(current: WalkState): string {
  const codePoints: number[] = [];
  for (let state: WalkState = current; state.previous !== undefined; state = state.previous)
    codePoints.push(state.codePoint);
  return String.fromCodePoint(...codePoints.reverse());
}

/** A text in which constants have the letter case of the rules, as the directory ignores case. */
function withRuleSpelling(
  word: string,
  { spellings }: Attribute & { readonly kind: 'text' },
): string {
  let text = word;
  const lowerCase = word.toLowerCase();
  if (lowerCase.length !== word.length) return word;
  const longestFirst = [...spellings]
    .filter(([constant]) => lowerCase.includes(constant))
    .sort(([a], [b]) => b.length - a.length);
  const isReplaced = new Array<boolean>(word.length).fill(false);
  for (const [constant, spelling] of longestFirst) {
    const offset = lowerCase.indexOf(constant);
    if (
      offset < 0 ||
      constant === '' ||
      constant.length !== spelling.length ||
      isReplaced[offset] === true
    )
      continue;
    if (isReplaced.slice(offset, offset + constant.length).some(Boolean)) continue;
    isReplaced.fill(true, offset, offset + constant.length);
    text = text.slice(0, offset) + spelling + text.slice(offset + constant.length);
  }
  return text;
}
