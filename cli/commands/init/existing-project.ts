import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import ourPackage from '../../../package.json';
import { templateFiles } from '../../templates/files.js';
import { type PackageJson, parseJsonObject, withDependency } from './package-json.js';
import { packageFileOf, type PackageManager, packageManagerOf } from './package-manager.js';
import { withLine } from './with-line.js';

/** A file that is added or changed; `before` is undefined for a new one. */
export interface FileChange {
  /** From the project's folder. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

/** A cdktf project: the changes that it needs, and the commands to run after them. */
export interface ExistingProject {
  readonly changes: readonly FileChange[];
  readonly packageManager: PackageManager;
  /** The command of cdktf: that of the project's own package, or the installed one. */
  readonly cdktf: string;
}

/**
 * What a cdktf project in TypeScript needs for Castellan's constructs, and lacks: the dependencies,
 * the people of the sandbox, the matchers in its set-up of jest, and an ignored folder.
 *
 * @param folder the project's folder.
 * @param castellan the version or package file in package.json.
 * @throws CAS8001 for a folder without cdktf.json, or a program in another language.
 */
export function existingProject(folder: string, castellan: string): ExistingProject {
  const readIfExists = (path: string): string | undefined => {
    const file = resolve(folder, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  };
  requireTypeScript(readIfExists('cdktf.json'));
  const packagePath = packageFileOf(folder);
  const packageText = packagePath === undefined ? undefined : readIfExists(packagePath);
  if (packagePath === undefined || packageText === undefined)
    throw new CastellanError('CAS8001', 'there is no package.json beside cdktf.json or above it');
  const packageJson = parseJsonObject<PackageJson>(packagePath, packageText);
  const manager = packageManagerOf(folder, packageJson.packageManager);
  const neededDependencies = {
    castellan,
    ...(manager.installsPeers ? {} : ourPackage.peerDependencies),
  };
  const seed = templateFiles('groups', 'shop', castellan).get('seed.yaml') ?? '';
  const changes: readonly FileChange[] = [
    fileChange(packagePath, packageText, withDependencies(packageText, neededDependencies)),
    fileChange(
      '.gitignore',
      readIfExists('.gitignore'),
      withLine(readIfExists('.gitignore'), '.castellan/'),
    ),
    fileChange('seed.yaml', readIfExists('seed.yaml'), readIfExists('seed.yaml') ?? seed),
    ...jestSetUp(readIfExists, packageJson),
  ];
  const { dependencies, devDependencies } = packageJson;
  const installedDependencies = { ...dependencies, ...devDependencies };
  return {
    changes: changes.filter(({ before, after }) => before !== after),
    packageManager: manager,
    cdktf: installedDependencies['cdktf-cli'] === undefined ? 'cdktf' : `${manager.run} cdktf`,
  };
}

function fileChange(path: string, before: string | undefined, after: string): FileChange {
  return { path, before, after };
}

function requireTypeScript(cdktf: string | undefined): void {
  if (cdktf === undefined)
    throw new CastellanError(
      'CAS8001',
      'there is no cdktf.json: --existing adds to a project of cdktf; `castellan init typescript` writes a new one',
    );
  const { language } = parseJsonObject<{ language?: unknown }>('cdktf.json', cdktf);
  if (language !== 'typescript')
    throw new CastellanError(
      'CAS8001',
      `cdktf.json says "language": ${JSON.stringify(language)}: the constructs are for "typescript"; in another language, castellan.yaml declares the same (\`castellan init groups\`)`,
    );
}

function withDependencies(
  text: string,
  neededDependencies: Readonly<Record<string, string>>,
): string {
  return Object.entries(neededDependencies).reduce(
    (changed, [name, version]) => withDependency(changed, name, version),
    text,
  );
}

/** `cdktf init` writes setup.js, which jest runs before each test file. */
function jestSetUp(
  readIfExists: (path: string) => string | undefined,
  { type }: PackageJson,
): readonly FileChange[] {
  const file = ['setup.js', 'setup.ts'].find((each) => readIfExists(each)?.includes('setupJest'));
  const text = file === undefined ? undefined : readIfExists(file);
  if (file === undefined || text === undefined || text.includes('castellan/testing/jest'))
    return [];
  const isModule = file.endsWith('.ts') || type === 'module' || /^import\b/m.test(text);
  const line = isModule ? "import 'castellan/testing/jest';" : "require('castellan/testing/jest');";
  return [fileChange(file, text, withLine(text, line))];
}

/** The lines of context around a hunk, as in `diff -u`. */
const contextLines = 3;

/** The change of a file as `diff -u` shows it. */
export function unifiedDiff({ path, before, after }: FileChange): string {
  const [oldLines, newLines] = [linesOf(before ?? ''), linesOf(after)];
  let sameAtStart = 0;
  while (
    sameAtStart < oldLines.length &&
    sameAtStart < newLines.length &&
    oldLines[sameAtStart] === newLines[sameAtStart]
  )
    sameAtStart += 1;
  let sameAtEnd = 0;
  while (
    sameAtEnd < oldLines.length - sameAtStart &&
    sameAtEnd < newLines.length - sameAtStart &&
    oldLines.at(-1 - sameAtEnd) === newLines.at(-1 - sameAtEnd)
  )
    sameAtEnd += 1;
  const firstLine = Math.max(0, sameAtStart - contextLines);
  const linesAbove = oldLines.slice(firstLine, sameAtStart);
  const removedLines = oldLines.slice(sameAtStart, oldLines.length - sameAtEnd);
  const addedLines = newLines.slice(sameAtStart, newLines.length - sameAtEnd);
  const linesBelow = oldLines.slice(
    oldLines.length - sameAtEnd,
    oldLines.length - sameAtEnd + contextLines,
  );
  const hunkLength = (lines: number): string => `${linesAbove.length + lines + linesBelow.length}`;
  const hunkRange = (lines: number): string =>
    before === undefined && lines === 0 ? '0,0' : `${firstLine + 1},${hunkLength(lines)}`;
  return [
    `--- ${before === undefined ? '/dev/null' : `a/${path}`}`,
    `+++ b/${path}`,
    `@@ -${hunkRange(removedLines.length)} +${hunkRange(addedLines.length)} @@`,
    ...linesAbove.map((line) => ` ${line}`),
    ...removedLines.map((line) => `-${line}`),
    ...addedLines.map((line) => `+${line}`),
    ...linesBelow.map((line) => ` ${line}`),
    '',
  ].join('\n');
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}
