import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import Ajv from 'ajv/dist/2020.js';
import type { Rule, RuleContext } from '../engine/rule.js';
import type { PackConfig } from '../../kinds/policy/schema.js';
import { type Section, sections } from '../../kinds/stack/schema.js';
import { checkRuleId } from './guard-rule.js';

interface OwnSchema {
  readonly $id?: string;
  readonly title?: string;
  readonly description?: string;
}

/** A rule that holds every declaration of a section against a JSON Schema of one's own. */
export function schemaRule(file: string, pack: PackConfig): Rule {
  const { resources } = pack;
  const schema = JSON.parse(readFileSync(file, 'utf8')) as OwnSchema;
  if (resources === undefined && (pack.section === undefined || !Object.hasOwn(sections, pack.section)))
    throw new Error(
      `say by resources which Terraform types the schema is for, or by section which declarations: ${Object.keys(sections).join(', ')}`,
    );
  const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
  const id = pack.id ?? checkRuleId(basename(file).replace(/(\.schema)?\.json$/, ''));
  return {
    id,
    title: pack.title ?? schema.title ?? `Declarations satisfy ${basename(file)}.`,
    why: schema.description ?? 'A schema of your own demands it.',
    severity: pack.severity ?? 'error',
    source: basename(file),
    sections: pack.section === undefined ? [] : [pack.section as Section],
    ...(resources === undefined ? {} : { resources, checkResource: ({ values }, context) => judge(values, context.report) }),
    messages: { schema: '{property} {reason}' },
    check: ({ value }, context) => judge(value, context.report),
  };

  function judge(value: unknown, report: RuleContext['report']): void {
    if (validate(value)) return;
    for (const { instancePath, message, params } of validate.errors ?? []) {
      const path = instancePath
        .split('/')
        .slice(1)
        .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll('~1', '/').replaceAll('~0', '~')));
      const missing = (params as { missingProperty?: string }).missingProperty;
      const property = path.length === 0 ? 'this declaration' : path.join('.');
      report({
        messageId: 'schema',
        path: missing === undefined ? path : [...path, missing],
        parameters: { property, reason: message ?? 'is not allowed' },
      });
    }
  }
}
