// Names the sources in a stack trace of the package: node scripts/source-places.mjs < LOG, after a
// build of the same version. The package has no source maps, which would add half of its size; the
// build has them.
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const sourceMaps = new Map();

const text = readFileSync(0, 'utf8');
process.stdout.write(
  text.replace(
    /[^\s()]*\/dist\/([^\s():]+\.js):(\d+):(\d+)/g,
    (place, file, line, column) => sourceOf(file, +line, +column) ?? place,
  ),
);

function sourceOf(file, line, column) {
  const path = join(root, 'dist', `${file}.map`);
  if (!sourceMaps.has(path))
    sourceMaps.set(
      path,
      existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined,
    );
  const { originalSource, originalLine, originalColumn } =
    sourceMaps.get(path)?.findEntry(line - 1, column - 1) ?? {};
  if (originalSource === undefined) return undefined;
  return `${relative(root, join(dirname(path), originalSource))}:${originalLine + 1}:${originalColumn + 1}`;
}
