import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { LoadedStack } from '../policies/model/loaded-stack.js';

/** The name of the seed beside a configuration that names none. */
export const defaultSeedName = 'seed.yaml';

/** Where a stack has the seed of its sandbox: at `sandbox.seed`, else beside its configuration. */
export function seedPathOf(
  { config, files: [file = '.'] }: Pick<LoadedStack, 'config' | 'files'>,
  cwd: string,
): string {
  const seed: unknown = config.sandbox?.seed;
  return resolve(cwd, dirname(file), typeof seed === 'string' ? seed : defaultSeedName);
}

/**
 * The seed of a stack's sandbox; undefined if the configuration names none, and there is none.
 *
 * @param otherFolders where a seed is looked for that is not beside the configuration.
 */
export function findSeed(
  stack: Pick<LoadedStack, 'config' | 'files'>,
  cwd: string,
  otherFolders: readonly string[] = [],
): string | undefined {
  const path = seedPathOf(stack, cwd);
  if (stack.config.sandbox?.seed !== undefined) return path;
  return [path, ...otherFolders.map((each) => join(each, defaultSeedName))].find((each) =>
    existsSync(each),
  );
}
