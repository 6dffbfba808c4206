import type { SchemaNode } from '../policies/engine/schema-paths.js';
import { sections } from '../kinds/index.js';
import { groupLifecyclePolicy } from '../kinds/index.js';

/** A schema as the types are written from it. */
interface TypedNode extends SchemaNode {
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly additionalProperties?: boolean | TypedNode;
}

/** The interfaces and the schemas that they are written from. */
const interfaces: Readonly<Record<string, unknown>> = {
  PrincipalDeclaration: sections.principals,
  RegistrationDeclaration: sections.registrations,
  EnvironmentDeclaration: sections.environments,
  ContainerAppDeclaration: sections.containerApps,
  GroupDeclaration: sections.groups,
  GroupLifecyclePolicyDeclaration: groupLifecyclePolicy.schema,
  WorkspaceDeclaration: sections.workspaces,
  EventhouseDeclaration: sections.eventhouses,
  EventstreamDeclaration: sections.eventstreams,
};

/**
 * The source of constructs/generated/declarations.ts: what each section of castellan.yaml holds, as interfaces whose comments are the
 * schemas' descriptions and limits, so that an editor shows them where a program is written.
 */
export function constructProps(): string {
  const written = Object.entries(interfaces).map(([name, schema]) => {
    const node = schema as TypedNode;
    return `${comment(node, '')}export interface ${name} ${objectType(node, '')}\n`;
  });
  return [
    '// Written by scripts/construct-props.ts from the schemas of castellan.yaml; a test holds the two together (UPDATE_DOCS=1 writes it).',
    "import type { EventstreamNode, SecretReference } from '../../kinds/index.js';\n",
    ...written,
  ].join('\n');
}

function typeOf(node: TypedNode, indent: string): string {
  if (node['x-secret'] === true) return 'SecretReference';
  if (node.enum !== undefined) return node.enum.map((each) => literal(each)).join(' | ');
  if (node.const !== undefined) return literal(node.const);
  const types = Array.isArray(node.type) ? (node.type as readonly string[]) : [String(node.type ?? 'object')];
  return types.map((type) => typeNamed(type, node, indent)).join(' | ');
}

function typeNamed(type: string, node: TypedNode, indent: string): string {
  if (type === 'array') return `readonly ${parenthesized(typeOf(node.items ?? {}, indent))}[]`;
  if (type === 'object') return isEventstreamNode(node) ? 'EventstreamNode' : objectType(node, indent);
  return type === 'integer' ? 'number' : type;
}

function objectType(node: TypedNode, indent: string): string {
  if (node.properties === undefined) {
    const [pattern] = Object.values(node.patternProperties ?? {});
    const value = pattern ?? (typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined);
    return `Readonly<Record<string, ${value === undefined ? 'unknown' : typeOf(value as TypedNode, indent)}>>`;
  }
  const inner = `${indent}  `;
  const required = new Set(node.required ?? []);
  const lines = Object.entries(node.properties).map(([name, child]) => {
    const optional = required.has(name) ? '' : '?';
    return `${comment(child as TypedNode, inner)}${inner}readonly ${name}${optional}: ${typeOf(child as TypedNode, inner)};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

function comment(node: TypedNode, indent: string): string {
  const { description, minimum, maximum, maxLength, maxItems, default: fallback } = node;
  if (description === undefined) return '';
  const limits = [
    minimum === undefined && maximum === undefined ? undefined : `From ${minimum ?? 'any'} to ${maximum ?? 'any'}.`,
    maxLength === undefined ? undefined : `At most ${maxLength} characters.`,
    maxItems === undefined ? undefined : `At most ${maxItems}.`,
    fallback === undefined ? undefined : `@default ${JSON.stringify(fallback)}`,
  ];
  return `${indent}/** ${[description, ...limits]
    .filter((each) => each !== undefined)
    .join(' ')
    .replaceAll('*/', '*\\/')} */\n`;
}

function isEventstreamNode({ properties, required }: TypedNode): boolean {
  return properties !== undefined && Object.keys(properties).sort().join() === 'name,type' && required?.length === 2;
}

function parenthesized(type: string): string {
  return type.includes(' | ') && !type.startsWith('{') ? `(${type})` : type;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replace(/'/g, "\\'")}'` : String(value);
}
