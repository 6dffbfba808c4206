import { compileMembershipRule } from '../evaluation/compile-rule.js';
import type { MembershipRule, RuleExpression } from '../ast.js';
import type { Values } from './atom.js';
import { attributesOf, type ExampleAttributes, exampleObject } from './example.js';
import { type Answer, Prover, type ProverOptions, type Question } from './prover.js';
import type { Interpretation } from './interpretation.js';
import { RuleFormulas } from './rule-formula.js';

/** Whether a person or device can exist who is selected as a question asks. */
export interface RuleAnswer {
  readonly verdict: Answer['verdict'];
  /** The attributes of an example, by the names of the rule language. */
  readonly example?: ExampleAttributes;
  readonly why: readonly string[];
  /**
   * Whether it is `none` in the interpretation of the directory's evaluator, and only others
   * differ.
   */
  readonly isNoneInDirectory?: true;
}

/** Decides questions about single membership rules and pairs of them. */
export class RuleProver {
  readonly prover: Prover;

  constructor(private readonly options: ProverOptions) {
    this.prover = new Prover(options);
  }

  /** Looks for somebody whom a rule selects. */
  findSelected(rule: MembershipRule): RuleAnswer {
    return this.#findExample(
      rule,
      (interpretation) => this.#formula(rule, interpretation),
      (selects) => selects(rule),
    );
  }

  /** Looks for somebody whom a rule does not select. */
  findNotSelected(rule: MembershipRule): RuleAnswer {
    const { formulas } = this.prover.atoms;
    return this.#findExample(
      rule,
      (interpretation) => formulas.not(this.#formula(rule, interpretation)),
      (selects) => !selects(rule),
    );
  }

  /** Looks for somebody whom both rules select. */
  findInBoth(one: MembershipRule, other: MembershipRule): RuleAnswer {
    if (one.subject !== other.subject) return { verdict: 'none', why: [], isNoneInDirectory: true };
    const { formulas } = this.prover.atoms;
    return this.#findExample(
      one,
      (interpretation) =>
        formulas.and([this.#formula(one, interpretation), this.#formula(other, interpretation)]),
      (selects) => selects(one) && selects(other),
    );
  }

  /** Looks for somebody whom the first rule selects and the other does not. */
  findOnlyIn(one: MembershipRule, other: MembershipRule): RuleAnswer {
    if (one.subject !== other.subject) return this.findSelected(one);
    const { formulas } = this.prover.atoms;
    return this.#findExample(
      one,
      (interpretation) =>
        formulas.and([
          this.#formula(one, interpretation),
          formulas.not(this.#formula(other, interpretation)),
        ]),
      (selects) => selects(one) && !selects(other),
    );
  }

  /** Whether two expressions are fulfilled by the same people. */
  isEquivalent(one: RuleExpression, other: RuleExpression): boolean {
    const { atoms } = this.prover;
    const { formulas } = atoms;
    const answer = this.prover.decide({
      formula: (interpretation) => {
        const rules = new RuleFormulas(atoms, interpretation);
        const [a, b] = [rules.expression(one), rules.expression(other)];
        return formulas.or([
          formulas.and([a, formulas.not(b)]),
          formulas.and([b, formulas.not(a)]),
        ]);
      },
      replay: () => true,
    });
    return answer.verdict === 'none';
  }

  #formula(rule: MembershipRule, interpretation: Interpretation) {
    return this.prover.ruleFormula(rule, interpretation);
  }

  #findExample(
    { subject }: MembershipRule,
    formula: Question['formula'],
    isExpected: (selects: (rule: MembershipRule) => boolean) => boolean,
  ): RuleAnswer {
    const replay = (values: Values): boolean => {
      const attributes = attributesOf(values, subject);
      const object = exampleObject(attributes, subject);
      const { manager } = attributes;
      const context = {
        now: this.options.now,
        ...(typeof manager === 'string' && { managerId: manager }),
        groupIds: new Set<string>(),
      };
      return isExpected((each) => compileMembershipRule(each).matches(object, context));
    };
    const { values, ...answer } = this.prover.decide({ formula, replay });
    if (values === undefined) return answer;
    return { ...answer, example: attributesOf(values, subject) };
  }
}
