import type { ErrorObject } from 'ajv';
import { compiler, schemasToCompile, type ValidatorName } from './compiler.js';

/** A compiled schema: whether a value is valid, and its mistakes. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

const compiled = new Map<ValidatorName, Validator>();

/**
 * The validator of a section's declarations, or of the stack without them, compiled on first use.
 * The build replaces this module by compiled code: see scripts/build.sh.
 */
export function validatorOf(name: ValidatorName): Validator {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const validator = compiler().compile(schemasToCompile()[name]) as Validator;
  compiled.set(name, validator);
  return validator;
}
