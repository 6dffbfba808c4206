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

The configuration of a stack, \`version: 1\`. Names are only ever added. This page is written from the schema that editors, \`castellan check\`
and the constructs use; \`castellan schema\` prints it:

\`\`\`yaml
# yaml-language-server: $schema=castellan.schema.json
version: 1
stack: shop
\`\`\`

* \`\${env:NAME}\` is replaced by an environment variable, in any text, number or boolean; \`$\${\` is a literal \`\${\`.
* Secrets are never written down: \`\${env:NAME}\`, \`secret:NAME\` (a secret of the same app) or \`keyvault:URL\`.
* \`include: [groups/*.yaml]\` merges other files in; two files that declare the same thing contradict each other.
* \`castellan.prod.yaml\` beside \`castellan.yaml\` is laid over it with \`--environment prod\`: maps merge, lists replace, \`null\` removes.
* Several documents (\`---\`) in a file are several stacks.
* Names refer to what the same stack declares; object ids refer to what exists already.
`;

/** The reference page of castellan.yaml, written from its schema. */
export function configurationPage(): string {
  const root = stackSchema as unknown as Schema;
  const sections: string[] = [];
  const settings: string[] = [];
  for (const [name, schema] of Object.entries(root.properties ?? {})) {
    const [declared] = Object.values(schema.patternProperties ?? {});
    if (declared?.properties === undefined) settings.push(...rowsOf(name, schema, root.required?.includes(name) === true));
    else
      sections.push(
        `## \`${name}\`\n\n${schema.description ?? ''} Each by a name of your choice.\n\n${table(Object.entries(declared.properties).flatMap(([key, each]) => rowsOf(key, each, declared.required?.includes(key) === true)))}`,
      );
  }
  return `${introduction}\n## Settings of the stack\n\n${table(settings)}\n${sections.join('\n')}`;
}

function table(rows: readonly string[]): string {
  return `| property | value | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function rowsOf(name: string, schema: Schema, required: boolean): readonly string[] {
  const below = { ...schema.properties, ...schema.items?.properties, ...named(schema) };
  const requiredBelow = new Set([...(schema.required ?? []), ...(schema.items?.required ?? [])]);
  const suffix = schema.items?.properties === undefined ? '' : '[]';
  const own = `| \`${name}\`${required ? ' (required)' : ''} | ${valueOf(schema)} | ${escape(schema.description ?? '')}${initial(schema)} |`;
  return [own, ...Object.entries(below).flatMap(([key, each]) => rowsOf(`${name}${suffix}.${key}`, each, requiredBelow.has(key)))];
}

function named(schema: Schema): Readonly<Record<string, Schema>> {
  const [each] = Object.values(schema.patternProperties ?? {});
  return each?.properties === undefined || each.type !== 'object' ? {} : { NAME: each };
}

function valueOf(schema: Schema): string {
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${String(word)}\``).join(', ');
  if (schema.items !== undefined && schema.type === 'array')
    return `list of ${schema.items.properties === undefined ? valueOf(schema.items) : 'maps'}${most(schema.maxItems, 'entries')}`;
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    integer: 'whole number',
    boolean: 'true or false',
    object: 'map',
    array: 'list',
  };
  const types = (typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])).map((type) => words[type] ?? type);
  return `${types.join(' or ')}${rangeOf(schema)}${most(schema.maxLength, 'characters')}`;
}

function rangeOf({ minimum, maximum }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${String(minimum)} to ${String(maximum)}`;
  if (minimum !== undefined) return `, at least ${String(minimum)}`;
  return maximum === undefined ? '' : `, at most ${String(maximum)}`;
}

function most(limit: number | undefined, what: string): string {
  return limit === undefined ? '' : `, at most ${String(limit)} ${what}`;
}

function initial({ default: value }: Schema): string {
  return value === undefined ? '' : ` Default: \`${String(value)}\`.`;
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|');
}
