import type { MembershipRule } from '../ast.js';
import type { Attribute, Values } from './atom.js';
import { exampleObject } from './example.js';
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

/** Whether a person or device can exist for whom a formula is true. */
export interface Answer {
  /**
   * `none`: proved for all values of attributes; `some`: there is an example, which was confirmed;
   * `unknown`: neither, with the reasons, and an example for whom it depends on them, if there is
   * one.
   */
  readonly verdict: 'none' | 'some' | 'unknown';
  /** The values of the example. @default there is no example */
  readonly values?: Values;
  /** Why it is unknown, or on which undocumented points the verdict depends. */
  readonly why: readonly string[];
  /**
   * Whether it is `none` in the interpretation of the directory's evaluator, and only others
   * differ.
   */
  readonly isNoneInDirectoryInterpretation?: true;
}

/** A question about all people at once. */
export interface Question {
  /** The formula in an interpretation of the undocumented points. */
  formula(interpretation: Interpretation): Formula;
  /** Whether the directory's own evaluator confirms that the formula is true for an example. */
  confirms(values: Values): boolean;
}

/** The evaluator does not agree with an example. */
class DisagreementError extends Error {
  override readonly name = 'DisagreementError';

  constructor(example: string) {
    super(
      `this is a defect of the proof, please report it: the evaluator disagrees with ${example}`,
    );
  }
}

/** How many undecidable conditions are tried as both true and false. */
const maxUndecidable = 6;

/** Options of questions. */
export interface ProverOptions {
  /** Milliseconds since 1970, for rules that use `system.now`. */
  readonly now: number;
  /** The limit of work for one question, in steps. */
  readonly effort?: number | undefined;
  /**
   * Whether example values of address attributes look like addresses, which only readers need.
   *
   * @default plausible
   */
  readonly examples?: 'plausible' | 'shortest';
}

/** Decides questions about all possible people or devices. */
export class Prover {
  readonly atoms: Atoms;
  readonly #effort: Effort;
  readonly #usesPlausibleExamples: boolean;
  readonly #refutedFormulas = { plain: new Set<number>(), all: new Set<number>() };

  constructor({ now, effort, examples = 'plausible' }: ProverOptions) {
    this.#usesPlausibleExamples = examples === 'plausible';
    this.#effort = new Effort(effort);
    this.atoms = new Atoms(now, this.#effort);
  }

  /**
   * The formula of a rule. @param inGroup returns that of a group's direct members, for `memberOf`
   */
  ruleFormula(
    rule: MembershipRule,
    interpretation: Interpretation,
    inGroup: (id: string) => Formula = (id) => this.#unknownGroup(id),
  ): Formula {
    return new RuleFormulas(this.atoms, interpretation).formulaOf(rule, inGroup);
  }

  /**
   * Looks for a person or device for whom a formula is true. An example with which the evaluator
   * disagrees is a defect of the proof: it is not shown, and the verdict is unknown.
   */
  decide(question: Question): Answer {
    this.#effort.reset();
    try {
      return this.#decide(question);
    } catch (error) {
      if (error instanceof EffortExceededError)
        return { verdict: 'unknown', why: ['the question takes more work than --effort allows'] };
      if (error instanceof DisagreementError) return { verdict: 'unknown', why: [error.message] };
      throw error;
    }
  }

  #decide({ formula: formulaOf, confirms }: Question): Answer {
    const formula = formulaOf(directoryInterpretation);
    const exampleForAll = this.#find(this.#forAllUndecidable(formula), true);
    if (exampleForAll !== undefined) {
      if (!confirms(exampleForAll)) throw new DisagreementError(describeValues(exampleForAll));
      return {
        verdict: 'some',
        values: exampleForAll,
        why: this.#interpretationReasons(formulaOf, formula, 'none'),
      };
    }
    const exampleForAnyDirectory = this.#find(this.#forAllUndecidable(formula, 'directory'), true);
    const possibleExample = this.#withUndecidedTexts(
      exampleForAnyDirectory ?? this.#find(formula, true),
    );
    if (possibleExample !== undefined) {
      if (confirms(possibleExample)) {
        const why = this.#directoryReasons(possibleExample);
        return { verdict: why.length === 0 ? 'some' : 'unknown', values: possibleExample, why };
      }
      const reasons = this.#undecidableReasons(possibleExample, formula);
      if (reasons.length === 0) throw new DisagreementError(describeValues(possibleExample));
      return { verdict: 'unknown', why: reasons };
    }
    const ambiguousExample = this.#find(formula, false);
    if (ambiguousExample !== undefined)
      return {
        verdict: 'unknown',
        why: [
          [...ambiguousExample.values()].includes('')
            ? `the cloud does not document whether a text may be empty: ${describeValues(ambiguousExample)}`
            : `the cloud does not document the case of the letters in ${describeValues(ambiguousExample)}`,
          ...this.#undecidableReasons(ambiguousExample, formula),
        ],
      };
    const why = [
      ...this.#interpretationReasons(formulaOf, formula, 'some'),
      ...this.#letterReasons(formula),
    ];
    return {
      verdict: why.length === 0 ? 'none' : 'unknown',
      why,
      isNoneInDirectoryInterpretation: true,
    };
  }

  /** @param onlyPlainCharacters uses only characters that all interpretations compare alike */
  #find(formula: Formula, onlyPlainCharacters: boolean): Values | undefined {
    const values = onlyPlainCharacters ? this.#solvePlain(formula) : this.#solve(formula, false);
    return values && this.withPlausibleAddresses(formula, values);
  }

  /** Tries all characters first: their solution is often plain, which saves a second search. */
  #solvePlain(formula: Formula): Values | undefined {
    const values = this.#solve(formula, false);
    return values === undefined || isAscii(values) ? values : this.#solve(formula, true);
  }

  #solve(formula: Formula, onlyPlainCharacters: boolean): Values | undefined {
    const { formulas, byNumber: atoms } = this.atoms;
    const makePlausible = (part: Formula, values: Values): Values =>
      this.withPlausibleAddresses(part, values);
    const options = { formulas, atoms, effort: this.#effort, onlyPlainCharacters, makePlausible };
    const refuted = onlyPlainCharacters ? this.#refutedFormulas.plain : this.#refutedFormulas.all;
    return isContradictory(formula, options, refuted)
      ? undefined
      : solve(formula, options, refuted);
  }

  withPlausibleAddresses(formula: Formula, values: Values): Values {
    return this.#usesPlausibleExamples ? plausibleAddresses(formula, values, this.atoms) : values;
  }

  /** Values with one for each text of an undecidable condition: null, or that of every example. */
  #withUndecidedTexts(values: Values | undefined): Values | undefined {
    if (values === undefined) return undefined;
    const texts = [...values.keys()].flatMap(
      (each) => this.atoms.comparedTextOfStandIn.get(each) ?? [],
    );
    const missing = texts.filter((each) => !values.has(each) && !each.name.includes('[]'));
    return new Map([...values, ...missing.map((each) => [each, defaultValueOf(each)] as const)]);
  }

  /** The undocumented points by which another interpretation gives another verdict. */
  #interpretationReasons(
    formulaOf: Question['formula'],
    directoryFormula: Formula,
    otherVerdict: 'some' | 'none',
  ): readonly string[] {
    const decided = new Set([directoryFormula]);
    const differences: string[] = [];
    for (const interpretation of otherInterpretations) {
      // combinations of points are tried only where no single point makes a difference
      const isExplained = interpretation.points.length > 1 && differences.length > 0;
      const isRelevant = interpretation.points.every((each) => this.atoms.undocumented.has(each));
      if (isExplained || !isRelevant) continue;
      const formula = formulaOf(interpretation);
      if (decided.has(formula)) continue;
      decided.add(formula);
      const verdict = this.#find(formula, true) === undefined ? 'none' : 'some';
      if (verdict === otherVerdict)
        differences.push(`the cloud does not document ${interpretation.difference}`);
    }
    return differences;
  }

  /** The constants and patterns whose letter case decides that nobody fulfils a formula. */
  #letterReasons(formula: Formula): readonly string[] {
    const { formulas } = this.atoms;
    const ambiguous = new Map(
      formulas.atomsOf(formula).flatMap((number) => {
        const [text] = this.#ambiguousTexts(number);
        return text === undefined ? [] : [[number, text] as const];
      }),
    );
    if (ambiguous.size === 0) return [];
    const withFreeAtoms =
      ambiguous.size > maxUndecidable
        ? formulas.true
        : [...ambiguous.keys()].reduce(
            (rest, number) => formulas.or(this.#withTrueAndFalse(rest, number)),
            formula,
          );
    return this.#find(withFreeAtoms, true) === undefined
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

  /** A formula with an atom put in as true, and as false. */
  #withTrueAndFalse(formula: Formula, number: number): readonly Formula[] {
    return [true, false].map((truth) =>
      this.atoms.formulas.assign(formula, (atom) => (atom === number ? truth : undefined)),
    );
  }

  /** A formula that is true where it is true for all outcomes of undecidable conditions. */
  #forAllUndecidable(formula: Formula, which: 'all' | 'directory' = 'all'): Formula {
    const { formulas } = this.atoms;
    const undecidable = this.#undecidableAtoms(formula).filter(
      (number) =>
        which === 'all' || this.#dependsOnDirectory(this.atoms.byNumber[number]?.attribute),
    );
    if (undecidable.length > maxUndecidable) return formulas.false;
    return undecidable.reduce(
      (rest, number) => formulas.and(this.#withTrueAndFalse(rest, number)),
      formula,
    );
  }

  /** The atoms that are undecidable, or have an undecidable condition on entries. */
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

  /** Whether a condition is undecidable, and what the directory contains would decide it. */
  #dependsOnDirectory(attribute: Attribute | undefined): boolean {
    const { undecidable, dependingOnPerson, comparedTextOfStandIn } = this.atoms;
    if (attribute === undefined || !undecidable.has(attribute)) return false;
    return !dependingOnPerson.has(attribute) && !comparedTextOfStandIn.has(attribute);
  }

  #directoryReasons(values: Values): readonly string[] {
    const unknown = [...values.keys()].filter((each) => this.#dependsOnDirectory(each));
    return [...new Set(unknown.flatMap((each) => this.atoms.undecidable.get(each) ?? []))];
  }

  #undecidableReasons(values: Values, formula: Formula): readonly string[] {
    const { byNumber: atoms } = this.atoms;
    const undecidableAtoms = this.#undecidableAtoms(formula).filter((number) => {
      const attribute = atoms[number]?.attribute;
      return attribute !== undefined && values.has(attribute);
    });
    return [...new Set(undecidableAtoms.flatMap((number) => this.#whyUndecidable(number)))];
  }

  #unknownGroup(id: string): Formula {
    return this.atoms.undecidableCondition(
      `member of ${id}`,
      `who is in the group ${id} is not known`,
      'directory',
    );
  }
}

/** The value of a text that no atom of the formula is about. */
function defaultValueOf({
  name,
  isNullable,
}: Attribute & { readonly kind: 'text' }): string | null {
  const [subject, property = ''] = name.split('.');
  if (isNullable || (subject !== 'user' && subject !== 'device')) return null;
  const object = exampleObject({}, subject);
  return property === 'objectId' ? object.id : String(object.body[property]);
}

/** Whether all texts have characters, and only of ASCII, which all interpretations compare alike. */
function isAscii(values: Values): boolean {
  return !/[^ -~]|""/.test(JSON.stringify([...values.values()]));
}

function describeValues(values: Values): string {
  return [...values].map(([{ name }, value]) => `${name} ${JSON.stringify(value)}`).join(', ');
}
