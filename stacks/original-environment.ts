import { forkedFrom } from '../core/project/environment-folder.js';
import type { Target } from '../core/sandbox/target.js';
import { loadConfig, type LoadOptions } from '../policies/model/load-config.js';

/**
 * The environment of which this one is a copy (`castellan sandbox fork`), if the copy has no
 * overlay of its own: it then uses the configuration of the original.
 */
export async function originalEnvironment({
  target,
  environment,
  cwd = process.cwd(),
  ...options
}: Pick<LoadOptions, 'paths' | 'recursive' | 'cwd' | 'environment'> & {
  readonly target: Target;
}): Promise<string | undefined> {
  if (environment === undefined || target !== 'sandbox') return undefined;
  const original = forkedFrom(cwd, environment);
  if (original === undefined) return undefined;
  const { stacks } = await loadConfig({ ...options, environment, cwd });
  return stacks.some((stack) => stack.environment === environment) ? undefined : original;
}
