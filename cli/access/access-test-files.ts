import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { LoadedStack } from '../../policies/model/loaded-stack.js';

/** Matches the file names of access tests. */
export const accessTestFileName = /(^|\.)access-test\.ya?ml$/;

const defaultName = 'castellan.access-test.yaml';

/** The access tests next to configurations, each with the stacks of its folder. */
export function accessTestsBeside(
  stacks: readonly LoadedStack[],
  cwd: string,
): ReadonlyMap<string, readonly LoadedStack[]> {
  const stacksByFile = new Map<string, LoadedStack[]>();
  for (const stack of stacks) {
    const file = join(dirname(stack.files[0] ?? '.'), defaultName);
    if (existsSync(resolve(cwd, file)))
      stacksByFile.set(file, [...(stacksByFile.get(file) ?? []), stack]);
  }
  return stacksByFile;
}
