import type { MembershipRule } from '../ast.js';
import type { Values } from './atom.js';
import { Effort, EffortExceededError } from './effort.js';
import type { Formula } from './formula.js';
import {
  otherInterpretations,
  directoryInterpretation,
  type Interpretation,
} from './interpretation.js';
import { RuleFormulas } from './rule-formula.js';
import { solve } from './solve.js';
import { Atoms } from './atoms.js';

/** Whether somebody can exist of whom a formula is true. */
export interface Answer {
  /**
   * `none`: nobody, whatever his attributes (proved); `some`: the example, which was replayed;
   * `unknown`: neither, with the reasons.
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
const maxOpaque = 6;

/** Decides questions about all possible people or devices. */
export class Prover {
  readonly atoms: Atoms;
  readonly #effort: Effort;
  readonly #refuted = { plain: new Set<number>(), all: new Set<number>() };

  /**
   * @param now milliseconds since 1970, for rules that ask the time.
   * @param effort the limit of work for one question, in steps.
   */
  constructor({ now, effort }: { readonly now: number; readonly effort?: number | undefined }) {
    this.#effort = new Effort(effort);
    this.atoms = new Atoms(now, this.#effort);
  }

  /** The formula of a rule. @param inGroup that of a direct membership, for `memberOf` */
  rule(
    rule: MembershipRule,
    reading: Interpretation,
    inGroup: (id: string) => Formula = (id) => this.#foreign(id),
  ): Formula {
    return new RuleFormulas(this.atoms, reading).rule(rule, inGroup);
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
    const certain = this.#find(this.#whateverOpaque(formula), true);
    if (certain !== undefined) {
      if (!replay(certain)) throw new Disagreement(describe(certain));
      return { verdict: 'some', values: certain, why: this.#hangsOn(formulaOf, formula, 'none') };
    }
    const possible = this.#find(formula, true);
    if (possible !== undefined) {
      if (replay(possible)) return { verdict: 'some', values: possible, why: [] };
      const reasons = this.#opaqueIn(possible, formula);
      if (reasons.length === 0) throw new Disagreement(describe(possible));
      return { verdict: 'unknown', why: reasons };
    }
    const disputed = this.#find(formula, false);
    if (disputed !== undefined)
      return {
        verdict: 'unknown',
        why: [
          [...disputed.values()].includes('')
            ? `the cloud does not document whether a text may be empty: ${describe(disputed)}`
            : `the cloud does not document the case of the letters in ${describe(disputed)}`,
          ...this.#opaqueIn(disputed, formula),
        ],
      };
    const why = this.#hangsOn(formulaOf, formula, 'some');
    return { verdict: why.length === 0 ? 'none' : 'unknown', why, isNoneHere: true };
  }

  #find(formula: Formula, isPlain: boolean): Values | undefined {
    const { formulas, list: atoms } = this.atoms;
    const choosing = { formulas, atoms, effort: this.#effort, isPlain };
    return solve(formula, choosing, isPlain ? this.#refuted.plain : this.#refuted.all);
  }

  /** The points on which other readings give the other verdict. */
  #hangsOn(
    formulaOf: Question['formula'],
    own: Formula,
    verdict: 'some' | 'none',
  ): readonly string[] {
    const asked = new Set([own]);
    const differences: string[] = [];
    for (const reading of otherInterpretations) {
      const formula = formulaOf(reading);
      // both points together are asked last, where neither decides alone
      if (asked.has(formula) || (reading.isBoth === true && differences.length > 0)) continue;
      asked.add(formula);
      const found = this.#find(formula, true) === undefined ? 'none' : 'some';
      if (found === verdict) differences.push(`the cloud does not document ${reading.difference}`);
    }
    return differences;
  }

  /** A formula that is true only where undecidable conditions don't matter. */
  #whateverOpaque(formula: Formula): Formula {
    const { formulas } = this.atoms;
    const opaque = this.#opaqueAtoms(formula);
    if (opaque.length > maxOpaque) return formulas.false;
    return opaque.reduce(
      (rest, number) =>
        formulas.and(
          [true, false].map((truth) =>
            formulas.assign(rest, (atom) => (atom === number ? truth : undefined)),
          ),
        ),
      formula,
    );
  }

  /** The atoms that can't be decided, or whose entries can't. */
  #opaqueAtoms(formula: Formula): readonly number[] {
    return this.atoms.formulas
      .atomsOf(formula)
      .filter((number) => this.#whyOpaque(number).length > 0);
  }

  #whyOpaque(number: number): readonly string[] {
    const { formulas, list: atoms, opaque } = this.atoms;
    const { attribute, entry } = atoms[number] ?? {};
    const why = attribute === undefined ? undefined : opaque.get(attribute);
    if (why !== undefined) return [why];
    return entry === undefined
      ? []
      : formulas.atomsOf(entry).flatMap((inner) => this.#whyOpaque(inner));
  }

  #opaqueIn(values: Values, formula: Formula): readonly string[] {
    const { list: atoms } = this.atoms;
    const asked = this.#opaqueAtoms(formula).filter((number) => {
      const attribute = atoms[number]?.attribute;
      return attribute !== undefined && values.has(attribute);
    });
    return [...new Set(asked.flatMap((number) => this.#whyOpaque(number)))];
  }

  #foreign(id: string): Formula {
    return this.atoms.unknown(`member of ${id}`, `who is in the group ${id} is not known`);
  }
}

function describe(values: Values): string {
  return [...values].map(([{ name }, value]) => `${name} ${JSON.stringify(value)}`).join(', ');
}
