import { compileMembershipRule } from '../evaluation/compile-rule.js';
import type { MembershipRule, RuleExpression } from '../ast.js';
import type { Values } from './atom.js';
import { attributesOf, type ExampleAttributes, objectOf } from './example.js';
import { type Answer, Prover, type ProverOptions, type Question } from './prover.js';
import type { Interpretation } from './interpretation.js';
import { RuleFormulas } from './rule-formula.js';

/** Whether some person or device is selected in one way. */
export interface RuleAnswer {
  readonly verdict: Answer['verdict'];
  /** The attributes of one, by the names of the rule language. */
  readonly example?: ExampleAttributes;
  readonly why: readonly string[];
  /**
   * Whether it is `none` as the directory's evaluator reads rules, and only other readings differ.
   */
  readonly isNoneHere?: true;
}

/** Decides questions about single membership rules and pairs of them. */
export class RuleProver {
  readonly prover: Prover;

  constructor(private readonly options: ProverOptions) {
    this.prover = new Prover(options);
  }

  /** Somebody whom a rule selects. */
  selected(rule: MembershipRule): RuleAnswer {
    return this.#ask(
      rule,
      (reading) => this.#formula(rule, reading),
      (is) => is(rule),
    );
  }

  /** Somebody whom a rule does not select. */
  notSelected(rule: MembershipRule): RuleAnswer {
    const { formulas } = this.prover.atoms;
    return this.#ask(
      rule,
      (reading) => formulas.not(this.#formula(rule, reading)),
      (is) => !is(rule),
    );
  }

  /** Somebody whom both rules select. */
  both(one: MembershipRule, other: MembershipRule): RuleAnswer {
    if (one.subject !== other.subject) return { verdict: 'none', why: [], isNoneHere: true };
    const { formulas } = this.prover.atoms;
    return this.#ask(
      one,
      (reading) => formulas.and([this.#formula(one, reading), this.#formula(other, reading)]),
      (is) => is(one) && is(other),
    );
  }

  /** Somebody whom one rule selects and another does not. */
  onlyIn(one: MembershipRule, other: MembershipRule): RuleAnswer {
    if (one.subject !== other.subject) return this.selected(one);
    const { formulas } = this.prover.atoms;
    return this.#ask(
      one,
      (reading) =>
        formulas.and([this.#formula(one, reading), formulas.not(this.#formula(other, reading))]),
      (is) => is(one) && !is(other),
    );
  }

  /** Whether an expression can stand for another: both are fulfilled by the same people. */
  isSame(one: RuleExpression, other: RuleExpression): boolean {
    const { atoms } = this.prover;
    const { formulas } = atoms;
    const answer = this.prover.ask({
      formula: (reading) => {
        const rules = new RuleFormulas(atoms, reading);
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

  #formula(rule: MembershipRule, reading: Interpretation) {
    return this.prover.ruleFormula(rule, reading);
  }

  #ask(
    { subject }: MembershipRule,
    formula: Question['formula'],
    agrees: (is: (rule: MembershipRule) => boolean) => boolean,
  ): RuleAnswer {
    const replay = (values: Values): boolean => {
      const attributes = attributesOf(values, subject);
      const object = objectOf(attributes, subject);
      const { manager } = attributes;
      const context = {
        now: this.options.now,
        ...(typeof manager === 'string' && { managerId: manager }),
        groupIds: new Set<string>(),
      };
      return agrees((each) => compileMembershipRule(each).matches(object, context));
    };
    const { values, ...answer } = this.prover.ask({ formula, replay });
    if (values === undefined) return answer;
    return { ...answer, example: attributesOf(values, subject) };
  }
}
