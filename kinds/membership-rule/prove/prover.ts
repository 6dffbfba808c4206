import type { MembershipRule } from '../ast.js';
import type { Attribute, Values } from './atom.js';
import { objectOf } from './example.js';
import { Effort, EffortExceededError } from './effort.js';
import type { Formula } from './formula.js';
import {
  otherInterpretations,
  directoryInterpretation,
  type Interpretation,
} from './interpretation.js';
import { RuleFormulas } from './rule-formula.js';
import { plausibleAddresses } from './plausible-addresses.js';
import { isContradictory, solve } from './solver.js';
import { Atoms } from './atoms.js';

/** Whether somebody can exist of whom a formula is true. */
export interface Answer {
  /**
   * `none`: nobody, whatever his attributes (proved); `some`: the example, which was replayed;
   * `unknown`: neither, with the reasons, and somebody for whom it hangs on them, if there is one.
   */
  readonly verdict: 'none' | 'some' | 'unknown';
  readonly values?: Values;
  /** Why it is unknown, or on which undocumented points the verdict hangs. */
  readonly why: readonly string[];
  /**
   * Whether it is `none` as the directory's evaluator reads rules, and only other readings differ.
   */
  readonly isNoneHere?: true;
}

/** A question about all people at once. */
export interface Question {
  /** The formula, by how undocumented points are read. */
  formula(reading: Interpretation): Formula;
  /** Whether the directory's own evaluator agrees that the formula is true of somebody. */
  replay(values: Values): boolean;
}

/** The evaluator does not agree with an example. */
class Disagreement extends Error {
  override readonly name = 'Disagreement';

  constructor(example: string) {
    super(
      `this is a defect of the proof, please report it: the evaluator disagrees with ${example}`,
    );
  }
}

/** At most so many undecidable conditions are tried both ways. */
const maxUndecidable = 6;

/** Options of questions. */
export interface ProverOptions {
  /** Milliseconds since 1970, for rules that ask the time. */
  readonly now: number;
  /** The limit of work for one question, in steps. */
  readonly effort?: number | undefined;
  /**
   * Whether texts that hold addresses look like some; nobody sees those of an analysis.
   *
   * @default plausible
   */
  readonly examples?: 'plausible' | 'shortest';
}

/** Decides questions about all possible people or devices. */
export class Prover {
  readonly atoms: Atoms;
  readonly #effort: Effort;
  readonly #isPlausible: boolean;
  readonly #refuted = { plain: new Set<number>(), all: new Set<number>() };

  constructor({ now, effort, examples = 'plausible' }: ProverOptions) {
    this.#isPlausible = examples === 'plausible';
    this.#effort = new Effort(effort);
    this.atoms = new Atoms(now, this.#effort);
  }

  /** The formula of a rule. @param inGroup that of a direct membership, for `memberOf` */
  ruleFormula(
    rule: MembershipRule,
    reading: Interpretation,
    inGroup: (id: string) => Formula = (id) => this.#unknownGroup(id),
  ): Formula {
    return new RuleFormulas(this.atoms, reading).formulaOf(rule, inGroup);
  }

  /**
   * Looks for somebody of whom a formula is true. An example with which the evaluator disagrees is
   * a defect of the proof: it is not shown, and the verdict is unknown.
   */
  ask(question: Question): Answer {
    this.#effort.renew();
    try {
      return this.#answer(question);
    } catch (error) {
      if (error instanceof EffortExceededError)
        return { verdict: 'unknown', why: ['the question takes more work than --effort allows'] };
      if (error instanceof Disagreement) return { verdict: 'unknown', why: [error.message] };
      throw error;
    }
  }

  #answer({ formula: formulaOf, replay }: Question): Answer {
    const formula = formulaOf(directoryInterpretation);
    const certain = this.#find(this.#forAllUndecidable(formula), true);
    if (certain !== undefined) {
      if (!replay(certain)) throw new Disagreement(describe(certain));
      return {
        verdict: 'some',
        values: certain,
        why: this.#interpretationReasons(formulaOf, formula, 'none'),
      };
    }
    const lacking = this.#find(this.#forAllUndecidable(formula, 'of the directory'), true);
    const possible = this.#withAsked(lacking ?? this.#find(formula, true));
    if (possible !== undefined) {
      if (replay(possible)) {
        const why = this.#unknownOf(possible);
        return { verdict: why.length === 0 ? 'some' : 'unknown', values: possible, why };
      }
      const reasons = this.#undecidableIn(possible, formula);
      if (reasons.length === 0) throw new Disagreement(describe(possible));
      return { verdict: 'unknown', why: reasons };
    }
    const ambiguous = this.#find(formula, false);
    if (ambiguous !== undefined)
      return {
        verdict: 'unknown',
        why: [
          [...ambiguous.values()].includes('')
            ? `the cloud does not document whether a text may be empty: ${describe(ambiguous)}`
            : `the cloud does not document the case of the letters in ${describe(ambiguous)}`,
          ...this.#undecidableIn(ambiguous, formula),
        ],
      };
    const why = [
      ...this.#interpretationReasons(formulaOf, formula, 'some'),
      ...this.#letterReasons(formula),
    ];
    return { verdict: why.length === 0 ? 'none' : 'unknown', why, isNoneHere: true };
  }

  /** @param isPlain whether only values count on which all readings of letters agree */
  #find(formula: Formula, isPlain: boolean): Values | undefined {
    const values = isPlain ? this.#solvePlain(formula) : this.#solve(formula, false);
    return values && this.#refine(formula, values);
  }

  /** Mostly one walk through all letters answers for the plain ones, too. */
  #solvePlain(formula: Formula): Values | undefined {
    const values = this.#solve(formula, false);
    return values === undefined || isAscii(values) ? values : this.#solve(formula, true);
  }

  #solve(formula: Formula, isPlain: boolean): Values | undefined {
    const { formulas, byNumber: atoms } = this.atoms;
    const refine = (part: Formula, values: Values): Values => this.#refine(part, values);
    const choosing = { formulas, atoms, effort: this.#effort, isPlain, refine };
    const refuted = isPlain ? this.#refuted.plain : this.#refuted.all;
    return isContradictory(formula, choosing, refuted)
      ? undefined
      : solve(formula, choosing, refuted);
  }

  #refine(formula: Formula, values: Values): Values {
    return this.#isPlausible ? plausibleAddresses(formula, values, this.atoms) : values;
  }

  /** Values that also say what undecidable conditions ask: nothing, or what everybody has. */
  #withAsked(values: Values | undefined): Values | undefined {
    if (values === undefined) return undefined;
    const asked = [...values.keys()].flatMap((each) => this.atoms.askedText.get(each) ?? []);
    const open = asked.filter((each) => !values.has(each) && !each.name.includes('[]'));
    return new Map([...values, ...open.map((each) => [each, anyValueOf(each)] as const)]);
  }

  /** The points on which other readings give the other verdict. */
  #interpretationReasons(
    formulaOf: Question['formula'],
    own: Formula,
    verdict: 'some' | 'none',
  ): readonly string[] {
    const asked = new Set([own]);
    const differences: string[] = [];
    for (const reading of otherInterpretations) {
      // several points together are asked only where no point decides alone
      const isDecided = reading.points.length > 1 && differences.length > 0;
      const isAsked = reading.points.every((each) => this.atoms.undocumented.has(each));
      if (isDecided || !isAsked) continue;
      const formula = formulaOf(reading);
      if (asked.has(formula)) continue;
      asked.add(formula);
      const found = this.#find(formula, true) === undefined ? 'none' : 'some';
      if (found === verdict) differences.push(`the cloud does not document ${reading.difference}`);
    }
    return differences;
  }

  /** Letters of constants and patterns on which it hangs that nobody fulfils a formula. */
  #letterReasons(formula: Formula): readonly string[] {
    const { formulas } = this.atoms;
    const ambiguous = new Map(
      formulas.atomsOf(formula).flatMap((number) => {
        const [text] = this.#ambiguousTexts(number);
        return text === undefined ? [] : [[number, text] as const];
      }),
    );
    if (ambiguous.size === 0) return [];
    const freed =
      ambiguous.size > maxUndecidable
        ? formulas.true
        : [...ambiguous.keys()].reduce(
            (rest, number) => formulas.or(this.#withTrueAndFalse(rest, number)),
            formula,
          );
    return this.#find(freed, true) === undefined
      ? []
      : [...new Set(ambiguous.values())].map(
          (text) =>
            `the cloud does not document the case of the letters in ${JSON.stringify(text)}`,
        );
  }

  #ambiguousTexts(number: number): readonly string[] {
    const { ambiguousText, entryCondition } = this.atoms.byNumber[number] ?? {};
    if (ambiguousText !== undefined) return [ambiguousText];
    return entryCondition === undefined
      ? []
      : this.atoms.formulas.atomsOf(entryCondition).flatMap((inner) => this.#ambiguousTexts(inner));
  }

  /** A formula when an atom is true, and when it is false. */
  #withTrueAndFalse(formula: Formula, number: number): readonly Formula[] {
    return [true, false].map((truth) =>
      this.atoms.formulas.assign(formula, (atom) => (atom === number ? truth : undefined)),
    );
  }

  /** A formula that is true only where undecidable conditions don't matter. */
  #forAllUndecidable(formula: Formula, which: 'all' | 'of the directory' = 'all'): Formula {
    const { formulas } = this.atoms;
    const undecidable = this.#undecidableAtoms(formula).filter(
      (number) => which === 'all' || this.#isOfDirectory(this.atoms.byNumber[number]?.attribute),
    );
    if (undecidable.length > maxUndecidable) return formulas.false;
    return undecidable.reduce(
      (rest, number) => formulas.and(this.#withTrueAndFalse(rest, number)),
      formula,
    );
  }

  /** The atoms that can't be decided, or whose entries can't. */
  #undecidableAtoms(formula: Formula): readonly number[] {
    return this.atoms.formulas
      .atomsOf(formula)
      .filter((number) => this.#whyUndecidable(number).length > 0);
  }

  #whyUndecidable(number: number): readonly string[] {
    const { formulas, byNumber: atoms, undecidable } = this.atoms;
    const { attribute, entryCondition } = atoms[number] ?? {};
    const why = attribute === undefined ? undefined : undecidable.get(attribute);
    if (why !== undefined) return [why];
    return entryCondition === undefined
      ? []
      : formulas.atomsOf(entryCondition).flatMap((inner) => this.#whyUndecidable(inner));
  }

  /** A condition that is neither somebody's own, nor one that the evaluator decides. */
  #isOfDirectory(attribute: Attribute | undefined): boolean {
    const { undecidable, personal, askedText } = this.atoms;
    if (attribute === undefined || !undecidable.has(attribute)) return false;
    return !personal.has(attribute) && !askedText.has(attribute);
  }

  #unknownOf(values: Values): readonly string[] {
    const asked = [...values.keys()].filter((each) => this.#isOfDirectory(each));
    return [...new Set(asked.flatMap((each) => this.atoms.undecidable.get(each) ?? []))];
  }

  #undecidableIn(values: Values, formula: Formula): readonly string[] {
    const { byNumber: atoms } = this.atoms;
    const asked = this.#undecidableAtoms(formula).filter((number) => {
      const attribute = atoms[number]?.attribute;
      return attribute !== undefined && values.has(attribute);
    });
    return [...new Set(asked.flatMap((number) => this.#whyUndecidable(number)))];
  }

  #unknownGroup(id: string): Formula {
    return this.atoms.unknown(
      `member of ${id}`,
      `who is in the group ${id} is not known`,
      'of the directory',
    );
  }
}

/** A value of a text that nothing else asks for. */
function anyValueOf({ name, isNullable }: Attribute & { readonly kind: 'text' }): string | null {
  const [subject, property = ''] = name.split('.');
  if (isNullable || (subject !== 'user' && subject !== 'device')) return null;
  const object = objectOf({}, subject);
  return property === 'objectId' ? object.id : String(object.body[property]);
}

/** Whether all texts have letters, and only such as every reading compares alike. */
function isAscii(values: Values): boolean {
  return !/[^ -~]|""/.test(JSON.stringify([...values.values()]));
}

function describe(values: Values): string {
  return [...values].map(([{ name }, value]) => `${name} ${JSON.stringify(value)}`).join(', ');
}
