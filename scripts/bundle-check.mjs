// Puts `castellan check` into one file, so that it starts about as fast as node itself.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const target = process.env.CASTELLAN_BUILD ?? at('../dist');
const validators = join(target, 'kinds/stack/validators.bundle.mjs');

// The command itself, which loads what runs. By `require`: an import would look through the whole file for its exports first.
await build({
  entryPoints: [at('../cli/bin.ts')],
  outfile: join(target, 'cli/bin.js'),
  allowOverwrite: true,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  logLevel: 'warning',
  external: ['./main.js', './check-main.js', './sidecar-main.js'],
  supported: { 'dynamic-import': false },
});

const { metafile } = await build({
  entryPoints: [at('../cli/check-main.ts')],
  outfile: join(target, 'cli/check-main.js'),
  allowOverwrite: true,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minify: true,
  logLevel: 'warning',
  mainFields: ['module', 'main'],
  // One letter beyond ASCII, in a licence's author, would double the file in memory: licences stand beside it.
  legalComments: 'linked',
  metafile: true,
  // For files with a mistake only.
  external: ['yaml'],
  plugins: [
    {
      // Workers start from files of their own; rules of one's own are rare.
      name: 'packs-apart',
      setup: (bundle) =>
        bundle.onResolve({ filter: /\/packs\/load-packs\.js$/ }, () => ({ path: '../policies/packs/load-packs.js', external: true })),
    },
    {
      // Options of rules are rare, and what validates them is large.
      name: 'options-apart',
      setup: (bundle) =>
        bundle.onResolve({ filter: /\/policy\/check-options\.js$/ }, () => ({
          path: '../policies/configuration/check-options.js',
          external: true,
        })),
    },
    {
      // The clients are for --live, which runs from main.js.
      name: 'live-apart',
      setup: (bundle) =>
        bundle.onResolve({ filter: /\/live\.js$/ }, ({ importer }) =>
          importer.endsWith('/check/inputs.ts') ? { path: './commands/check/live.js', external: true } : undefined,
        ),
    },
    {
      name: 'compiled-validators',
      setup: (bundle) => bundle.onResolve({ filter: /\/validators\.js$/ }, () => ({ path: validators })),
    },
  ],
});
rmSync(validators);

// What only other paths need gets in unseen where a module that is kept apart moves: its size is a check's starting time.
const stray = Object.keys(metafile.inputs).find((file) =>
  /node_modules\/(undici|better-sqlite3|kysely|fastify|cdktf|constructs)\//.test(file),
);
if (stray !== undefined) throw new Error(`${stray} is in the file of castellan check, which does not need it`);
