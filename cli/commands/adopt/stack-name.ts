import { CastellanError } from '../../../core/errors/castellan-error.js';
import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { stackSchema } from '../../../kinds/stack/schema.js';

/** Whether a configuration may give its stack this name. */
export function isStackName(name: string): boolean {
  return mistakeIn(stackSchema.properties.stack, name) === undefined;
}

/** Refuses a `--stack` that no configuration may have. @throws CAS8001 */
export function requireStackName(name: string): void {
  const mistake = mistakeIn(stackSchema.properties.stack, name);
  if (mistake !== undefined)
    throw new CastellanError('CAS8001', `--stack ${JSON.stringify(name)}: ${mistake.message}`);
}
