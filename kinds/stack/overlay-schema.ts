import { omitUndefined } from '../../core/values/omit-undefined.js';
import { editorSchema } from './editor-schema.js';

type Schema = Readonly<Record<string, unknown>>;

/** What judges a map as a whole, of which an overlay has a part. */
const rulesOfWholeMaps: ReadonlySet<string> = new Set([
  'required',
  'minProperties',
  'maxProperties',
  'allOf',
  'if',
  'then',
  'else',
]);

/**
 * The JSON Schema for editors of an overlay, such as castellan.prod.yaml: that of castellan.yaml, with
 * any part of a map taken, and null for what is removed. Lists replace others, so they are complete.
 */
export function overlaySchema(): Schema {
  return {
    ...partialSchema(editorSchema()),
    $id: 'https://castellan.dev/schemas/castellan-overlay-1.json',
    title: 'an overlay of castellan.yaml',
  };
}

function partialSchema(schema: Schema): Schema {
  const partial: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (rulesOfWholeMaps.has(key)) continue;
    if (key === 'properties' || key === 'patternProperties')
      partial[key] = Object.fromEntries(
        Object.entries(value as Record<string, Schema>).map(([name, each]) => [
          name,
          nullablePartialSchema(each),
        ]),
      );
    else if (key === 'additionalProperties' && typeof value === 'object')
      partial[key] = nullablePartialSchema(value as Schema);
    else if (key === 'anyOf') partial[key] = (value as readonly Schema[]).map(partialSchema);
    else partial[key] = value;
  }
  return partial;
}

function nullablePartialSchema(schema: Schema): Schema {
  const { description, ...rest } = partialSchema(schema);
  return { ...omitUndefined({ description }), anyOf: [rest, { type: 'null' }] };
}
