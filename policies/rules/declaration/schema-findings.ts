import type { Finding } from '../../../core/findings/finding.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import { metadataOf } from '../../../kinds/schema/property-metadata.js';
import { propertyValue } from './schema-rules.js';
import { type StackConfig, stackSchema } from '../../../kinds/stack/schema.js';
import { type Locate, makeUnknownFinding, type Subject } from '../../engine/finding-maker.js';
import type { UnknownValueCounts } from '../../engine/unknown-value-counts.js';
import type { Rule } from '../../engine/rule.js';
import { schemaAt, type SchemaNode } from '../../engine/schema-paths.js';
import { startsWith } from '../../engine/stack-index.js';
import { schemaMistakes, valueAt } from '../../engine/schema-validation.js';
import { findReportingRule } from './reporting-rule.js';
import { type ValidatedValue, mistakeFinding, secretBelowWrongName } from './schema-reports.js';

/**
 * The mistakes found by the schema, each reported by the rule whose `reportsSchemaMistakesOf` has
 * its path, or by a rule about all properties.
 *
 * @param unknownCounts counts unknown values, if there may be too many to list.
 */
export function schemaFindings(
  validated: ValidatedValue,
  rules: readonly Rule[],
  locate: Locate,
  unknownCounts?: UnknownValueCounts,
): readonly Finding[] {
  const mistakes = schemaMistakes(validated.section, validated.value);
  if (mistakes.length === 0) return [];
  const findings: Finding[] = [];
  const reportedKeys = new Set<string>();
  for (const mistake of mistakes) {
    const { rule, reported } = findReportingRule(validated.section, mistake, rules);
    // a key is known even if its value is not
    const place =
      mistake.keyword === 'additionalProperties' ? mistake.path.slice(0, -1) : mistake.path;
    const unknownPath = validated.unknownPaths.find((path) => startsWith(place, path));
    if (
      unknownPath !== undefined &&
      rule === undefined &&
      containsIdentifiers(schemaAt(validated.schema, unknownPath))
    )
      continue;
    if (
      unknownPath !== undefined &&
      unknownCounts?.countIfListIsFull(rule ?? propertyValue, unknownPath, validated.subject) ===
        true
    )
      continue;
    const finding =
      unknownPath === undefined
        ? mistakeFinding(rule, mistake, validated, locate, reported)
        : makeUnknownFinding(
            rule ?? propertyValue,
            { path: unknownPath, value: valueAt(validated.value, unknownPath) },
            validated.subject,
            locate,
          );
    const key = `${finding.ruleId} ${finding.message} ${JSON.stringify(finding.path)}`;
    if (!reportedKeys.has(key)) findings.push(finding);
    reportedKeys.add(key);
    const isKnown = !validated.unknownPaths.some((path) => startsWith(path, mistake.path));
    const secretFinding = isKnown ? secretBelowWrongName(mistake, validated, locate) : undefined;
    if (secretFinding !== undefined) findings.push(secretFinding);
  }
  return findings;
}

/**
 * Whether a property contains ids or the names of other declarations, whose form the services
 * decide.
 */
function containsIdentifiers(schema: SchemaNode | undefined): boolean {
  const each = schema?.items ?? schema;
  return (
    each !== undefined &&
    (each['x-references'] !== undefined || metadataOf(each).referencesGeneratedId === true)
  );
}

/** The mistakes in one setting of a stack, such as the expiration policy of its groups. */
export function settingFindings(
  setting: keyof StackConfig,
  {
    value,
    unknownPaths,
    origin,
  }: Pick<ValidatedValue, 'value' | 'unknownPaths'> & Pick<Subject, 'origin'>,
  rules: readonly Rule[],
  locate: Locate,
): readonly Finding[] {
  const validated = {
    section: 'stack',
    value: { version: 1, stack: 'alone', [setting]: value },
    unknownPaths: unknownPaths.map((path) => [setting, ...path]),
    schema: stackSchema as unknown as SchemaNode,
    subject: { path: [], origin },
  } as const;
  return schemaFindings(validated, rules, locate);
}

/** The unknown values that rules need; not those below an unknown key, which no rule reads. */
export function unknownPathsForRules(
  unknownPaths: readonly ConfigPath[],
  mistakes: readonly Finding[],
): readonly ConfigPath[] {
  if (unknownPaths.length === 0) return unknownPaths;
  const unknownKeys = mistakes.filter(isAboutKey).map(({ path = [] }) => path.slice(2));
  return unknownPaths.filter((path) => !unknownKeys.some((stray) => startsWith(path, stray)));
}

function isAboutKey({ ruleId, messageId }: Finding): boolean {
  return ruleId === 'property-unknown' || (ruleId === 'property-value' && messageId === 'name');
}
