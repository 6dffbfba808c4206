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
  /** Why it is unknown, or on which undocumented points the verdict depends. */
  readonly why: readonly string[];
  /**
   * Whether the verdict is `none` in the interpretation of the directory's evaluator, and not
   * `none` only in other interpretations.
   */
  readonly isNoneInDirectoryInterpretation?: true;
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
  findInBoth(first: MembershipRule, second: MembershipRule): RuleAnswer {
    if (first.subject !== second.subject)
      return { verdict: 'none', why: [], isNoneInDirectoryInterpretation: true };
    const { formulas } = this.prover.atoms;
    return this.#findExample(
      first,
      (interpretation) =>
        formulas.and([this.#formula(first, interpretation), this.#formula(second, interpretation)]),
      (selects) => selects(first) && selects(second),
    );
  }

  /** Looks for somebody whom the first rule selects and the second does not. */
  findOnlyIn(first: MembershipRule, second: MembershipRule): RuleAnswer {
    if (first.subject !== second.subject) return this.findSelected(first);
    const { formulas } = this.prover.atoms;
    return this.#findExample(
      first,
      (interpretation) =>
        formulas.and([
          this.#formula(first, interpretation),
          formulas.not(this.#formula(second, interpretation)),
        ]),
      (selects) => selects(first) && !selects(second),
    );
  }

  /** Whether two expressions are fulfilled by the same people. */
  isEquivalent(first: RuleExpression, second: RuleExpression): boolean {
    const { atoms } = this.prover;
    const { formulas } = atoms;
    const answer = this.prover.decide({
      formula: (interpretation) => {
        const rules = new RuleFormulas(atoms, interpretation);
        const [a, b] = [rules.expression(first), rules.expression(second)];
        return formulas.or([
          formulas.and([a, formulas.not(b)]),
          formulas.and([b, formulas.not(a)]),
        ]);
      },
      confirms: () => true,
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
    const confirms = (values: Values): boolean => {
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
    const { values, ...answer } = this.prover.decide({ formula, confirms });
    if (values === undefined) return answer;
    return { ...answer, example: attributesOf(values, subject) };
  }
}
