import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json';
import { root } from '../support/cli.js';

const entries = Object.entries(packageJson.exports).filter(
  ([path]) => path !== './package.json',
) as [string, { types: string; default: string }][];
const subpaths = entries.filter(([path]) => !path.includes('*'));

describe('the entries of the package', () => {
  it.each(subpaths)('%s is compiled from an existing source', (_path, { types, default: file }) => {
    for (const builtFile of [types, file])
      expect(
        existsSync(
          join(root, builtFile.replace(/^\.\/dist\//, '').replace(/\.d\.ts$|\.js$/, '.ts')),
        ),
      ).toBe(true);
  });

  it.each(subpaths)(
    '%s can be imported by a program that depends on the package',
    async (_path, { default: file }) => {
      const module = (await import(
        join(root, file.replace(/^\.\/dist\//, '').replace(/\.js$/, ''))
      )) as object;
      expect(Object.keys(module).length).toBeGreaterThan(0);
    },
  );

  it('are those that programs of users need', () => {
    expect(subpaths.map(([path]) => path)).toEqual([
      '.',
      './constructs',
      './patterns',
      './testing',
      './testing/jest',
      './stacks',
      './policies',
      './clients',
    ]);
  });

  it('are found by a program whose tsconfig is older than exports (cdktf init writes one)', () => {
    const old = packageJson.typesVersions['*'] as Record<string, string[]>;
    for (const [path, { types }] of subpaths)
      if (path === '.') expect(packageJson.types).toBe(types);
      else expect(old[path.slice(2)]).toEqual([types.slice(2)]);
  });

  it('offer the bindings of fabric and castellan one by one, and hide all other modules', () => {
    const patterns = entries.filter(([path]) => path.includes('*'));
    expect(patterns.map(([path]) => path)).toEqual(['./lib/*']);
    const [, { types = '' } = {}] = patterns[0] ?? [];
    expect(packageJson.typesVersions['*']['lib/*']).toEqual([types.slice(2)]);
    const folder = join(root, types.replace(/^\.\/dist\//, '').replace(/\*.*/, ''));
    expect(readdirSync(folder)).toEqual(['castellan', 'fabric']);
    expect(readdirSync(join(folder, 'fabric'))).toContain('workspace.ts');
    expect(Object.keys(packageJson.exports).some((path) => path.includes('internal'))).toBe(false);
  });

  it('include a command whose source exists', () => {
    expect(
      existsSync(
        join(root, packageJson.bin.castellan.replace(/^dist\//, '').replace(/\.js$/, '.ts')),
      ),
    ).toBe(true);
  });
});

describe('the workspaces', () => {
  it.each(packageJson.workspaces)('%s has the version and licence of castellan', (folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as object;
    const { version, license, engines } = packageJson;
    expect(manifest).toMatchObject({ version, license, engines });
  });
});
