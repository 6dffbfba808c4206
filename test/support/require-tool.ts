import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The path of a program that a test needs beside node and terraform: of the first one installed of
 * several that do, or undefined. With `CASTELLAN_TEST_TOOLS=required` (as in CI) a missing one is
 * an error, so that no test is skipped there.
 */
export function toolPath(...names: readonly string[]): string | undefined {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
    ...postgresFolders,
  ];
  const found = names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find(isExecutable);
  if (found === undefined && process.env['CASTELLAN_TEST_TOOLS'] === 'required')
    throw new Error(`this test needs ${names.join(' or ')}, which is not installed`);
  return found;
}

/**
 * `describe` if the tool is installed; otherwise `describe.skip`, with the tool's name in the
 * title.
 */
export function describeWithTool(name: string, title: string, tests: (path: string) => void): void {
  const path = toolPath(name);
  if (path === undefined)
    describe.skip(`${title} (skipped: ${name} is not installed)`, () => tests(''));
  else describe(title, () => tests(path));
}

const postgresFolders = [13, 14, 15, 16, 17, 18].map(
  (version) => `/usr/lib/postgresql/${version}/bin`,
);

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // not there or not executable: the next folder is asked
  }
}
