// Writes docs/rules: each page from its rule and its examples, with the examples in TypeScript too,
// and the list in index.md. To add a rule's page, create it with `## Failing` and `## Passing`,
// each with a block of YAML.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = pathOf('../node_modules/.cache/castellan-rule-pages');
const bundle = `${folder}/pages.cjs`;
mkdirSync(folder, { recursive: true });
const entry =
  "export { rules } from '../policies/rules/index.js'; export { rulePage, ruleTables } from './rule-pages/rule-page.js';";
const options = [
  '--bundle',
  '--platform=node',
  '--packages=external',
  '--log-level=error',
  '--loader=ts',
  `--outfile=${bundle}`,
];
execFileSync(pathOf('../node_modules/.bin/esbuild'), options, { input: entry, cwd: pathOf('.') });
const { rules, rulePage, ruleTables } = createRequire(import.meta.url)(bundle);

const page = (id) => pathOf(`../docs/rules/${id}.md`);
for (const rule of rules) {
  const text = existsSync(page(rule.id)) ? readFileSync(page(rule.id), 'utf8') : '';
  writeFileSync(page(rule.id), rulePage(rule, text));
}
const index = readFileSync(page('index'), 'utf8');
writeFileSync(
  page('index'),
  index.replace(/^## Who gets in$[\s\S]*?(?=^## Mistakes in the files)/m, () => ruleTables(rules)),
);
