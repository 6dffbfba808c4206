// Bundles the command line, the program of custom rules and the Terraform plugin into dist/cli: a file for what each
// command loads by itself, and files for what several share.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const distFolder = process.env.CASTELLAN_BUILD ?? join(root, 'dist');

/** Replaces the compiler of schemas by the schemas that the build has compiled. */
const compiledValidators = {
  name: 'compiled-validators',
  resolveId: {
    filter: { id: /\/validators\.js$/ },
    handler: () => join(root, 'node_modules/.cache/validators.mjs'),
  },
};

/** ES modules of packages that give Node a CommonJS one, which starts more slowly in a bundle. */
const esModuleBuilds = { yaml: join(root, 'node_modules/yaml/browser/index.js') };

/**
 * Bundles programs into `folder`, as CommonJS modules with shared parts.
 *
 * @param programs the source of each program, by the name of its file.
 * @param options `external`: packages that stay outside; `alias`, `plugins` and `sourcemap` as
 *   rolldown has them.
 * @returns the files that are in the bundle.
 */
export async function bundle(
  programs,
  folder,
  { external = [], alias = {}, plugins = [], sourcemap = false } = {},
) {
  const bundler = await rolldown({
    cwd: root,
    input: programs,
    platform: 'node',
    external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
    resolve: { mainFields: ['module', 'main'], alias: { ...esModuleBuilds, ...alias } },
    transform: { target: 'node20' },
    plugins: [compiledValidators, ...plugins],
    // eval: of web-tree-sitter; a module that is imported in both ways is no mistake
    checks: { eval: false, ineffectiveDynamicImport: false },
    logLevel: 'warn',
  });
  const { output } = await bundler.write({
    dir: folder,
    // Node's loader of ES modules takes longer for each file, and for each of its own modules.
    format: 'cjs',
    // With one character outside ASCII, V8 keeps two bytes for every character of the file.
    charset: 'ascii',
    chunkFileNames: '[name]-[hash].js',
    // Node spends more on opening a file than on its contents: what most commands load is one file,
    // what else starts each of them a second, and what a check loads a third.
    codeSplitting: {
      groups: [
        { name: 'shared', minShareCount: 30 },
        { name: 'start', test: /\/cli\/(main|run-commands|files)\.ts$/ },
        { name: 'check', test: /\/cli\/commands\/check\.ts$/ },
      ],
    },
    // Names stay: messages of errors contain those of classes.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    comments: { legal: true, annotation: false, jsdoc: false },
    sourcemap,
    sourcemapExcludeSources: true,
  });
  await bundler.close();
  return output.flatMap(({ moduleIds = [] }) => moduleIds);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await bundle(
    {
      bin: 'cli/bin.ts',
      'pack-main': 'policies/pack-main.ts',
      plugin: 'provider/plugin.ts',
    },
    join(distFolder, 'cli'),
    {
      // Maps for scripts/source-places.mjs; they are not in the package.
      sourcemap: 'hidden',
      alias: { archiver: join(root, 'scripts/archiver-stub.cjs') },
      // Native code, and large packages that few commands load.
      external: [
        'better-sqlite3',
        'pg',
        'pg-native',
        '@redis/client',
        'undici',
        'oidc-provider',
        're2js',
        'refa',
        '@eslint-community/regexpp',
        'ajv/dist/2020.js',
        '@viz-js/viz',
        '@open-policy-agent/opa-wasm',
        'web-tree-sitter',
      ],
    },
  );
