import { isLoopback } from '../values/loopback.js';

/** The target of a stack: the cloud, or the local sandbox, which needs further settings. */
export type Target = 'azure' | 'sandbox';

/**
 * The target of a command: the sandbox if the commands of `castellan sandbox env` were run (or
 * `CASTELLAN_TARGET=sandbox` is set), otherwise the cloud.
 */
export function targetOf(env: Readonly<Record<string, string | undefined>>): Target {
  const value = env['CASTELLAN_TARGET'];
  if (value === 'azure' || value === 'sandbox') return value;
  if (env['TF_REATTACH_PROVIDERS']?.includes('castellan/castellan') === true) return 'sandbox';
  return isLoopback(env['ARM_METADATA_HOSTNAME']?.replace(/:\d+$/, '') ?? '') ? 'sandbox' : 'azure';
}
