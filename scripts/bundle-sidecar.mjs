// Puts `castellan sidecar` into one file: two hundred small ones cost a fresh process time and memory before its first request.
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
  // Names stay: errors are known by them, and keeping them in any other way costs every request.
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
  legalComments: 'linked',
  mainFields: ['module', 'main'],
  // Stores are loaded when the command line names them.
  external: ['better-sqlite3', 'pg', '@redis/client'],
});
