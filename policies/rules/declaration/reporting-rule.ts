import type { SchemaName } from '../../../kinds/stack/schema-compiler.js';
import type { ReportedMistakes, Rule } from '../../engine/rule.js';
import type { SchemaMistake } from '../../engine/schema-validation.js';

/** The keywords whose mistakes a rule reports only if it names them. */
const keywordsReportedOnlyIfNamed = new Set(['required', 'additionalProperties', 'type']);

/** A rule, and the mistakes that it reports at one path. */
interface ReportingRule {
  readonly rule: Rule;
  readonly reported: ReportedMistakes;
}

/** The rule that reports a mistake of the schema; neither it nor `reported` if none does. */
export function findReportingRule(
  section: SchemaName,
  { keyword, path }: SchemaMistake,
  rules: readonly Rule[],
): Partial<ReportingRule> {
  const match = reportingRulesOf(section, rules).find(({ reported: { keywords }, steps }) => {
    if (steps.length !== path.length) return false;
    if (
      keywords === undefined
        ? keywordsReportedOnlyIfNamed.has(keyword)
        : !keywords.includes(keyword)
    )
      return false;
    return steps.every((step, index) => step === '*' || step === String(path[index]));
  });
  return match ?? {};
}

/** With the steps of the path that it reports, of which `*` stands for any step. */
type ReportingRuleAtPath = ReportingRule & { readonly steps: readonly string[] };

const cache = new WeakMap<readonly Rule[], Map<SchemaName, readonly ReportingRuleAtPath[]>>();

/**
 * The rules of a section that report mistakes of the schema, once for each path; cached by list of
 * rules, since a plan needs them for every resource.
 */
function reportingRulesOf(
  section: SchemaName,
  rules: readonly Rule[],
): readonly ReportingRuleAtPath[] {
  const bySection = cache.get(rules) ?? new Map<SchemaName, readonly ReportingRuleAtPath[]>();
  cache.set(rules, bySection);
  const cached = bySection.get(section);
  if (cached !== undefined) return cached;
  const rulesOfSection = rules.filter(({ sections }) => sections.some((own) => own === section));
  const reportingRules = rulesOfSection.flatMap((rule) =>
    (rule.reportsSchemaMistakesOf ?? []).map((entry) => {
      const reported = typeof entry === 'string' ? { path: entry } : entry;
      return { rule, reported, steps: reported.path.split('.') };
    }),
  );
  bySection.set(section, reportingRules);
  return reportingRules;
}
