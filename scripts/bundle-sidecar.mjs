// Bundles `castellan sidecar` into one file: loading two hundred small files costs a new process
// time and memory.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const target = process.env.CASTELLAN_BUILD ?? at('../dist');

await build({
  entryPoints: [at('../cli/sidecar-main.ts')],
  outfile: join(target, 'cli/sidecar-main.js'),
  allowOverwrite: true,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // Keeps class names, by which errors are recognized; the other way to keep names slows down every
  // request.
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
  legalComments: 'linked',
  mainFields: ['module', 'main'],
  // Session stores are loaded only when the command line names them.
  external: ['better-sqlite3', 'pg', '@redis/client'],
});
