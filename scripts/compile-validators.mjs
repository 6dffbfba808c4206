// Compiles the schemas to code: into dist/kinds/stack/validators.js, and for the bundle.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const require = createRequire(import.meta.url);
const folder = join(process.env.CASTELLAN_BUILD ?? 'dist', 'kinds/stack');
/**
 * Keywords that are annotations, if their values are no objects: properties of these names have a
 * schema as their value.
 */
const annotationKeywords = new Set(['title', 'description', '$schema']);
const metadataKeyword = 'x-metadata';
const standalone = require('ajv/dist/standalone').default;
const { createCompiler, schemasToCompile } = require(join(folder, 'schema-compiler.js'));

const ajv = createCompiler({ messages: false, code: { source: true, esm: true } });
const schemas = schemasToCompile();
for (const [name, schema] of Object.entries(schemas))
  ajv.addSchema({ ...withoutAnnotations(schema), $id: `castellan:${name}` });
const names = Object.keys(schemas);
/** The function to which the validators' code for errors is shortened. */
const addFunction = `function add(list, instancePath, keyword, params) {
  const error = { instancePath, keyword, params };
  if (list === null) return [error];
  list.push(error);
  return list;
}`;

/** The code of a module with the validators of some schemas. */
function moduleOf(schemaNames) {
  const code = standalone(
    ajv,
    Object.fromEntries(schemaNames.map((name) => [`validate_${name}`, `castellan:${name}`])),
  );
  // Findings do not use the path in the schema; leaving it and inlined pushes out makes the code
  // half as long and faster to start.
  const compact = code
    .replace(/schemaPath:\s*"(?:[^"\\]|\\.)*",\s*/g, '')
    .replace(
      /if\s*\(vErrors === null\)\s*\{\s*vErrors = \[(err\d+)\];\s*\}\s*else\s*\{\s*vErrors\.push\(\1\);\s*\}/g,
      'vErrors = add(vErrors, $1);',
    )
    .replace(
      /const (err\d+) = \{\s*instancePath(?::\s*([^;{}]+?))?,\s*keyword:\s*("\w+"),\s*params:\s*(\{.*?\})\s*\};\s*vErrors = add\(vErrors, \1\);/g,
      (_, _name, path = 'instancePath', keyword, params) =>
        `vErrors = add(vErrors, ${path}, ${keyword}, ${params});`,
    )
    // Counts characters only where the number of code units does not decide: a text never has more
    // characters than units, and one unit is one character.
    .replace(/(func\d+)\((data\d*)\) > (\d+)/g, '($2.length > $3 && $1($2) > $3)')
    .replace(/func\d+\((data\d*)\) < 1(?!\d)/g, '$1.length < 1')
    // an error of the condition of an `if` is only counted
    .replace(/const (err\d+) = \{\};\s*vErrors = add\(vErrors, \1\);/g, 'vErrors = add(vErrors);');
  if (/const err\d+ =/.test(compact))
    throw new Error('ajv generates code for errors that this script does not recognize');
  const table = schemaNames.map((name) => `${name}: validate_${name}`).join(', ');
  return `${compact}\n${addFunction}\nconst validators = { ${table} };\nexport function validatorOf(name) { return validators[name]; }\n`;
}

/** A schema without its annotations. */
function withoutAnnotations(schema) {
  if (Array.isArray(schema)) return schema.map(withoutAnnotations);
  if (schema === null || typeof schema !== 'object') return schema;
  const entries = Object.entries(schema).filter(
    ([name, value]) =>
      !(annotationKeywords.has(name) && typeof value !== 'object') && name !== metadataKeyword,
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutAnnotations(value)]));
}

// One for `require`, and one for the bundle: there a CommonJS module is a function, whose text V8
// reads once more when it is called.
const code = moduleOf(names);
const write = (file, format) =>
  writeFileSync(file, transformSync(code, { format, minify: true, treeShaking: true }).code);
write(join(folder, 'validators.js'), 'cjs');
write(fileURLToPath(new URL('../node_modules/.cache/validators.mjs', import.meta.url)), 'esm');
