import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../support/cli.js';

/** The file of the bundled command line that has a text. */
function bundledFileOf(text: string): string {
  const files = readdirSync(join(root, 'dist/cli')).filter((file) => file.endsWith('.js'));
  const file = files.find((each) =>
    readFileSync(join(root, 'dist/cli', each), 'utf8').includes(text),
  );
  return `dist/cli/${file ?? `a file with ${text}`}`;
}

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
    ['stacks/order-stacks.ts', '`two stacks are named', 'dist/stacks/order-stacks.js'],
    ['cli/start.ts', 'enableCompileCache?.('],
    ['sandbox/control-plane/directory-reader.ts', '`the directory answered'],
  ])('lead from a stack trace to %s', (source, text, built = bundledFileOf(text)) => {
    const trace = `Error: lost\n    at someone (/somewhere/node_modules/castellan/${placeOf(built, text)})\n`;
    const shown = execFileSync(process.execPath, [join(root, 'scripts/source-places.mjs')], {
      input: trace,
      encoding: 'utf8',
    });
    expect(shown).toContain(placeOf(source, text));
  });
});
