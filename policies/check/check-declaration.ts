import type { Finding } from '../../core/findings/finding.js';
import { rules } from '../rules/index.js';
import { type Section, sections } from '../../kinds/stack/schema.js';
import { withoutRepeats } from '../engine/finding-maker.js';
import { runRules } from '../engine/run-rules.js';
import { schemaFindings } from '../rules/schema-findings.js';
import type { SchemaNode } from '../engine/schema-paths.js';
import { type Declaration, type Origin, StackIndex } from '../engine/stack-index.js';
import { effectiveValue } from '../engine/unknowns.js';

/** What is known of a declaration that no file declares. */
export interface DeclarationOptions extends Origin {
  /** Whether a value is known only after apply, such as a token of the synthesis: it passes, with the verdict `unknown`. */
  readonly isUnknown?: (value: unknown) => boolean;
  /** Where `${env:NAME}` is looked up. @default nothing is known */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The time that dates are held against. @default now */
  readonly now?: Date;
}

/**
 * Checks one declaration by itself, as a construct does when it is created: the schema, and the rules that look at nothing else.
 * What a name refers to, and how declarations fit together, is checked where the whole stack is known.
 *
 * @example checkDeclaration('groups', 'shoppers', { kind: 'unified', displayName: 'Shoppers', mailNickname: 'sho ppers' })
 * @returns findings with the same ids, messages and fingerprints as those of the same declaration in YAML.
 */
export function checkDeclaration(section: Section, name: string, value: unknown, options: DeclarationOptions = {}): readonly Finding[] {
  const schema = sections[section] as unknown as SchemaNode;
  const knowledge = options.isUnknown === undefined ? { env: options.env ?? {} } : { env: options.env ?? {}, isUnknown: options.isUnknown };
  const effective = effectiveValue(value, schema, knowledge);
  const { isUnknown: _isUnknown, env: _env, now, ...origin } = options;
  const subject = { path: [section, name], origin };
  const locate = () => undefined;
  const mistakes = schemaFindings({ section, schema, subject, ...effective }, rules, locate);
  if (mistakes.some(({ ruleId, verdict }) => ruleId === 'property-type' && verdict === 'fail')) return mistakes;
  const declaration = { section, name, origin, ...effective } as Declaration;
  const index = new StackIndex({}, [declaration], () => [], locate);
  return withoutRepeats([...mistakes, ...runRules(index, rules, { scope: 'declaration', ...(now === undefined ? {} : { now }) })]);
}
