// Removes files from the build that no entry point loads since they are bundled, and types that no
// export of the package refers to.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageEntries } from './package-entries.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const buildFolder = process.env.CASTELLAN_BUILD ?? join(root, 'dist');
const entries = packageEntries(buildFolder);
const inBuild = (path) => join(buildFolder, path.replace(/^\.\/dist\//, ''));

const files = readdirSync(buildFolder, { recursive: true })
  .filter((file) => !file.startsWith('cli/')) // bundled
  .map((file) => join(buildFolder, file));
/** Programs that are started by their path, and files that are read as data. */
const programs = files.filter((file) => /\/policies\/run-packs\.js$|\/console\/page\//.test(file));

const usedFiles = new Set([
  ...reachable([...entries.map((entry) => inBuild(entry.program)), ...programs], (file) => [file]),
  ...reachable(
    entries.map(({ types }) => inBuild(types)),
    (file) => [file.replace(/\.js$/, '.d.ts')],
  ),
]);
for (const file of files)
  if (/\.(js|d\.ts)$/.test(file) && !usedFiles.has(file))
    for (const each of [file, `${file}.map`]) rmSync(each, { force: true });

/**
 * These files, and all that they import by relative paths.
 *
 * @param toFiles the files that an imported path stands for
 */
function reachable(startFiles, toFiles) {
  const visited = new Set();
  const queue = [...startFiles];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (visited.has(file)) continue;
    visited.add(file);
    for (const [, path] of readFileSync(file, 'utf8').matchAll(
      /(?:from|require\(|import\()\s*["'](\.{1,2}\/[^"']+)["']/g,
    ))
      queue.push(...toFiles(join(dirname(file), path)).filter((each) => existsSync(each)));
  }
  return visited;
}
