import type { Atom, Attribute, Values } from './atom.js';
import { Effort, EffortExceededError } from './effort.js';
import type { Formula } from './formula.js';
import { assignValue, type OutcomeOptions, type Outcome, textOutcomes } from './text-outcomes.js';

/** The share of all work that the check of single attributes may take. */
const checkEffortShare = 1 / 16;

/**
 * Finds values that make a formula true; undefined if there are none. Chooses values for one
 * attribute after the other, tries only values that leave different formulas, and solves no formula
 * twice.
 *
 * @param refuted the ids of formulas that have no solution; found ones are added.
 * @throws EffortExceededError when the limit of work is exceeded.
 */
export function solve(
  formula: Formula,
  options: OutcomeOptions,
  refuted = new Set<number>(),
): Values | undefined {
  const { formulas, effort } = options;
  if (formula === formulas.true) return new Map();
  if (formula === formulas.false || refuted.has(formula.id)) return undefined;
  effort.spend(1);
  const attribute = nextAttribute(formula, options);
  for (const { remaining, value } of outcomesOf(formula, attribute, options, refuted)) {
    const otherValues = solve(remaining, options, refuted);
    if (otherValues !== undefined) return new Map([[attribute, value], ...otherValues]);
  }
  refuted.add(formula.id);
  return undefined;
}

/**
 * Whether the operands of a conjunction about a single attribute contradict each other, such as
 * where one rule only narrows another: then no other attribute needs to be tried.
 */
export function isContradictory(
  formula: Formula,
  options: OutcomeOptions,
  refuted: Set<number>,
): boolean {
  const { formulas, atoms, effort } = options;
  if (formula.kind !== 'and') return false;
  const checkEffort = new Effort(effort.limit * checkEffortShare, effort);
  const operandsByAttribute = new Map<Attribute, Formula[]>();
  for (const operand of formula.operands) {
    const attributes = new Set(formulas.atomsOf(operand).map((number) => atoms[number]?.attribute));
    const [attribute] = attributes;
    if (attribute?.kind === 'text' && attributes.size === 1)
      operandsByAttribute.set(attribute, [...(operandsByAttribute.get(attribute) ?? []), operand]);
  }
  const candidates = [...operandsByAttribute.values()].filter(
    ({ length }) => length > 1 && length < formula.operands.length,
  );
  try {
    return candidates.some(
      (operands) =>
        solve(formulas.and(operands), { ...options, effort: checkEffort }, refuted) === undefined,
    );
  } catch (error) {
    if (error instanceof EffortExceededError) return false;
    throw error;
  }
}

/** Attributes with few values come first, then texts, then collections. */
const kindWeights = { enumerated: 1, text: 1_000, collection: 1_000_000 };

/** The attribute with the fewest values to try. */
function nextAttribute(formula: Formula, { formulas, atoms }: OutcomeOptions): Attribute {
  const weights = new Map<Attribute, number>();
  for (const number of formulas.atomsOf(formula)) {
    const { attribute } = atoms[number] as Atom;
    weights.set(attribute, (weights.get(attribute) ?? kindWeights[attribute.kind]) + 1);
  }
  const [[lightest] = []] = [...weights].sort(([, a], [, b]) => a - b);
  if (lightest === undefined) throw new TypeError('a formula without atoms is true or false');
  return lightest;
}

function outcomesOf(
  formula: Formula,
  attribute: Attribute,
  options: OutcomeOptions,
  refuted: Set<number>,
): Iterable<Outcome> {
  switch (attribute.kind) {
    case 'text':
      return textOutcomes(formula, attribute, options);
    case 'enumerated':
      return valueOutcomes(formula, attribute, options);
    case 'collection':
      return entryOutcomes(formula, attribute, options, refuted);
  }
}

/** An entry about whose text no condition says anything. */
const anyText = 'a';

function* valueOutcomes(
  formula: Formula,
  attribute: Attribute & { readonly kind: 'enumerated' },
  options: OutcomeOptions,
): Generator<Outcome> {
  const attributeAtoms = atomsOn(formula, attribute, options);
  const seenFormulas = new Set<Formula>();
  for (const value of attribute.values) {
    const remaining = assignValue(formula, attributeAtoms, value, options);
    if (remaining === options.formulas.false || seenFormulas.has(remaining)) continue;
    seenFormulas.add(remaining);
    yield { remaining, value };
  }
}

/**
 * Collections with one entry for each condition that an entry must fulfil, and no entry that
 * fulfils a condition which none may fulfil: more entries would make no difference.
 */
function* entryOutcomes(
  formula: Formula,
  attribute: Attribute & { readonly kind: 'collection' },
  options: OutcomeOptions,
  refuted: Set<number>,
): Generator<Outcome> {
  const { formulas, effort } = options;
  const [first] = atomsOn(formula, attribute, options);
  if (first === undefined) return;
  yield* chooseTruths(formula, first, [], []);

  function* chooseTruths(
    remaining: Formula,
    atom: Atom,
    wanted: readonly Formula[],
    unwanted: readonly Formula[],
  ): Generator<Outcome> {
    for (const truth of [false, true]) {
      effort.spend(1);
      const next = formulas.assign(remaining, (number) =>
        number === atom.number ? truth : undefined,
      );
      if (next === formulas.false) continue;
      const condition = atom.entryCondition ?? formulas.true;
      const nextWanted = truth ? [...wanted, condition] : wanted;
      const nextUnwanted = truth ? unwanted : [...unwanted, condition];
      const [another] = atomsOn(next, attribute, options);
      if (another !== undefined) {
        yield* chooseTruths(next, another, nextWanted, nextUnwanted);
        continue;
      }
      const value = entriesOf(nextWanted, nextUnwanted);
      if (value !== undefined) yield { remaining: next, value };
    }
  }

  function entriesOf(
    wanted: readonly Formula[],
    unwanted: readonly Formula[],
  ): unknown[] | undefined {
    const forbidden = unwanted.map((each) => formulas.not(each));
    const entries: unknown[] = [];
    for (const each of wanted) {
      const condition = formulas.and([each, ...forbidden]);
      const memberValues = solve(condition, options, refuted);
      if (memberValues === undefined) return undefined;
      const values = options.makePlausible?.(condition, memberValues) ?? memberValues;
      const entryItself = attribute.members.get('');
      const entry =
        entryItself === undefined
          ? Object.fromEntries(
              [...attribute.members].map(([name, member]) => [name, values.get(member) ?? null]),
            )
          : (values.get(entryItself) ?? anyText);
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
