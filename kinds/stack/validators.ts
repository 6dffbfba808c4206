import type { ErrorObject } from 'ajv';
import { compiler, schemasToCompile, type ValidatorName } from './compiler.js';

/** A compiled schema: whether a value satisfies it, and what is wrong. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

const compiled = new Map<ValidatorName, Validator>();

/**
 * The validator of a section's declarations, or of the stack without them, each compiled when it is first asked for. A build puts
 * compiled code in this module's place: see scripts/build.sh.
 */
export function validatorOf(name: ValidatorName): Validator {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const validator = compiler().compile(schemasToCompile()[name]) as Validator;
  compiled.set(name, validator);
  return validator;
}
