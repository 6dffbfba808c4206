import type { MembershipRule, RuleExpression, RuleSpan } from '../ast.js';
import { usesCurrentTime } from '../evaluation/compile-rule.js';
import { printOperand } from '../printer.js';
import type { ProverOptions } from './prover.js';
import { RuleProver } from './rule-prover.js';

/** A part of a rule that changes nothing, with its position in the text. */
export interface RedundantClause extends RuleSpan {
  readonly text: string;
  /** Why it changes nothing: `everyone whom it selects is selected without it`. */
  readonly why: string;
}

/** What a rule selects, of all possible people. */
export interface RuleAnalysis {
  /** Nobody, everybody, some, or undecided. */
  readonly verdict: 'never' | 'always' | 'some' | 'unknown';
  /** Why it is unknown, or on which undocumented points the verdict depends. */
  readonly why: readonly string[];
  /** Parts without which the rule selects the same. */
  readonly withoutEffect: readonly RedundantClause[];
}

/**
 * Analyses a rule: whether it can select anybody, and which parts change nothing. Parts of a rule
 * that uses `system.now` are not checked, as they may matter later.
 */
export function analyzeRule(rule: MembershipRule, options: ProverOptions): RuleAnalysis {
  const dependsOnTime = rule.kind === 'expression' && usesCurrentTime(rule.expression);
  if (rule.kind === 'expression' && !dependsOnTime && areIndependent(rule.expression))
    return { verdict: 'some', why: [], withoutEffect: [] };
  const prover = new RuleProver({ ...options, examples: 'shortest' });
  const selected = prover.findSelected(rule);
  const notSelected = prover.findNotSelected(rule);
  const why = [...selected.why, ...notSelected.why];
  // Points that are not documented can be interpreted in several ways: the directory's own decides.
  if (
    selected.isNoneInDirectoryInterpretation === true ||
    notSelected.isNoneInDirectoryInterpretation === true
  ) {
    if (dependsOnTime)
      return { verdict: 'unknown', why: ['the rule asks the time'], withoutEffect: [] };
    const verdict = selected.isNoneInDirectoryInterpretation === true ? 'never' : 'always';
    return { verdict, why, withoutEffect: [] };
  }
  if (selected.verdict === 'unknown' || notSelected.verdict === 'unknown')
    return { verdict: 'unknown', why: [...new Set(why)], withoutEffect: [] };
  const withoutEffect =
    rule.kind === 'expression' && !dependsOnTime
      ? redundantClauses(rule.expression, rule.text, prover)
      : [];
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

/** Returns the whole expression with another one in place of a certain part. */
type ReplacePart = (part: RuleExpression) => RuleExpression;

function redundantClauses(
  whole: RuleExpression,
  text: string,
  prover: RuleProver,
): RedundantClause[] {
  const redundant: RedundantClause[] = [];
  let current = whole;
  visit(whole, (part) => part);
  return redundant.reverse();

  /** Removes redundant parts, later ones first. @returns what remains of the node */
  function visit(node: RuleExpression, replaceIn: ReplacePart): RuleExpression {
    switch (node.kind) {
      case 'and':
      case 'or':
        return visitOperands(node, replaceIn);
      case 'not':
        return {
          ...node,
          operand: visit(node.operand, (operand) => replaceIn({ ...node, operand })),
        };
      case 'any':
      case 'all':
        return {
          ...node,
          predicate: visit(node.predicate, (predicate) => replaceIn({ ...node, predicate })),
        };
      case 'compare':
        return node;
    }
  }

  function visitOperands(
    node: Extract<RuleExpression, { kind: 'and' | 'or' }>,
    replaceIn: ReplacePart,
  ): RuleExpression {
    let remaining = [...node.operands];
    for (let operandIndex = remaining.length - 1; operandIndex >= 0; operandIndex--) {
      const operand = remaining[operandIndex] as RuleExpression;
      const others = remaining.filter((_each, index) => index !== operandIndex);
      const [only] = others;
      const without =
        others.length === 1 && only !== undefined ? only : { ...node, operands: others };
      if (others.length > 0 && prover.isEquivalent(current, replaceIn(without))) {
        redundant.push({
          start: operand.start,
          end: operand.end,
          text: text.slice(operand.start, operand.end),
          why:
            node.kind === 'or'
              ? 'everyone whom it selects is selected without it'
              : 'everyone whom the rest selects fulfils it',
        });
        remaining = others;
        current = replaceIn(without);
        continue;
      }
      remaining[operandIndex] = visit(operand, (part) =>
        replaceIn({
          ...node,
          operands: remaining.map((each, index) => (index === operandIndex ? part : each)),
        }),
      );
    }
    const [only] = remaining;
    return remaining.length === 1 && only !== undefined ? only : { ...node, operands: remaining };
  }
}
