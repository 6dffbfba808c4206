import type { Finding } from '../../core/findings/finding.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { rules } from '../rules/index.js';
import { type Section, sections } from '../../kinds/stack/schema.js';
import { withoutRepeats } from '../engine/finding-maker.js';
import { runRules } from '../engine/run-rules.js';
import { schemaFindings } from '../rules/declaration/schema-findings.js';
import type { SchemaNode } from '../engine/schema-paths.js';
import { type Declaration, type Origin, StackIndex } from '../engine/stack-index.js';
import { effectiveValue } from '../engine/effective-value.js';

/** Where a declaration that is in no file was made, and what is known when it is checked. */
export interface DeclarationOptions extends Origin {
  /**
   * Whether a value is known only after apply, such as a token of the synthesis; such values pass
   * with the verdict `unknown`.
   */
  readonly isUnknown?: (value: unknown) => boolean;
  /** Resolves `${env:NAME}`. @default no variables */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The current time, for date checks. @default now */
  readonly now?: Date;
}

/**
 * Checks one declaration by itself, as a construct does when it is created: the schema, and the
 * rules of scope `declaration`. References, and rules that combine declarations, are checked with
 * the whole stack.
 *
 * @example
 * checkDeclaration('groups', 'shoppers', {
 *   kind: 'unified',
 *   displayName: 'Shoppers',
 *   mailNickname: 'sho ppers',
 * });
 * @returns findings with the same ids, messages and fingerprints as for the same declaration in
 * YAML.
 */
export function checkDeclaration(
  section: Section,
  name: string,
  value: unknown,
  options: DeclarationOptions = {},
): readonly Finding[] {
  const schema = sections[section] as unknown as SchemaNode;
  const knowledge =
    options.isUnknown === undefined
      ? { env: options.env ?? {} }
      : { env: options.env ?? {}, isUnknown: options.isUnknown };
  const resolved = effectiveValue(value, schema, knowledge);
  const { isUnknown: _isUnknown, env: _env, now, ...origin } = options;
  const subject = { path: [section, name], origin };
  const locate = () => undefined;
  const fromSchema = schemaFindings({ section, schema, subject, ...resolved }, rules, locate);
  if (fromSchema.some(({ ruleId, verdict }) => ruleId === 'property-type' && verdict === 'fail'))
    return fromSchema;
  const declaration = { section, name, origin, ...resolved } as Declaration;
  const index = new StackIndex({}, [declaration], () => [], locate);
  return withoutRepeats([
    ...fromSchema,
    ...runRules(index, rules, { scope: 'declaration', ...omitUndefined({ now }) }),
  ]);
}
