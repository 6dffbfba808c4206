// Bundles the page of `castellan console` into one script and one style sheet, so that its library
// (preact) is needed for the build only.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const source = pathOf('../sandbox/console/page');
const target = join(process.env.CASTELLAN_BUILD ?? pathOf('../dist'), 'sandbox/console/page');

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
