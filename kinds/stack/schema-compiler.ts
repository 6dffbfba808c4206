import Ajv, { type Options } from 'ajv/dist/2020.js';
import { metadataKeyword } from '../schema/property-metadata.js';
import { policySchema } from '../policy/schema.js';
import { type Section, sections, stackSchema } from './schema.js';

/**
 * The values that are validated separately: a declaration of a section, or the stack around the
 * declarations.
 */
export type SchemaName = Section | 'stack' | 'policy';

/** Creates the compiler of schemas, with the same settings at run time and in a build. */
export function createCompiler(options: Options = {}): Ajv {
  return new Ajv({
    ...options,
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    keywords: ['x-references', 'x-by-name', 'x-secret', metadataKeyword, 'x-name', 'x-nodes'],
  });
}

/**
 * The schema of the stack without its declarations: these are validated one by one, which keeps
 * errors few and time linear.
 */
function stackWithoutDeclarations(): Record<string, unknown> {
  const {
    $id: _id,
    properties,
    ...rest
  } = stackSchema as unknown as {
    $id: string;
    properties: Record<string, Record<string, unknown>>;
  };
  const propertiesWithoutDeclarations = { ...properties };
  for (const section of Object.keys(sections)) {
    const { patternProperties, ...schema } = properties[section] as {
      patternProperties: Record<string, unknown>;
    };
    propertiesWithoutDeclarations[section] = {
      ...schema,
      patternProperties: Object.fromEntries(
        Object.keys(patternProperties).map((pattern) => [pattern, {}]),
      ),
    };
  }
  return { ...rest, properties: propertiesWithoutDeclarations };
}

/** Every schema that is validated by itself, by its name. */
export function schemasToCompile(): Readonly<Record<SchemaName, object>> {
  return { stack: stackWithoutDeclarations(), policy: policySchema, ...sections };
}
