// Compiles the schemas to code: into dist/policies/schemas/validators.js, and as an ES module for the bundle of the check.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { transformSync } from 'esbuild';

const require = createRequire(import.meta.url);
const standalone = require('ajv/dist/standalone').default;
const { compiler, validatedSchemas } = require('../dist/policies/schemas/compiler.js');

const ajv = compiler({ messages: false, code: { source: true, esm: true } });
const schemas = validatedSchemas();
for (const [name, schema] of Object.entries(schemas)) ajv.addSchema({ ...schema, $id: `castellan:${name}` });
const names = Object.keys(schemas);
const code = standalone(ajv, Object.fromEntries(names.map((name) => [`validate_${name}`, `castellan:${name}`])));
// Our findings need neither the path in the schema nor an inlined push: without them the code is half as long and starts faster.
const compact = code
  .replace(/schemaPath:\s*"(?:[^"\\]|\\.)*",\s*/g, '')
  .replace(
    /if\s*\(vErrors === null\)\s*\{\s*vErrors = \[(err\d+)\];\s*\}\s*else\s*\{\s*vErrors\.push\(\1\);\s*\}/g,
    'vErrors = add(vErrors, $1);',
  );
const add = 'function add(list, error) { if (list === null) return [error]; list.push(error); return list; }';
const table = names.map((name) => `${name}: validate_${name}`).join(', ');
const source = `${compact}\n${add}\nconst validators = { ${table} };\nexport function validatorOf(name) { return validators[name]; }\n`;

const target = new URL('../dist/policies/schemas/', import.meta.url);
writeFileSync(new URL('validators.bundle.mjs', target), source);
writeFileSync(new URL('validators.js', target), transformSync(source, { format: 'cjs', minify: true, treeShaking: true }).code);
