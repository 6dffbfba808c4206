import { analyzeRule, type RuleAnalysis } from '../../kinds/membership-rule/prove/index.js';
import { parseMembershipRule } from '../../kinds/membership-rule/index.js';
import { declaredRuleText } from '../../policies/model/membership-rules.js';
import type { ResolvedStack } from './access-stacks.js';

/** What the rule of a group selects, of all possible people. */
export interface ListedGroupRule extends RuleAnalysis {
  /** The stack's name of the group. */
  readonly group: string;
  readonly stack: string;
  readonly rule: string;
}

/**
 * Analyses the rules of the groups of stacks.
 *
 * @param options the time that rules compare dates with, and the limit of work
 */
export function listGroupRules(
  stacks: readonly ResolvedStack[],
  options: Parameters<typeof analyzeRule>[1],
): readonly ListedGroupRule[] {
  return stacks.flatMap(({ config }) =>
    Object.entries(config.groups ?? {}).flatMap(([group, declared]) => {
      const text = declaredRuleText(declared);
      return text === undefined
        ? []
        : [{ group, stack: config.stack, rule: text, ...analyzeRuleText(text, options) }];
    }),
  );
}

function analyzeRuleText(text: string, options: Parameters<typeof analyzeRule>[1]): RuleAnalysis {
  const { rule, error } = parseMembershipRule(text);
  if (rule !== undefined) return analyzeRule(rule, options);
  return {
    verdict: 'unknown',
    why: [`the rule can't be read: ${error.message}`],
    withoutEffect: [],
  };
}

/** The analyses as JSON. */
export function groupRulesData(rules: readonly ListedGroupRule[]): object {
  return {
    rules: rules.map(({ group, stack, rule, verdict, why, withoutEffect }) => ({
      group,
      stack,
      rule,
      verdict,
      withoutEffect: withoutEffect.map(({ text }) => text),
      ...(why.length !== 0 && { reasons: why }),
    })),
  };
}

const verdictTexts = {
  never: 'selects nobody, whatever their attributes',
  always: 'selects everybody, whatever their attributes',
  some: 'selects some',
  unknown: 'not known',
} as const;

/** The analyses as text. */
export function groupRulesText(rules: readonly ListedGroupRule[]): string {
  if (rules.length === 0) return 'No group has a membership rule.\n';
  return rules
    .flatMap(({ group, rule, verdict, why, withoutEffect }) => [
      `${group}: ${verdictTexts[verdict]}: ${rule}`,
      ...why.map((reason) => `  ? ${reason}`),
      ...withoutEffect.map(({ text, why: reason }) => `  changes nothing: ${text}: ${reason}`),
    ])
    .map((line) => `${line}\n`)
    .join('');
}
