import Ajv from 'ajv/dist/2020.js';
import type { ErrorObject } from 'ajv';
import type { Section } from './stack.js';
import { sections, stackSchema } from './stack.js';

/** A compiled schema: whether a value satisfies it, and what is wrong. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

/** What can be validated by itself: a declaration of a section, or the stack around the declarations. */
export type ValidatorName = Section | 'stack';

const compiled = new Map<ValidatorName, Validator>();

/**
 * The validator of a section's declarations, or of the stack without them, each compiled when it is first asked for. A build puts
 * compiled code in this module's place: see scripts/build.sh.
 */
export function validatorOf(name: ValidatorName): Validator {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const validator = compiler().compile(name === 'stack' ? stackFrame() : sections[name]) as Validator;
  compiled.set(name, validator);
  return validator;
}

/** The compiler's settings, the same at run time and in a build. */
export function compiler(): Ajv {
  return new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, keywords: ['x-references', 'x-secret'] });
}

/** The schema of the stack with its declarations left open: those are validated one by one, which keeps errors few and time linear. */
export function stackFrame(): Record<string, unknown> {
  const { $id: _id, properties, ...rest } = stackSchema as unknown as { $id: string; properties: Record<string, Record<string, unknown>> };
  const frame = { ...properties };
  for (const section of Object.keys(sections)) {
    const { patternProperties, ...schema } = properties[section] as { patternProperties: Record<string, unknown> };
    frame[section] = { ...schema, patternProperties: Object.fromEntries(Object.keys(patternProperties).map((names) => [names, {}])) };
  }
  return { ...rest, properties: frame };
}
