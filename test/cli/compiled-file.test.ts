import { mkdtempSync, readdirSync, rmSync, chmodSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCompiled } from '../../cli/compiled-file';

describe('a compiled file', () => {
  let folder: string;
  let file: string;
  const cache = (): string => join(folder, 'castellan');
  const load = (env: Record<string, string> = {}) =>
    loadCompiled(file, { XDG_CACHE_HOME: folder, ...env });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-compiled-'));
    file = join(folder, 'main.js');
    writeFileSync(
      file,
      "const { sep } = require('node:path');\nexports.answer = () => `${sep}42`;\nmodule.exports.other = typeof module;\n",
    );
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is loaded like any module, with and without code of an earlier run', () => {
    for (const run of [1, 2]) {
      const { exports, keep } = load();
      expect([run, (exports as { answer: () => string }).answer()]).toEqual([run, '/42']);
      keep();
      expect(readdirSync(cache())).toHaveLength(1);
    }
  });

  it('loads its parts once, and keeps their code beside its own', () => {
    writeFileSync(file, "exports.parse = () => require('./fast-parse.js');");
    writeFileSync(join(folder, 'fast-parse.js'), 'exports.value = {};');
    for (const run of [1, 2]) {
      const { exports, keep } = load();
      const { parse } = exports as { parse: () => { value: object } };
      expect([run, parse().value === parse().value]).toEqual([run, true]);
      keep();
      const kept = readdirSync(cache()).map((name) => name.split('-').slice(0, -2)[0]);
      expect(kept.sort()).toEqual(['fast', 'main']);
    }
  });

  it('keeps only the code of the latest file', () => {
    load().keep();
    const before = readdirSync(cache());
    writeFileSync(file, 'exports.answer = () => 43;');
    const { exports, keep } = load();
    keep();
    expect((exports as { answer: () => number }).answer()).toBe(43);
    expect(readdirSync(cache())).toHaveLength(1);
    expect(readdirSync(cache())).not.toEqual(before);
  });

  it('runs no code that others may have written, nor damaged code', () => {
    load().keep();
    const [name = ''] = readdirSync(cache());
    writeFileSync(join(cache(), name), 'not code');
    expect((load().exports as { answer: () => string }).answer()).toBe('/42');
    chmodSync(join(cache(), name), 0o666);
    const { exports, keep } = load();
    expect((exports as { answer: () => string }).answer()).toBe('/42');
    keep();
    expect(readdirSync(cache())).toHaveLength(1);
  });

  it('works without a folder that can be written to', () => {
    const { exports, keep } = load({ XDG_CACHE_HOME: join(file, 'no-folder') });
    keep();
    expect((exports as { answer: () => string }).answer()).toBe('/42');
  });

  it('stores nothing if caches are switched off', () => {
    load({ NODE_DISABLE_COMPILE_CACHE: '1' }).keep();
    expect(readdirSync(folder)).toEqual(['main.js']);
  });
});
