import type { ErrorObject } from 'ajv';
import { createCompiler, schemasToCompile, type SchemaName } from './schema-compiler.js';

/** A compiled schema: whether a value is valid, and its mistakes. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

const compiledValidators = new Map<SchemaName, Validator>();

/**
 * The validator of a section's declarations, or of the stack without them, compiled on first use.
 * The build replaces this module by compiled code: see scripts/build.sh.
 */
export function validatorOf(name: SchemaName): Validator {
  const existing = compiledValidators.get(name);
  if (existing !== undefined) return existing;
  const validator = createCompiler().compile(schemasToCompile()[name]) as Validator;
  compiledValidators.set(name, validator);
  return validator;
}
