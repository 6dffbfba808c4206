// Makes the modules of the build load each other on first use, so that importing one construct
// loads neither the rules nor the bindings of other resources; aws-cdk-lib's build does the same.
// typebox, of which the descriptions of kinds consist, becomes one file instead of two hundred.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = process.env.CASTELLAN_BUILD ?? join(root, 'dist');
const folders = ['core', 'kinds', 'policies', 'constructs', 'stacks', 'testing', 'clients'];
const typebox = '@sinclair/typebox';
const bundledTypebox = join(target, 'kinds/typebox.js');

/** The function that defines lazy modules; inserted on the line of a file's first import. */
const lazyHelper =
  'const $ = {}, $lazily = (name, load) => Object.defineProperty($, name, { configurable: true, ' +
  'get() { const value = load(); Object.defineProperty($, name, { value }); return value; } }); ';

await build({
  stdin: { contents: `export * from '${typebox}'`, resolveDir: root },
  outfile: bundledTypebox,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  minify: true,
  logLevel: 'warning',
});
copyFileSync(
  join(root, 'node_modules', typebox, 'license'),
  bundledTypebox.replace(/js$/, 'LICENSE'),
);

for (const folder of folders)
  for (const path of readdirSync(join(target, folder), { recursive: true })) {
    const file = join(target, folder, path);
    if (!file.endsWith('.js') || file === bundledTypebox) continue;
    const code = readFileSync(file, 'utf8');
    const lazy = loadLazily(
      code.replaceAll(`require("${typebox}")`, `require("${pathToTypebox(file)}")`),
    );
    if (lazy !== code) writeFileSync(file, lazy);
  }

/** The path by which a file of the build imports the bundled typebox. */
function pathToTypebox(file) {
  const path = relative(dirname(file), bundledTypebox);
  return path.startsWith('.') ? path : `./${path}`;
}

/**
 * Replaces `const group_js_1 = require("./group.js")`, as the compiler writes it, by a property
 * `$.group_js`, which loads the module. Its name has the same length: lines and columns stay those
 * of the source maps.
 */
function loadLazily(code) {
  /** The properties of `$`, by the variables that they replace. */
  const properties = new Map();
  const withLazyModules = code.replace(
    /^(?:const|var) (\w+?)_(\d) = (require\("(?:\.|@cdktf\/)[^"]+"\));$/gm,
    (_, name, number, requireCall) => {
      const property = number === '1' ? name : `${name.slice(0, -1)}${number}`;
      if ([...properties.values()].includes(property))
        throw new Error(`two modules are $.${property}`);
      const prefix = properties.size === 0 ? lazyHelper : '';
      properties.set(`${name}_${number}`, property);
      return `${prefix}$lazily("${property}", () => ${requireCall});`;
    },
  );
  // For imports by ES modules, node finds the exported names in the text of the file. It drops a name
  // that is defined with a getter whose form it doesn't know. The parentheses hide the definition from
  // it; it still finds the name, because the compiler assigns `exports.name` above.
  const withHiddenGetters = withLazyModules.replace(
    /^(Object\.defineProperty\(exports, )("(?!__)\w+")/gm,
    '$1($2)',
  );
  return withHiddenGetters.replace(/(?<![\w$]|(?<!\.\.)\.)\w+_\d(?!\w)/g, (name) =>
    properties.has(name) ? `$.${properties.get(name)}` : name,
  );
}
