import { omitUndefined } from '../../core/values/omit-undefined.js';
import { editorNodeSchema } from '../eventstream/editor-nodes.js';
import type { NodeList } from '../eventstream/nodes/index.js';
import { stackSchema } from './schema.js';

/** A reference to an environment variable anywhere in a text. */
const environmentReference = '\\$\\{env:[A-Za-z_][A-Za-z0-9_]*\\}';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema (draft 2020-12) for editors, which `castellan schema` prints: that of castellan.yaml,
 * with `${env:NAME}` allowed for any text, number or boolean.
 *
 * @example
 * writeFileSync('castellan.schema.json', JSON.stringify(editorSchema()));
 */
export function editorSchema(): Schema {
  return toEditorSchema(stackSchema as unknown as Schema);
}

function toEditorSchema(schema: Schema): Schema {
  if (schema['x-nodes'] !== undefined)
    return toEditorSchema(editorNodeSchema(schema['x-nodes'] as NodeList));
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key.startsWith('x-')) continue; // castellan's own keywords, which editors do not know
    copy[key] =
      key === 'properties' || key === 'patternProperties'
        ? convertProperties(value as Record<string, Schema>)
        : convertNested(value);
  }
  return allowEnvironmentReference(copy);
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

function allowEnvironmentReference(schema: Record<string, unknown>): Schema {
  const types = [schema['type']].flat().map(String);
  if (types.includes('string') && typeof schema['pattern'] === 'string')
    return { ...schema, pattern: `(${schema['pattern']})|(${environmentReference})` };
  const { description, default: defaultValue, ...constraints } = schema;
  if (!types.some((type) => ['string', 'number', 'integer', 'boolean'].includes(type)))
    return schema;
  if (types.includes('string') && schema['enum'] === undefined) return schema;
  return {
    ...omitUndefined({ description, default: defaultValue }),
    anyOf: [constraints, { type: 'string', pattern: `^${environmentReference}$` }],
  };
}
