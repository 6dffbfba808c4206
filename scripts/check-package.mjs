// Holds the packed package to what its users rely on: publint, the types from CommonJS and from modules (attw), and that no two
// exported types of one name are different things.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { exports } = createRequire(import.meta.url)('../package.json');

const entries = Object.entries(exports).flatMap(([path, { types }]) => (types === undefined ? [] : [{ path, file: join(root, types) }]));
const program = ts.createProgram(
  entries.map(({ file }) => file),
  { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, skipLibCheck: true },
);
const checker = program.getTypeChecker();
const places = new Map();
for (const { path, file } of entries) {
  const source = program.getSourceFile(file);
  const symbol = source && checker.getSymbolAtLocation(source);
  if (symbol === undefined) throw new Error(`${path} exports nothing from ${relative(root, file)}: run npm run build first`);
  for (const exported of checker.getExportsOfModule(symbol)) {
    const target = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const declared = target.declarations?.[0]?.getSourceFile().fileName;
    if (declared === undefined) continue;
    const known = places.get(exported.name) ?? new Map();
    places.set(exported.name, known.set(relative(root, declared), path));
  }
}
const doubles = [...places].filter(([, known]) => known.size > 1);
for (const [name, known] of doubles) console.error(`${name} is ${[...known].map(([file, path]) => `${file} in ${path}`).join(', and ')}`);

const folder = mkdtempSync(join(tmpdir(), 'castellan-package-'));
try {
  const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  const file = join(folder, run('npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder).trim());
  run('npx', 'publint', 'run', file, '--strict');
  run('npx', 'attw', file, '--profile', 'node16', '--quiet');
} catch (error) {
  console.error(error.stdout);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
if (doubles.length > 0) process.exitCode = 1;
