import type { SchemaNode } from '../policies/engine/schema-paths.js';
import { timeSpanFormat } from '../kinds/auth/time-span.js';
import { memory } from '../kinds/container-app/container.js';
import { nodeLists, nodeNouns } from '../kinds/eventstream/nodes/index.js';
import { declaredNodeSchema } from '../kinds/eventstream/declared-nodes.js';
import { groupLifecyclePolicy, sections } from '../kinds/index.js';

/** A schema as the generator reads it. */
interface TypedNode extends SchemaNode {
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly additionalProperties?: boolean | TypedNode;
  readonly anyOf?: readonly TypedNode[];
  readonly 'x-name'?: string;
  readonly 'x-nodes'?: keyof typeof nodeNouns;
  readonly 'x-substitutes'?: Readonly<Record<string, readonly string[]>>;
}

/** The singular of a section: `Group` for `groups`. */
export function singular(section: string): string {
  return section.charAt(0).toUpperCase() + section.slice(1, -1);
}

/** The interfaces and their schemas: `GroupDeclaration` for the section `groups`. */
const interfaces: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    Object.entries(sections).map(([section, schema]) => [
      `${singular(section)}Declaration`,
      schema,
    ]),
  ),
  GroupLifecyclePolicyDeclaration: groupLifecyclePolicy.schema,
};

/**
 * The source of constructs/generated/props.ts, which `npm run generate` writes: an interface for
 * each section of castellan.yaml. The comments are the schemas' descriptions and limits, so that
 * editors show them in programs.
 */
export function constructProps(): string {
  const blocks = Object.entries(interfaces).map(([name, schema]) => {
    const node = schema as TypedNode;
    return `${docComment(node, '')}export interface ${name} ${objectType(node, '')}\n`;
  });
  const nodes = nodeLists.map((list) => {
    const node = declaredNodeSchema(list) as TypedNode;
    const types = node.anyOf ?? [];
    const base = `${nodeName(list)}Base`;
    const common = commonProperties(types);
    const members = types.map(
      (member) =>
        `${docComment(member, '  ')}  | (${base} & ${objectType(withoutProperties(member, common), '  ')})\n`,
    );
    const first = types[0] ?? {};
    const baseType = objectType({ ...first, properties: pick(first.properties ?? {}, common) }, '');
    return [
      `/** What every ${nodeNouns[list]} has. */\ninterface ${base} ${baseType}\n\n`,
      `${docComment(node, '')}export type ${nodeName(list)} =\n${members.join('')}`,
      `  /** A type that is not described here: see otherNodeType. */\n  | OtherNode;\n`,
    ].join('');
  });
  return [
    '// Written by scripts/construct-props.ts from the schemas of castellan.yaml: npm run generate.',
    "import type { MemorySize, TimeSpan } from '../container-app/memory-and-duration.js';",
    "import type { IResolvable } from '../internal/cdktf.js';",
    "import type { Secret } from '../internal/secret.js';",
    "import type { OtherNode } from '../items/other-node.js';\n",
    ...blocks,
    ...nodes,
    ...[...sharedTypes].map(
      ([name, type]) =>
        `/** ${name.startsWith('Eventstream') ? 'See docs/reference/eventstreams.md.' : 'Part of several declarations.'} */\nexport type ${name} = ${type};\n`,
    ),
  ].join('\n');
}

/** The properties that all of these schemas have with the same type and comment. */
function commonProperties(types: readonly TypedNode[]): string[] {
  const lines = types.map(
    (type) =>
      new Map(
        Object.keys(type.properties ?? {}).map((name) => [name, propertyLine(type, name, '')]),
      ),
  );
  return [...(lines[0] ?? [])]
    .filter(([name, line]) => lines.every((each) => each.get(name) === line))
    .map(([name]) => name);
}

function withoutProperties(node: TypedNode, names: readonly string[]): TypedNode {
  const { properties = {} } = node;
  return {
    ...node,
    properties: pick(
      properties,
      Object.keys(properties).filter((name) => !names.includes(name)),
    ),
  };
}

/** The template literal types of strings, by the pattern of their schema. */
const stringTypes: ReadonlyMap<string, string> = new Map([
  [memory.pattern, 'MemorySize'],
  [timeSpanFormat.pattern, 'TimeSpan'],
]);

/** The types that several declarations share, by name; filled by `typeOf`. */
const sharedTypes = new Map<string, string>();

function typeOf(node: TypedNode, indent: string): string {
  const { 'x-name': shared, ...unnamed } = node;
  if (shared !== undefined) {
    if (!sharedTypes.has(shared)) sharedTypes.set(shared, typeOf(unnamed, ''));
    return shared;
  }
  if (node['x-secret'] === true) return 'Secret';
  if (node.enum !== undefined) return node.enum.map((each) => literal(each)).join(' | ');
  if (node.const !== undefined) return literal(node.const);
  if (node['x-nodes'] !== undefined) return nodeName(node['x-nodes']);
  if (node.anyOf !== undefined) return node.anyOf.map((each) => typeOf(each, indent)).join(' | ');
  if (node.type === undefined && node.properties === undefined) return 'unknown';
  const types = Array.isArray(node.type)
    ? (node.type as readonly string[])
    : [String(node.type ?? 'object')];
  return types.map((type) => typeScriptTypeOf(type, node, indent)).join(' | ');
}

function typeScriptTypeOf(type: string, node: TypedNode, indent: string): string {
  if (type === 'array') return `readonly ${entryType(node.items ?? {}, indent)}[]`;
  if (type === 'object') return objectType(node, indent);
  // numbers and texts have tokens of their own types
  if (type === 'boolean') return 'boolean | IResolvable';
  if (type === 'string')
    return stringTypes.get((node as { pattern?: string }).pattern ?? '') ?? type;
  return type === 'integer' ? 'number' : type;
}

function objectType(node: TypedNode, indent: string): string {
  if (node.properties === undefined) {
    const [pattern] = Object.values(node.patternProperties ?? {});
    const value =
      pattern ??
      (typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined);
    return `Readonly<Record<string, ${value === undefined ? 'unknown' : typeOf(value as TypedNode, indent)}>>`;
  }
  const inner = `${indent}  `;
  const required = new Set(node.required ?? []);
  const { 'x-substitutes': substitutes = {}, properties } = node;
  // of `x-substitutes`: a property, and the required ones that may be left out when it is set
  const alternativeNames = new Set(
    Object.entries(substitutes).flatMap(([substitute, names]) => [
      substitute,
      ...names.filter((name) => required.has(name)),
    ]),
  );
  const alternatives = Object.entries(substitutes)
    .map(([substitute, names]) => [substitute, names.filter((name) => required.has(name))] as const)
    .filter(([, names]) => names.length > 0)
    .map(([substitute, names]) => {
      const withNames = { type: 'object', properties: pick(properties, names), required: names };
      const withSubstitute = {
        type: 'object',
        properties: pick(properties, [substitute]),
        required: [substitute],
      };
      return ` & ${shareUnion(names, substitute, `${objectType(withNames, '')} | ${objectType(withSubstitute, '')}`)}`;
    });
  const lines = Object.keys(properties).flatMap((name) =>
    alternatives.length > 0 && alternativeNames.has(name) ? [] : propertyLine(node, name, inner),
  );
  const own =
    lines.length === 0 ? 'Readonly<Record<string, unknown>>' : `{\n${lines.join('')}${indent}}`;
  return `${own}${alternatives.join('')}`;
}

/** Adds the union of alternative properties to the shared types; returns its name. */
function shareUnion(names: readonly string[], substitute: string, type: string): string {
  const name = [...names, substitute]
    .map((each) => each.charAt(0).toUpperCase() + each.slice(1))
    .join('Or');
  sharedTypes.set(name, type);
  return name;
}

function propertyLine(
  { properties = {}, required = [] }: TypedNode,
  name: string,
  indent: string,
): string {
  const child = properties[name] as TypedNode;
  const [mark, unset] = required.includes(name) ? ['', ''] : ['?', ' | undefined'];
  return `${docComment(child, indent)}${indent}readonly ${name}${mark}: ${typeOf(child, indent)}${unset};\n`;
}

function pick(
  properties: Readonly<Record<string, SchemaNode>>,
  names: readonly string[],
): Record<string, SchemaNode> {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name)));
}

/** The name of the type of a list's nodes, such as EventstreamSource. */
function nodeName(list: keyof typeof nodeNouns): string {
  const word = nodeNouns[list];
  return `Eventstream${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** The doc comment of a property: its meaning, its limits and its default. */
export function docComment(node: TypedNode, indent: string): string {
  const { description, minimum, maximum, maxLength, maxItems, default: fallback } = node;
  if (description === undefined) return '';
  const limits = [
    rangeText(minimum, maximum),
    maxLength === undefined ? undefined : `At most ${maxLength} characters.`,
    maxItems === undefined ? undefined : `At most ${maxItems} entries.`,
    fallback === undefined ? undefined : `@default ${JSON.stringify(fallback)}`,
  ];
  return `${indent}/** ${[description, ...limits]
    .filter((each) => each !== undefined)
    .join(' ')
    .replaceAll('*/', '*\\/')} */\n`;
}

/** The limits of a number as a sentence; undefined if it has none. */
function rangeText(minimum: number | undefined, maximum: number | undefined): string | undefined {
  if (minimum === undefined) return maximum === undefined ? undefined : `At most ${maximum}.`;
  return maximum === undefined ? `At least ${minimum}.` : `From ${minimum} to ${maximum}.`;
}

/** The type of a list's entries: unions and intersections are put in parentheses. */
function entryType(node: TypedNode, indent: string): string {
  const isUnion =
    node['x-name'] === undefined &&
    ((node.enum ?? node.anyOf ?? []).length > 1 || node['x-substitutes'] !== undefined);
  return isUnion ? `(${typeOf(node, indent)})` : typeOf(node, indent);
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replace(/'/g, "\\'")}'` : String(value);
}
