import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { overlayPath } from '../../../policies/model/environments.js';
import { type EnvironmentFlags, withoutDefaultEnvironment } from '../../apply/options.js';
import type { CliIo } from '../../command.js';

/**
 * Refuses an environment whose overlay is missing beside a configuration: only with it does the
 * stack have a state there, into which existing objects can be taken.
 *
 * @throws CAS8001
 */
export function requireOverlay(file: string, flags: EnvironmentFlags, { cwd }: CliIo): void {
  const { environment } = withoutDefaultEnvironment(flags);
  const overlay = environment === undefined ? undefined : overlayPath(file, environment);
  if (overlay !== undefined && !existsSync(resolve(cwd, overlay)))
    throw new CastellanError(
      'CAS8001',
      `${overlay} does not exist, and only with it the stack has a state in the environment ${environment ?? ''}: write it first (version: 1 is enough)`,
    );
}
