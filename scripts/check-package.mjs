// Checks the packed package: its files and their size, publint, its types from CommonJS and from
// modules (attw), and that exported types of the same name are the same.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { packageEntries } from './package-entries.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const entries = packageEntries(join(root, 'dist')).map(({ path, types }) => ({
  path,
  file: join(root, types),
}));
const program = ts.createProgram(
  entries.map(({ file }) => file),
  {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
  },
);
const checker = program.getTypeChecker();
/** For each exported name: the files that declare it, with an entry that exports it from there. */
const declarations = new Map();
for (const { path, file } of entries) {
  const source = program.getSourceFile(file);
  const symbol = source && checker.getSymbolAtLocation(source);
  if (symbol === undefined)
    throw new Error(
      `${path} exports nothing from ${relative(root, file)}: run npm run build first`,
    );
  for (const exported of checker.getExportsOfModule(symbol)) {
    const target =
      exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const declared = target.declarations?.[0]?.getSourceFile().fileName;
    if (declared === undefined) continue;
    const files = declarations.get(exported.name) ?? new Map();
    declarations.set(exported.name, files.set(relative(root, declared), path));
  }
}
const ambiguousNames = [...declarations].filter(([, files]) => files.size > 1);
for (const [name, files] of ambiguousNames)
  console.error(
    `${name} is ${[...files].map(([file, path]) => `${file} in ${path}`).join(', and ')}`,
  );

/**
 * What users need: compiled files with their types, data files, the rules' pages, and the files
 * that npm adds.
 */
const neededFilePattern =
  /^(?:dist\/.*\.(?:js|d\.ts|json|proto|html|css|svg|wasm|tmpl|md)|dist\/cli\/templates\/.*|dist\/.*(?:LEGAL\.txt|\.LICENSE)|LICENSE|README\.md|package\.json)$/;
/**
 * Bytes to download, bytes on disk, number of files. Raise a limit only for something that every
 * user needs.
 */
const maxSizes = { size: 3_050_000, unpackedSize: 13_300_000, entryCount: 1_400 };
const failures = [];

const folder = mkdtempSync(join(tmpdir(), 'castellan-package-'));
try {
  const run = (command, ...args) =>
    execFileSync(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    });
  const [packed] = JSON.parse(
    run('npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder),
  );
  const file = join(folder, packed.filename);
  const unneededPaths = packed.files
    .filter(({ path }) => !neededFilePattern.test(path))
    .map(({ path }) => path);
  if (unneededPaths.length > 0)
    failures.push(`the package holds what no user needs: ${unneededPaths.join(', ')}`);
  for (const [what, limit] of Object.entries(maxSizes))
    if (packed[what] > limit)
      failures.push(`${what} of the package is ${packed[what]}; at most ${limit} is allowed`);
  run('npx', 'publint', 'run', file, '--strict');
  run('npx', 'attw', file, '--profile', 'node16', '--quiet');
} catch (error) {
  console.error(error.stdout ?? error); // of a program, what it printed
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
for (const failure of failures) console.error(failure);
if (ambiguousNames.length + failures.length > 0) process.exitCode = 1;
