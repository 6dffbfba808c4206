import { CastellanError } from '../../../core/errors/castellan-error.js';
import { stackSchema } from '../../../kinds/stack/schema.js';

const pattern = new RegExp(stackSchema.properties.stack.pattern ?? '');

/** Whether a configuration may give its stack this name. */
export function isStackName(name: string): boolean {
  return pattern.test(name);
}

/** Refuses a `--stack` that no configuration may have. @throws CAS8001 */
export function requireStackName(name: string): void {
  if (!isStackName(name))
    throw new CastellanError(
      'CAS8001',
      `--stack ${JSON.stringify(name)}: the name of a stack has at most 63 letters, digits and hyphens, and begins with a letter`,
    );
}
