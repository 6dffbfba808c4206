import { stringify } from 'yaml';
import type { DocumentSchema } from './definition/document-schema.js';
import { type InputLimits, nodeLists, type NodeType, nodeTypes, nodeNouns } from './nodes/index.js';
import { exampleNode } from './reference-example.js';

const introduction = `# Nodes of eventstreams

What the \`definition\` of an eventstream may hold: sources, streams, operators and destinations, each with a \`name\` that no other node has,
a \`type\`, and \`properties\` that depend on the type. These pages are written from the descriptions in \`kinds/eventstream/nodes\`, which the
editor's schema, \`castellan check\`, the constructs' types and the service use.

\`\`\`yaml
eventstreams:
  clicks:
    workspace: telemetry
    displayName: clicks
    definition:
      sources: [{ name: web, type: CustomEndpoint }]
      operators:
        - name: big
          type: Filter
          inputNodes: [clicks-stream]
          properties: { conditions: [{ column: { columnName: amount }, operatorType: GreaterThan, value: { dataType: BigInt, value: '100' } }] }
      destinations: [{ name: store, type: Eventhouse, eventhouse: clickstore, inputNodes: [big] }]
\`\`\`

* \`inputNodes\` names what a node reads. Where no \`streams\` are written there is one default stream with all sources, and it is named
  \`DISPLAYNAME-stream\`; the eventstream's name in castellan.yaml followed by \`-stream\` means it, too. A destination without \`inputNodes\`
  reads the default stream.
* A destination of type Eventhouse says \`eventhouse: NAME\` for an eventhouse of the stack; castellan fills in its ids.
* A type that isn't listed passes with a finding of severity info (rule eventstream-node-type), as the service gains types.
* Properties that aren't listed pass, unless they look like a misspelt one.
`;

/**
 * The reference pages of the nodes of eventstreams by their files below docs/reference, generated
 * from their descriptions: one of the whole, and one of each kind of nodes.
 */
export function eventstreamPages(): Readonly<Record<string, string>> {
  const rows = nodeLists.map(
    (list) =>
      `| [\`${list}\`](eventstreams/${list}.md) | ${Object.keys(nodeTypes[list]).join(', ')} |`,
  );
  return {
    'eventstreams.md': `${introduction}\n## Nodes\n\n| list | types |\n|---|---|\n${rows.join('\n')}\n`,
    ...Object.fromEntries(
      nodeLists.map((list) => [`eventstreams/${list}.md`, pageOf(list)] as const),
    ),
  };
}

function pageOf(list: (typeof nodeLists)[number]): string {
  const title = `${list.charAt(0).toUpperCase()}${list.slice(1)}`;
  const types = Object.entries(nodeTypes[list]).map(([typeName, type]) =>
    typeSection(list, typeName, type),
  );
  return `# ${title} of eventstreams\n\nThe \`${list}\` of [a definition](../eventstreams.md).\n\n${types.join('\n')}`;
}

function typeSection(list: string, typeName: string, type: NodeType): string {
  const rows = rowsOf(type.properties as DocumentSchema, '', new Set(type.propertiesFilledIn));
  const table =
    rows.length === 0
      ? 'It has no properties.\n'
      : `| property | value | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
  const example = stringify({ [list]: [exampleNode(typeName, type)] }, { lineWidth: 0 });
  return `## ${typeName}\n\n${type.meaning} ${inputsSentence(type.inputs)}\n\n\`\`\`yaml\n${example}\`\`\`\n\n${table}`;
}

function inputsSentence({ from, min = 0, max = Infinity }: InputLimits): string {
  if (from.length === 0) return 'It has no `inputNodes`: events begin here.';
  const minimum = min > 0 ? `at least ${min} of ` : '';
  const count = min === max ? `${min} ` : minimum;
  const lists = from.map((list) => nodeNouns[list]);
  const nouns =
    lists.length === 1
      ? `${lists[0]}s`
      : `${lists
          .slice(0, -1)
          .map((each) => `${each}s`)
          .join(', ')} and ${lists.at(-1) ?? ''}s`;
  return `It reads ${count}${nouns}.`;
}

function rowsOf(
  schema: DocumentSchema,
  prefix: string,
  propertiesFilledIn: ReadonlySet<string>,
): readonly string[] {
  const {
    properties = {},
    required = [],
    anyOf,
    'x-discriminator': discriminator,
    'x-substitutes': substitutes = {},
  } = schema;
  if (anyOf !== undefined && discriminator !== undefined)
    return anyOf.flatMap((member) => memberRows(member, discriminator, prefix, propertiesFilledIn));
  const substituteOf = new Map(
    Object.entries(substitutes).flatMap(([substitute, names]) =>
      names.map((name) => [name, substitute] as const),
    ),
  );
  return Object.entries(properties).flatMap(([name, property]) => {
    const requirement = required.includes(name)
      ? requirementText(propertiesFilledIn.has(name), substituteOf.get(name))
      : '';
    const row = `| \`${prefix}${name}\`${requirement} | ${valueText(property)} | ${escapeCell(property.description ?? '')}${defaultText(property)} |`;
    const { items, suffix } =
      property.items === undefined
        ? { items: property, suffix: '' }
        : { items: property.items, suffix: '[]' };
    return [row, ...rowsOf(items, `${prefix}${name}${suffix}.`, new Set())];
  });
}

/** The requirement of a property. @param isFilledIn whether castellan fills it in */
function requirementText(isFilledIn: boolean, substitute: string | undefined): string {
  if (isFilledIn) return ' (filled in)';
  return substitute === undefined ? ' (required)' : ` (required, or \`${substitute}\`)`;
}

/** The rows of one member of a choice: the values that select it first, then its properties. */
function memberRows(
  member: DocumentSchema,
  discriminator: string,
  prefix: string,
  propertiesFilledIn: ReadonlySet<string>,
): readonly string[] {
  const { [discriminator]: values, ...properties } = member.properties ?? {};
  const row = `| \`${prefix}${discriminator}\` | ${(values?.enum ?? []).map((each) => `\`${String(each)}\``).join(', ')} | with these: |`;
  return [row, ...rowsOf({ ...member, properties }, prefix, propertiesFilledIn)];
}

function valueText(schema: DocumentSchema): string {
  const { type, enum: words, pattern, minimum, maximum, items, anyOf } = schema;
  if (words !== undefined) return words.map((word) => `\`${String(word)}\``).join(', ');
  if (items !== undefined)
    return `list of ${items.properties === undefined && items.anyOf === undefined ? valueText(items) : 'maps'}`;
  if (anyOf !== undefined)
    return schema['x-discriminator'] === undefined ? anyOf.map(valueText).join(' or ') : 'map';
  const name = typeof type === 'string' ? type : (type?.[0] ?? '');
  if (pattern !== undefined) return 'GUID';
  const range =
    minimum !== undefined && maximum !== undefined
      ? `, ${minimum} to ${maximum}`
      : minimum === undefined
        ? ''
        : `, at least ${minimum}`;
  return `${typeNames[name] ?? 'anything'}${range}`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'true or false',
  object: 'map',
};

function defaultText({ default: value }: DocumentSchema): string {
  return value === undefined ? '' : ` Default: \`${String(value)}\`.`;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
