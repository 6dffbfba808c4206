import { isLoopback } from '../core/values/loopback.js';

/** The target of a stack: the cloud, or the local sandbox, which needs further settings. */
export type Target = 'azure' | 'sandbox';

/**
 * What the environment of a command points at: the sandbox, where the commands of `castellan sandbox env` were run (or
 * `CASTELLAN_TARGET=sandbox` is set), else the cloud.
 */
export function targetOf(env: Readonly<Record<string, string | undefined>>): Target {
  const value = env['CASTELLAN_TARGET'];
  if (value === 'azure' || value === 'sandbox') return value;
  if (env['TF_REATTACH_PROVIDERS']?.includes('castellan/castellan') === true) return 'sandbox';
  return isLoopback(env['ARM_METADATA_HOSTNAME']?.replace(/:\d+$/, '') ?? '') ? 'sandbox' : 'azure';
}
