import { dirname, join, relative, resolve } from 'node:path';
import { diskFiles, type FileAccess } from '../../core/source/file-access.js';
import { SourceText } from '../../core/source/source-text.js';
import { isObject } from '../../core/values/is-object.js';
import { parseYaml } from '../../core/yaml/parse-yaml.js';
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

/** Where an access test takes its people: what it says by `from`, a file relative to `cwd`. */
export function peopleSourceOf(from: string, test: string, cwd: string): string {
  return from === 'sandbox' || from === 'live' || from === 'none'
    ? from
    : relative(cwd, resolve(cwd, dirname(test), from));
}

/** The file of people that an access test names; undefined where it names none. */
export function peopleFileOf(test: string, cwd: string): string | undefined {
  const path = resolve(cwd, test);
  if (diskFiles.stat(path).kind !== 'file') return undefined;
  const text = Buffer.from(diskFiles.read(path)).toString('utf8');
  const parsed = parseYaml(new SourceText(test, text));
  const document = 'problem' in parsed ? undefined : parsed.documents[0]?.root.value;
  const from = isObject(document) ? document['from'] : undefined;
  return typeof from === 'string' ? peopleSourceOf(from, test, cwd) : undefined;
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
