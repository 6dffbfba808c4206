import { CastellanError } from '../errors/castellan-error.js';
import { isLoopback } from '../values/loopback.js';

/** The target of a stack: the cloud, or the local sandbox, which needs further settings. */
export type Target = 'azure' | 'sandbox';

/**
 * The target of a command: the value of `CASTELLAN_TARGET`; else the sandbox if the commands of
 * `castellan sandbox env` were run, otherwise the cloud. An empty variable counts as unset.
 *
 * @throws CAS2014 for another value than `azure` and `sandbox`: a typo must not choose the cloud.
 */
export function targetOf(env: Readonly<Record<string, string | undefined>>): Target {
  const value = env['CASTELLAN_TARGET'];
  if (value === 'azure' || value === 'sandbox') return value;
  if (value)
    throw new CastellanError(
      'CAS2014',
      `CASTELLAN_TARGET is "${value}": allowed are azure and sandbox`,
    );
  if (env['TF_REATTACH_PROVIDERS']?.includes('castellan/castellan') === true) return 'sandbox';
  return isLoopback(env['ARM_METADATA_HOSTNAME']?.replace(/:\d+$/, '') ?? '') ? 'sandbox' : 'azure';
}
