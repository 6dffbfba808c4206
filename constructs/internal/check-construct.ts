import { CastellanError } from '../../core/errors/castellan-error.js';
import type { Finding, SourceLocation } from '../../core/findings/finding.js';
import { checkDeclaration } from '../../policies/check/check-declaration.js';
import type { SchemaNode } from '../../policies/engine/schema-paths.js';
import { effectiveValue } from '../../policies/engine/effective-value.js';
import { type Section, sections, stackSchema } from '../../kinds/index.js';
import { rules } from '../../policies/rules/index.js';
import { settingFindings } from '../../policies/rules/declaration/schema-findings.js';
import { Token } from './cdktf.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

/** A declaration, and where it was created. */
export interface CheckedDeclaration {
  readonly section: Section;
  /** The name for references from other declarations. */
  readonly name: string;
  /** Its properties; a reference is the name of its target. */
  readonly value: Readonly<Record<string, unknown>>;
  /** The line that created its construct; undefined if it is not known. */
  readonly location: SourceLocation | undefined;
  /** The line that created the outermost construct of a library around its construct. */
  readonly usedAt?: SourceLocation | undefined;
  readonly constructPath: string;
  /** The name of its resources in Terraform, if it differs. */
  readonly terraformName: string | undefined;
}

/**
 * Checks a declaration by the same schemas and rules as castellan.yaml. Tokens, the values known
 * only after apply, pass with the verdict `unknown`.
 */
export function checkConstruct({
  section,
  name,
  value,
  location,
  usedAt,
  constructPath,
  terraformName,
}: CheckedDeclaration): readonly Finding[] {
  return checkDeclaration(section, name, value, {
    isUnknown,
    constructPath,
    ...omitUndefined({ location, usedAt, terraformName }),
  });
}

/**
 * Checks a setting of the stack by its schema, as in castellan.yaml.
 *
 * @throws CAS2001 when a limit is violated.
 */
export function checkStackSetting(
  setting: 'groupLifecyclePolicy',
  value: object,
  place: Pick<CheckedDeclaration, 'constructPath' | 'location'>,
): void {
  const { value: knownValue, unknownPaths } = effectiveValue(
    value,
    stackSchema.properties[setting] as unknown as SchemaNode,
    {
      env: {},
      isUnknown,
    },
  );
  throwIfInvalid(
    settingFindings(
      setting,
      { value: knownValue, unknownPaths, origin: {} },
      rules,
      () => place.location,
    ),
    place,
  );
}

/**
 * Refuses a declaration with errors.
 *
 * @throws CAS2001 with the findings.
 */
export function throwIfInvalid(
  findings: readonly Finding[],
  { constructPath, location }: Pick<CheckedDeclaration, 'constructPath' | 'location'>,
): void {
  const failures = findings.filter(
    ({ verdict, severity }) => verdict === 'fail' && severity === 'error',
  );
  if (failures.length === 0) return;
  const place =
    location === undefined ? '' : ` at ${location.file}:${location.line}:${location.column}`;
  const lines = failures.map(({ message, ruleId }) => `  ${message} (${ruleId})`);
  throw new CastellanError('CAS2001', `${constructPath}${place}:\n${lines.join('\n')}`, {
    details: { findings: failures },
  });
}

/** The paths of values in a declaration that are known only after apply. */
export function unknownPathsOf(
  section: Section,
  value: unknown,
): readonly (readonly (string | number)[])[] {
  return effectiveValue(value, sections[section] as unknown as SchemaNode, { env: {}, isUnknown })
    .unknownPaths;
}

/** Whether a value is known only after apply. */
export function isUnknown(value: unknown): boolean {
  return Token.isUnresolved(value);
}
