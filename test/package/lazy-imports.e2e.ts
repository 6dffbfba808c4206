import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../support/cli.js';

const constructsEntry = join(root, 'dist/constructs/index.js');

/** The files that a program has loaded at its end, without those of node. */
function filesLoadedBy(program: string): readonly string[] {
  const programWithReport = `${program}; console.log(JSON.stringify(Object.keys(require('module')._cache)));`;
  const output = execFileSync(process.execPath, ['-e', programWithReport], {
    encoding: 'utf8',
    cwd: root,
  });
  return JSON.parse(output) as string[];
}

const requireFrom = createRequire(join(root, 'dist/index.js'));

const ofThisPackage = (files: readonly string[]): readonly string[] =>
  files.filter((file) => file.startsWith(join(root, 'dist')));

describe('importing the constructs', () => {
  it('loads nothing else before something is used', () => {
    const files = filesLoadedBy(`require(${JSON.stringify(constructsEntry)})`);
    expect(files.map((file) => file.replace(root, ''))).toEqual(['/dist/constructs/index.js']);
  });

  it('loads what a construct needs, without bindings of other resources', () => {
    const files = filesLoadedBy(`
      const { App, CastellanStack, SecurityGroup } = require(${JSON.stringify(constructsEntry)});
      const stack = new CastellanStack(new App(), 'shop', {});
      new SecurityGroup(stack, 'staff', { displayName: 'Staff' });`);
    expect(files.some((file) => file.includes('provider-azuread/lib/group/'))).toBe(true);
    expect(files.filter((file) => /provider-azurerm\/lib\/container-app/.test(file))).toEqual([]);
    // typebox is in one file of the build
    expect(files.filter((file) => file.includes('node_modules/@sinclair'))).toEqual([]);
  });

  it('as an ES module loads neither rules, nor parsers, nor bindings', () => {
    const address = JSON.stringify(pathToFileURL(constructsEntry).href);
    const output = execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { ContainerApp } from ${address};
         import module from 'node:module';
         console.log(JSON.stringify([ContainerApp.name, Object.keys(module._cache)]));`,
      ],
      { encoding: 'utf8' },
    );
    const [name, files] = JSON.parse(output) as [string, string[]];
    expect(name).toBe('ContainerApp');
    expect(files.filter((file) => /dist\/policies|yaml|@cdktf\/provider/.test(file))).toEqual([]);
    expect(ofThisPackage(files).length).toBeLessThan(80);
  });
});

describe('each entry of the package', () => {
  const { exports } = requireFrom('../package.json') as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  const entries = Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' || /jest|\*/.test(entry.default) ? [] : [entry.default],
  );

  it.each(entries)('%s has the same names for import and for require', async (entry) => {
    const path = join(root, entry);
    const required = requireFrom(path) as object;
    const imported = (await import(pathToFileURL(path).href)) as object;
    const names = Object.keys(imported).filter(
      (name) => !['default', '__esModule', 'module.exports'].includes(name),
    );
    expect(names.sort()).toEqual(Object.keys(required).sort());
  });
});
