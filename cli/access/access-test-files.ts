import { dirname, join, resolve } from 'node:path';
import { diskFiles, type FileAccess } from '../../core/source/file-access.js';
import type { LoadedStack } from '../../policies/model/loaded-stack.js';

/** Matches the file names of access tests. */
export const accessTestFileName = /(^|\.)access-test\.ya?ml$/;

/** The path of the access test beside a stack's configuration, also where no file is there. */
export function accessTestPath({ files: [config = '.'] }: LoadedStack): string {
  return join(dirname(config), 'castellan.access-test.yaml');
}

/** Whether an access test is beside a stack's configuration, in these files. */
export function hasAccessTest(stack: LoadedStack, files: FileAccess, cwd: string): boolean {
  return files.stat(resolve(cwd, accessTestPath(stack))).kind === 'file';
}

/** The access tests next to configurations, each with the stacks of its folder. */
export function stacksByAccessTest(
  stacks: readonly LoadedStack[],
  cwd: string,
): ReadonlyMap<string, readonly LoadedStack[]> {
  const stacksByFile = new Map<string, LoadedStack[]>();
  for (const stack of stacks) {
    const file = accessTestPath(stack);
    if (hasAccessTest(stack, diskFiles, cwd))
      stacksByFile.set(file, [...(stacksByFile.get(file) ?? []), stack]);
  }
  return stacksByFile;
}
