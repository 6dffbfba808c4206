// Bundles the page of `castellan console` into one script and one style sheet; the page's library
// is only needed for the build.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const source = at('../sandbox/console/page');
const target = join(process.env.CASTELLAN_BUILD ?? at('../dist'), 'sandbox/console/page');

mkdirSync(target, { recursive: true });
for (const file of ['index.html', 'favicon.svg'])
  copyFileSync(join(source, file), join(target, file));
await build({
  entryPoints: [join(source, 'console.tsx')],
  outfile: join(target, 'console.js'),
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
  legalComments: 'none',
});
await build({
  entryPoints: [join(source, 'console.css')],
  outfile: join(target, 'console.css'),
  bundle: true,
  minify: true,
  logLevel: 'warning',
});
