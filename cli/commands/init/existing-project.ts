import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { templateFiles } from '../../templates/files.js';

/** A file that is added or changed; `before` is undefined for a new one. */
export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

interface PackageFile {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * What a cdktf project in TypeScript needs for Castellan's constructs, and lacks: the dependency,
 * the people of the sandbox, the matchers in its set-up of jest, and an ignored folder.
 *
 * @param folder the project's folder.
 * @param castellan the version or package file in package.json.
 * @throws CAS8001 for a folder without cdktf.json, or a program in another language.
 */
export function existingProjectChanges(folder: string, castellan: string): readonly FileChange[] {
  const read = (path: string): string | undefined => {
    const file = resolve(folder, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };
  requireTypeScript(read('cdktf.json'));
  const packageText = read('package.json');
  if (packageText === undefined)
    throw new CastellanError('CAS8001', 'there is no package.json beside cdktf.json');
  const seed = templateFiles('groups', 'shop', castellan).get('seed.yaml') ?? '';
  const changes: readonly FileChange[] = [
    change('package.json', packageText, withDependency(packageText, castellan)),
    change('.gitignore', read('.gitignore'), withLine(read('.gitignore'), '.castellan/')),
    change('seed.yaml', read('seed.yaml'), read('seed.yaml') ?? seed),
    ...jestSetUp(read, packageText),
  ];
  return changes.filter(({ before, after }) => before !== after);
}

/**
 * The command of cdktf in a project: that of its own package, or the installed one, as in projects
 * that `cdktf init` wrote.
 */
export function cdktfCommand(folder: string): 'npx cdktf' | 'cdktf' {
  const text = readFileSync(resolve(folder, 'package.json'), 'utf8');
  const { dependencies, devDependencies } = parseObject('package.json', text) as PackageFile;
  const installed = { ...dependencies, ...devDependencies };
  return installed['cdktf-cli'] === undefined ? 'cdktf' : 'npx cdktf';
}

function change(path: string, before: string | undefined, after: string): FileChange {
  return { path, before, after };
}

function requireTypeScript(cdktf: string | undefined): void {
  if (cdktf === undefined)
    throw new CastellanError(
      'CAS8001',
      'there is no cdktf.json: --existing adds to a project of cdktf; `castellan init typescript` writes a new one',
    );
  const { language } = parseObject('cdktf.json', cdktf);
  if (language !== 'typescript')
    throw new CastellanError(
      'CAS8001',
      `cdktf.json says "language": ${JSON.stringify(language)}: the constructs are for "typescript"; in another language, castellan.yaml declares the same (\`castellan init groups\`)`,
    );
}

function parseObject(path: string, text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw new CastellanError('CAS8001', `${path} is no JSON: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** package.json with the dependency, in its own indentation; unchanged if it is there. */
function withDependency(text: string, castellan: string): string {
  const file = parseObject('package.json', text) as PackageFile;
  if ({ ...file.devDependencies, ...file.dependencies }['castellan'] !== undefined) return text;
  const dependencies = Object.entries({ ...file.dependencies, castellan });
  const sorted = dependencies.sort(([a], [b]) => (a < b ? -1 : 1));
  const [, indentation = '  '] = /^\{\r?\n([ \t]+)"/.exec(text) ?? [];
  const changed = JSON.stringify(
    { ...file, dependencies: Object.fromEntries(sorted) },
    undefined,
    indentation,
  );
  return `${changed}${text.endsWith('\n') ? '\n' : ''}`;
}

function withLine(text: string | undefined, line: string): string {
  if (text === undefined) return `${line}\n`;
  if (text.split(/\r?\n/).includes(line)) return text;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
}

/** `cdktf init` writes setup.js, which jest runs before each test file. */
function jestSetUp(
  read: (path: string) => string | undefined,
  packageText: string,
): readonly FileChange[] {
  const usesJest = /"jest"\s*:/.test(packageText);
  const file = ['setup.js', 'setup.ts'].find((each) => read(each) !== undefined);
  const text = file === undefined ? undefined : read(file);
  if (!usesJest || file === undefined || text === undefined) return [];
  if (text.includes('castellan/testing/jest')) return [];
  const line = file.endsWith('.ts')
    ? "import 'castellan/testing/jest';"
    : "require('castellan/testing/jest');";
  return [change(file, text, withLine(text, line))];
}

/** The change of a file as `diff -u` shows it. */
export function unifiedDiff({ path, before, after }: FileChange): string {
  const [old, now] = [linesOf(before ?? ''), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old.at(-1 - end) === now.at(-1 - end)
  )
    end += 1;
  const first = Math.max(0, start - 3);
  const above = old.slice(first, start);
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  const below = old.slice(old.length - end, old.length - end + 3);
  const count = (lines: number): string => `${above.length + lines + below.length}`;
  const place = (lines: number): string =>
    before === undefined && lines === 0 ? '0,0' : `${first + 1},${count(lines)}`;
  return [
    `--- ${before === undefined ? '/dev/null' : `a/${path}`}`,
    `+++ b/${path}`,
    `@@ -${place(removed.length)} +${place(added.length)} @@`,
    ...above.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...below.map((line) => ` ${line}`),
    '',
  ].join('\n');
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}
