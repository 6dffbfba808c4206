// Bundles the command line and the program of custom rules into dist/cli: a file for what each
// command loads by itself, and files for what several share.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = process.env.CASTELLAN_BUILD ?? join(root, 'dist');

/** Replaces the compiler of schemas by the schemas that the build has compiled. */
const compiledValidators = {
  name: 'compiled-validators',
  setup: (bundle) =>
    bundle.onResolve({ filter: /\/validators\.js$/ }, () => ({
      path: join(target, 'kinds/stack/validators.js'),
    })),
};

/**
 * Bundles programs into `folder`, as ES modules with shared parts.
 *
 * @param entryPoints the source of each program, by the name of its file.
 * @param options further options of esbuild.
 */
export async function bundle(entryPoints, folder, { plugins = [], ...options } = {}) {
  const { metafile } = await build({
    entryPoints,
    outdir: folder,
    absWorkingDir: root,
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    mainFields: ['module', 'main'],
    chunkNames: '[name]-[hash]',
    // Names stay: messages of errors contain those of classes.
    minifySyntax: true,
    minifyWhitespace: true,
    // Errors are located by line and column.
    lineLimit: 160,
    legalComments: 'linked',
    // For libraries that are CommonJS, and for packages that are loaded on demand.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    define: { __dirname: 'import.meta.dirname', __filename: 'import.meta.filename' },
    plugins: [compiledValidators, ...plugins],
    metafile: true,
    logLevel: 'warning',
    ...options,
  });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  return Object.keys(metafile.inputs);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await bundle({ bin: 'cli/bin.ts', 'pack-main': 'policies/pack-main.ts' }, join(target, 'cli'), {
    // Maps for scripts/source-places.mjs; they are not in the package.
    sourcemap: 'external',
    sourcesContent: false,
    alias: { archiver: './scripts/no-archives.cjs' },
    // Native code, and large packages that few commands load.
    external: [
      'better-sqlite3',
      'pg',
      'pg-native',
      '@redis/client',
      'undici',
      'openpgp',
      'oidc-provider',
      're2js',
      'refa',
      '@eslint-community/regexpp',
      'ajv/dist/2020.js',
      '@viz-js/viz',
      '@open-policy-agent/opa-wasm',
      '@opentelemetry/sdk-trace-node',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      'web-tree-sitter',
    ],
  });
