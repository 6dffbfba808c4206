import type { Atom, Attribute, Values } from './atom.js';
import { Effort, EffortExceededError } from './effort.js';
import type { Formula } from './formula.js';
import { assignValue, type OutcomeOptions, type Outcome, textOutcomes } from './text-outcomes.js';

/** The most work for a look at single attributes, of all work. */
const workOfCheck = 1 / 16;

/**
 * Finds values that make a formula true; undefined if there are none. Chooses the attributes one
 * after the other, tries only values that leave different questions open, and asks no question
 * twice.
 *
 * @throws EffortExceededError
 */
export function solve(
  formula: Formula,
  choosing: OutcomeOptions,
  refuted = new Set<number>(),
): Values | undefined {
  const { formulas, effort } = choosing;
  if (formula === formulas.true) return new Map();
  if (formula === formulas.false || refuted.has(formula.id)) return undefined;
  effort.spend(1);
  const attribute = nextAttribute(formula, choosing);
  for (const { rest, value } of outcomesOf(formula, attribute, choosing, refuted)) {
    const others = solve(rest, choosing, refuted);
    if (others !== undefined) return new Map([[attribute, value], ...others]);
  }
  refuted.add(formula.id);
  return undefined;
}

/**
 * Whether what a conjunction asks of one attribute alone contradicts itself: then nothing else
 * needs to be tried, as where one rule only narrows another.
 */
export function isContradictory(
  formula: Formula,
  choosing: OutcomeOptions,
  refuted: Set<number>,
): boolean {
  const { formulas, atoms, effort } = choosing;
  if (formula.kind !== 'and') return false;
  const part = new Effort(effort.limit * workOfCheck, effort);
  const asked = new Map<Attribute, Formula[]>();
  for (const operand of formula.operands) {
    const own = new Set(formulas.atomsOf(operand).map((number) => atoms[number]?.attribute));
    const [attribute] = own;
    if (attribute?.kind === 'text' && own.size === 1)
      asked.set(attribute, [...(asked.get(attribute) ?? []), operand]);
  }
  const questions = [...asked.values()].filter(
    ({ length }) => length > 1 && length < formula.operands.length,
  );
  try {
    return questions.some(
      (operands) =>
        solve(formulas.and(operands), { ...choosing, effort: part }, refuted) === undefined,
    );
  } catch (error) {
    if (error instanceof EffortExceededError) return false;
    throw error;
  }
}

/** The attribute with the fewest values to try. */
function nextAttribute(formula: Formula, { formulas, atoms }: OutcomeOptions): Attribute {
  const weights = new Map<Attribute, number>();
  for (const number of formulas.atomsOf(formula)) {
    const { attribute } = atoms[number] as Atom;
    const first = { values: 1, text: 1_000, collection: 1_000_000 }[attribute.kind];
    weights.set(attribute, (weights.get(attribute) ?? first) + 1);
  }
  const [[lightest] = []] = [...weights].sort(([, a], [, b]) => a - b);
  if (lightest === undefined) throw new TypeError('a formula without atoms is true or false');
  return lightest;
}

function outcomesOf(
  formula: Formula,
  attribute: Attribute,
  choosing: OutcomeOptions,
  refuted: Set<number>,
): Iterable<Outcome> {
  switch (attribute.kind) {
    case 'text':
      return textOutcomes(formula, attribute, choosing);
    case 'values':
      return valueOutcomes(formula, attribute, choosing);
    case 'collection':
      return entryOutcomes(formula, attribute, choosing, refuted);
  }
}

function* valueOutcomes(
  formula: Formula,
  attribute: Attribute & { readonly kind: 'values' },
  choosing: OutcomeOptions,
): Generator<Outcome> {
  const own = atomsOn(formula, attribute, choosing);
  const seen = new Set<Formula>();
  for (const value of attribute.values) {
    const rest = assignValue(formula, own, value, choosing);
    if (rest === choosing.formulas.false || seen.has(rest)) continue;
    seen.add(rest);
    yield { rest, value };
  }
}

/**
 * A collection has one entry for each condition that one of its entries must fulfil, and no entry
 * that fulfils a condition which none may: more entries tell nothing more.
 */
function* entryOutcomes(
  formula: Formula,
  attribute: Attribute & { readonly kind: 'collection' },
  choosing: OutcomeOptions,
  refuted: Set<number>,
): Generator<Outcome> {
  const { formulas, effort } = choosing;
  const [first] = atomsOn(formula, attribute, choosing);
  if (first === undefined) return;
  yield* choose(formula, first, [], []);

  function* choose(
    rest: Formula,
    atom: Atom,
    fulfilled: readonly Formula[],
    refused: readonly Formula[],
  ): Generator<Outcome> {
    for (const truth of [false, true]) {
      effort.spend(1);
      const next = formulas.assign(rest, (number) => (number === atom.number ? truth : undefined));
      if (next === formulas.false) continue;
      const condition = atom.entryCondition ?? formulas.true;
      const wanted = truth ? [...fulfilled, condition] : fulfilled;
      const unwanted = truth ? refused : [...refused, condition];
      const [another] = atomsOn(next, attribute, choosing);
      if (another !== undefined) {
        yield* choose(next, another, wanted, unwanted);
        continue;
      }
      const value = entriesOf(wanted, unwanted);
      if (value !== undefined) yield { rest: next, value };
    }
  }

  function entriesOf(
    wanted: readonly Formula[],
    unwanted: readonly Formula[],
  ): unknown[] | undefined {
    const none = unwanted.map((each) => formulas.not(each));
    const entries: unknown[] = [];
    for (const each of wanted) {
      const condition = formulas.and([each, ...none]);
      const found = solve(condition, choosing, refuted);
      if (found === undefined) return undefined;
      const values = choosing.refine?.(condition, found) ?? found;
      const whole = attribute.members.get('');
      const entry =
        whole === undefined
          ? Object.fromEntries(
              [...attribute.members].map(([name, member]) => [name, values.get(member) ?? null]),
            )
          : (values.get(whole) ?? 'a');
      entries.push(entry);
    }
    return entries;
  }
}

function atomsOn(
  formula: Formula,
  attribute: Attribute,
  { formulas, atoms }: OutcomeOptions,
): readonly Atom[] {
  return formulas
    .atomsOf(formula)
    .flatMap((number) => atoms[number] ?? [])
    .filter((atom) => atom.attribute === attribute);
}
