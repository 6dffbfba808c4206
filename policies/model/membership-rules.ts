import { type MembershipRule, parseMembershipRule } from '../../kinds/membership-rule/index.js';
import { analyzeRule, type RuleAnalysis } from '../../kinds/membership-rule/prove/index.js';

/** The rule of a declared group, and where it is declared. */
export interface DeclaredRule {
  readonly rule: MembershipRule;
  /** Relative to the group. */
  readonly path: readonly string[];
}

/** The part of a group that declares its rule. */
interface RuleDeclaration {
  readonly dynamicMembership?: { readonly rule?: unknown };
  readonly membershipRule?: unknown;
}

/** The rule of a group as it is written; undefined where it has none. */
export function declaredRuleText({
  dynamicMembership,
  membershipRule,
}: RuleDeclaration): string | undefined {
  const text = dynamicMembership?.rule ?? membershipRule;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** The rule of a group; undefined where it has none that can be read. */
export function ruleOfGroup(declared: RuleDeclaration): DeclaredRule | undefined {
  const text = declaredRuleText(declared);
  if (text === undefined) return undefined;
  const { rule } = parseMembershipRule(text);
  const path =
    declared.dynamicMembership?.rule === undefined
      ? ['membershipRule']
      : ['dynamicMembership', 'rule'];
  return rule === undefined ? undefined : { rule, path };
}

/** The limit of work for each rule, in steps of the prover; low, since a check has many rules. */
export const effortOfCheck = 50_000;
/** The most analyses that are kept in memory. */
const maxCachedAnalyses = 2_000;
const analyses = new Map<string, RuleAnalysis>();

/**
 * The analysis of a rule, cached; for rules that compare with the time, for one time only: editors
 * check the same rules again and again.
 */
export function analysisOf(rule: MembershipRule, now: Date): RuleAnalysis {
  const dependsOnTime = /system\.now/i.test(rule.text);
  const key = dependsOnTime ? `${String(now.getTime())} ${rule.text}` : rule.text;
  const cached = analyses.get(key);
  if (cached !== undefined) return cached;
  if (analyses.size >= maxCachedAnalyses) analyses.clear();
  const analysis = analyzeRule(rule, { now: now.getTime(), effort: effortOfCheck });
  analyses.set(key, analysis);
  return analysis;
}
