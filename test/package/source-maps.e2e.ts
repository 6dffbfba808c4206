import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../support/cli.js';

/** Where a text is in a file, as a stack trace says it. */
function placeOf(file: string, text: string): string {
  const before = readFileSync(join(root, file), 'utf8').split(text)[0] ?? '';
  const lines = before.split('\n');
  return `${file}:${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}

describe('the source maps of the build', () => {
  it('name sources that exist', () => {
    const maps = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.map'),
    );
    expect(maps.length).toBeGreaterThan(500);
    const missing = maps.flatMap((file) => {
      const path = join(root, 'dist', file);
      const { sources } = JSON.parse(readFileSync(path, 'utf8')) as {
        readonly sources: readonly string[];
      };
      // bundles have modules, too, that the build itself writes, and sources of libraries that
      // those leave out
      const files = sources
        .filter((source) => source.startsWith('.'))
        .map((source) => relative(root, join(dirname(path), source)));
      return files.filter(
        (source) => !/^(node_modules|dist)\//.test(source) && !existsSync(join(root, source)),
      );
    });
    expect(missing).toEqual([]);
  });

  it.each([
    [
      'dist/services/common/http-server.js',
      'services/common/http-server.ts',
      "new Error('routes of services have no schemas')",
    ],
    ['dist/cli/bin.js', 'cli/start.ts', 'process.argv'],
    [
      'dist/cli/sandbox-main.js',
      'sandbox/control-plane/run.ts',
      'new Error(`the directory answered',
    ],
  ])('lead from a stack trace of %s to %s', (built, source, text) => {
    const trace = `Error: lost\n    at someone (/somewhere/node_modules/castellan/${placeOf(built, text)})\n`;
    const shown = execFileSync(process.execPath, [join(root, 'scripts/source-places.mjs')], {
      input: trace,
      encoding: 'utf8',
    });
    expect(shown).toContain(placeOf(source, text));
  });
});
