import { referenceExamples } from './reference-examples.js';
import { stackSchema } from './schema.js';

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

const introduction = `# castellan.yaml

The configuration of a stack, \`version: 1\`. Fields are never removed or renamed; new ones may be added. These pages are written from the schema that editors, \`castellan check\`
and the constructs use; \`castellan schema\` prints it:

\`\`\`yaml
# yaml-language-server: $schema=castellan.schema.json
version: 1
stack: shop
\`\`\`

* \`\${env:NAME}\` is replaced by an environment variable, in any text, number or boolean; \`$\${\` is a literal \`\${\`.
* Secrets are never written down: \`\${env:NAME}\`, \`secret:NAME\` (a secret of the same app) or \`keyvault:URL\`.
* \`include: [groups/*.yaml]\` merges other files in; declaring the same thing in two files is an error.
* \`castellan.prod.yaml\` beside \`castellan.yaml\` is laid over it with \`--environment prod\`: maps merge, lists replace, \`null\` removes.
* Several documents (\`---\`) in a file are several stacks.
* Names refer to what the same stack declares; object ids refer to what exists already.
`;

/** How many rows a map may have in its parent's table; a larger map gets its own table. */
const maxInlineRows = 3;

/**
 * The reference pages of castellan.yaml by their files below docs/reference, generated from its
 * schema: one of the whole with the settings of the stack, and one of each section. Each has an
 * example, and tables.
 */
export function configurationPages(): Readonly<Record<string, string>> {
  const { properties = {}, required = [] } = stackSchema as unknown as Schema;
  const settings: Record<string, Schema> = {};
  const pages: Record<string, string> = {};
  const sectionRows: string[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const [entrySchema] = Object.values(schema.patternProperties ?? {});
    if (entrySchema?.properties === undefined) {
      settings[name] = schema;
      continue;
    }
    const file = `configuration/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.md`;
    const description = schema.description ?? '';
    pages[file] =
      `# ${name}\n\n${description} Each by a name of your choice. A section of [castellan.yaml](../configuration.md).\n\n${example(name)}${tables(name, entrySchema)}`;
    sectionRows.push(`| [\`${name}\`](${file}) | ${description} |`);
  }
  const sections = `## Sections\n\n| section | what it declares |\n|---|---|\n${sectionRows.join('\n')}\n`;
  const stack = `## Settings of the stack\n\n${example('settings')}${tables('', { properties: settings, required })}`;
  return { 'configuration.md': [introduction, sections, stack].join('\n'), ...pages };
}

function example(section: string): string {
  return `\`\`\`yaml\n${referenceExamples[section] ?? ''}\`\`\`\n\n`;
}

/**
 * The table of a map's properties, and after it one for each larger map in it, under a heading of
 * its own.
 */
function tables(path: string, schema: Schema): string {
  const childTables: string[] = [];
  const rows = Object.entries(childSchemas(schema)).flatMap(([key, each]) => {
    const childRows = rowsOf(key, each, requiredChildren(schema).has(key));
    if (childRows.length <= maxInlineRows + 1) return childRows;
    const childPath = [path, `${key}${each.items?.properties === undefined ? '' : '[]'}`]
      .filter(Boolean)
      .join('.');
    childTables.push(
      `## \`${childPath}\`\n\n${each.description ?? ''}\n\n${tables(childPath, each)}`,
    );
    return childRows
      .slice(0, 1)
      .map((row) => row.replace(/ \|$/, ` Its properties: \`${childPath}\` below. |`));
  });
  return [
    `| property | value | meaning |\n|---|---|---|\n${rows.join('\n')}\n`,
    ...childTables,
  ].join('\n');
}

function rowsOf(name: string, schema: Schema, isRequired: boolean): readonly string[] {
  const suffix = schema.items?.properties === undefined ? '' : '[]';
  const row = `| \`${name}\`${isRequired ? ' (required)' : ''} | ${valueText(schema)} | ${escapeCell(schema.description ?? '')}${defaultText(schema)} |`;
  return [
    row,
    ...Object.entries(childSchemas(schema)).flatMap(([key, each]) =>
      rowsOf(`${name}${suffix}.${key}`, each, requiredChildren(schema).has(key)),
    ),
  ];
}

function childSchemas(schema: Schema): Readonly<Record<string, Schema>> {
  return { ...schema.properties, ...schema.items?.properties, ...namedSchemas(schema) };
}

function requiredChildren({ required = [], items }: Schema): ReadonlySet<string> {
  return new Set([...required, ...(items?.required ?? [])]);
}

function namedSchemas(schema: Schema): Readonly<Record<string, Schema>> {
  const [entrySchema] = Object.values(schema.patternProperties ?? {});
  return entrySchema?.properties === undefined || entrySchema.type !== 'object'
    ? {}
    : { NAME: entrySchema };
}

function valueText(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${String(word)}\``).join(', ');
  if (schema.items !== undefined && schema.type === 'array')
    return `list of ${schema.items.properties === undefined ? valueText(schema.items) : 'maps'}${maximumText(schema.maxItems, 'entries')}`;
  const typeNames: Readonly<Record<string, string>> = {
    string: 'text',
    integer: 'integer',
    boolean: 'true or false',
    object: 'map',
    array: 'list',
  };
  const types = (typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])).map(
    (type) => typeNames[type] ?? type,
  );
  return `${types.join(' or ')}${rangeText(schema)}${maximumText(schema.maxLength, 'characters')}`;
}

function rangeText({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined)
    return `, ${String(minimum)} to ${String(maximum)}`;
  if (minimum !== undefined) return `, at least ${String(minimum)}`;
  return maximum === undefined ? '' : `, at most ${String(maximum)}`;
}

function maximumText(limit: number | undefined, unit: string): string {
  return limit === undefined ? '' : `, at most ${String(limit)} ${unit}`;
}

function defaultText({ default: value }: Schema): string {
  return value === undefined ? '' : ` Default: \`${String(value)}\`.`;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
