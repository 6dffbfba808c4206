import { omitUndefined } from '../../core/values/omit-undefined.js';
import { editorNodeSchema } from '../eventstream/editor-nodes.js';
import type { NodeListName } from '../eventstream/nodes/index.js';
import { stackSchema } from './schema.js';

const environmentReference = '\\$\\{env:[A-Za-z_][A-Za-z0-9_]*\\}';
/** What stands for a text: a variable, or the name of the stack or of its environment. */
const textReference = `(${environmentReference}|\\$\\{castellan\\.(environment|stack)\\})`;
/** What limits a text, and says nothing about one with a reference in it. */
const limitsOfTexts = ['pattern', 'minLength', 'maxLength'];

type Schema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema (draft 2020-12) for editors, which `castellan schema` prints: that of castellan.yaml,
 * with `${env:NAME}` allowed for any text, number or boolean, and `${castellan.stack}` and
 * `${castellan.environment}` in any text.
 *
 * @example
 * writeFileSync('castellan.schema.json', JSON.stringify(editorSchema()));
 */
export function editorSchema(): Schema {
  return toEditorSchema(stackSchema as unknown as Schema);
}

function toEditorSchema(schema: Schema): Schema {
  if (schema['x-nodes'] !== undefined)
    return toEditorSchema(editorNodeSchema(schema['x-nodes'] as NodeListName));
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key.startsWith('x-')) continue; // castellan's own keywords, which editors do not know
    copy[key] =
      key === 'properties' || key === 'patternProperties'
        ? convertProperties(value as Record<string, Schema>)
        : convertNested(value);
  }
  return allowReferences(copy);
}

function convertProperties(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, toEditorSchema(schema)]),
  );
}

function convertNested(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => convertNested(each));
  return value !== null && typeof value === 'object' && !isEmptyObject(value)
    ? toEditorSchema(value as Schema)
    : value;
}

function isEmptyObject(value: object): boolean {
  return Object.keys(value).length === 0;
}

function allowReferences(schema: Record<string, unknown>): Schema {
  const types = [schema['type']].flat().map(String);
  const isText = types.includes('string');
  if (isText && schema['enum'] === undefined) return allowReferencesInText(schema);
  if (!types.some((type) => ['string', 'number', 'integer', 'boolean'].includes(type)))
    return schema;
  const { description, default: defaultValue, ...constraints } = schema;
  const reference = isText ? textReference : environmentReference;
  return {
    ...omitUndefined({ description, default: defaultValue }),
    anyOf: [constraints, { type: 'string', pattern: `^${reference}$` }],
  };
}

function allowReferencesInText(schema: Record<string, unknown>): Schema {
  const isLimit = ([key]: [string, unknown]): boolean => limitsOfTexts.includes(key);
  const entries = Object.entries(schema);
  const limits = Object.fromEntries(entries.filter(isLimit));
  if (Object.keys(limits).length === 0) return schema;
  return {
    ...Object.fromEntries(entries.filter((entry) => !isLimit(entry))),
    anyOf: [limits, { pattern: textReference }],
  };
}
