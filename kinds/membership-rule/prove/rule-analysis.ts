import type { MembershipRule, RuleExpression, RuleSpan } from '../ast.js';
import { printOperand } from '../printer.js';
import type { ProverOptions } from './prover.js';
import { RuleProver } from './rule-prover.js';

/** A part of a rule that changes nothing, by its place in the text. */
export interface RedundantClause extends RuleSpan {
  readonly text: string;
  /** Why: `it never holds`. */
  readonly why: string;
}

/** What a rule selects, of all possible people. */
export interface RuleAnalysis {
  /** Nobody, everybody, some, or undecided. */
  readonly verdict: 'never' | 'always' | 'some' | 'unknown';
  /** Why it is unknown, or on which undocumented points the verdict hangs. */
  readonly why: readonly string[];
  /** Parts without which the rule selects the same. */
  readonly withoutEffect: readonly RedundantClause[];
}

/**
 * Analyses a rule: whether it can select anybody, and which parts change nothing. Parts of a rule
 * that asks the time are not judged: they may matter later.
 */
export function analyzeRule(rule: MembershipRule, options: ProverOptions): RuleAnalysis {
  const asksTime = /\bsystem\.now\b/i.test(rule.text);
  if (rule.kind === 'expression' && !asksTime && areIndependent(rule.expression))
    return { verdict: 'some', why: [], withoutEffect: [] };
  const prover = new RuleProver({ ...options, examples: 'shortest' });
  const selected = prover.selected(rule);
  const others = prover.notSelected(rule);
  const why = [...selected.why, ...others.why];
  if (selected.isNoneHere === true || others.isNoneHere === true) {
    if (asksTime) return { verdict: 'unknown', why: ['the rule asks the time'], withoutEffect: [] };
    const verdict = selected.isNoneHere === true ? 'never' : 'always';
    return { verdict, why, withoutEffect: [] };
  }
  if (selected.verdict === 'unknown' || others.verdict === 'unknown')
    return { verdict: 'unknown', why: [...new Set(why)], withoutEffect: [] };
  const withoutEffect =
    rule.kind === 'expression' && !asksTime ? idleClauses(rule.expression, rule.text, prover) : [];
  return { verdict: 'some', why: [], withoutEffect };
}

/**
 * Whether each attribute is compared once, with a text or Boolean that some values equal and others
 * don't: then every clause matters, and the rule selects some.
 */
function areIndependent(expression: RuleExpression): boolean {
  const seen = new Set<string>();
  const visit = (node: RuleExpression): boolean => {
    switch (node.kind) {
      case 'and':
      case 'or':
        return node.operands.every(visit);
      case 'not':
        return visit(node.operand);
      case 'compare': {
        const name = printOperand(node.left);
        const isPlain =
          node.value.type === 'boolean' ||
          (node.value.type === 'list' && node.value.values.some(({ value }) => value !== '')) ||
          (node.value.type === 'string' &&
            node.value.value !== '' &&
            !/match/i.test(node.operator));
        if (seen.has(name) || !isPlain) return false;
        seen.add(name);
        return true;
      }
      default:
        return false;
    }
  };
  return visit(expression);
}

/** Puts a part of an expression into the whole. */
type Replace = (part: RuleExpression) => RuleExpression;

function idleClauses(whole: RuleExpression, text: string, prover: RuleProver): RedundantClause[] {
  const idle: RedundantClause[] = [];
  let current = whole;
  visit(whole, (part) => part);
  return idle.reverse();

  /** Leaves out what changes nothing, later parts first. @returns what is left */
  function visit(node: RuleExpression, into: Replace): RuleExpression {
    switch (node.kind) {
      case 'and':
      case 'or':
        return operands(node, into);
      case 'not':
        return { ...node, operand: visit(node.operand, (operand) => into({ ...node, operand })) };
      case 'any':
      case 'all':
        return {
          ...node,
          predicate: visit(node.predicate, (predicate) => into({ ...node, predicate })),
        };
      case 'compare':
        return node;
    }
  }

  function operands(
    node: Extract<RuleExpression, { kind: 'and' | 'or' }>,
    into: Replace,
  ): RuleExpression {
    let left = [...node.operands];
    for (let at = left.length - 1; at >= 0; at--) {
      const operand = left[at] as RuleExpression;
      const others = left.filter((_each, index) => index !== at);
      const [only] = others;
      const without =
        others.length === 1 && only !== undefined ? only : { ...node, operands: others };
      if (others.length > 0 && prover.isSame(current, into(without))) {
        idle.push({
          start: operand.start,
          end: operand.end,
          text: text.slice(operand.start, operand.end),
          why:
            node.kind === 'or'
              ? 'everyone whom it selects is selected without it'
              : 'everyone whom the rest selects fulfils it',
        });
        left = others;
        current = into(without);
        continue;
      }
      left[at] = visit(operand, (part) =>
        into({ ...node, operands: left.map((each, index) => (index === at ? part : each)) }),
      );
    }
    const [only] = left;
    return left.length === 1 && only !== undefined ? only : { ...node, operands: left };
  }
}
