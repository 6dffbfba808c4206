// Compiles the schemas to code: into dist/kinds/stack/validators.js, and as an ES module for the bundle of the check.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

const require = createRequire(import.meta.url);
const folder = join(process.env.CASTELLAN_BUILD ?? 'dist', 'kinds/stack');
const standalone = require('ajv/dist/standalone').default;
const { compiler, validatedSchemas } = require(join(folder, 'compiler.js'));

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

writeFileSync(join(folder, 'validators.bundle.mjs'), source);
writeFileSync(join(folder, 'validators.js'), transformSync(source, { format: 'cjs', minify: true, treeShaking: true }).code);
