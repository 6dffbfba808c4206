import { isDeepStrictEqual } from 'node:util';
import type { Graph, GraphEdge, GraphNode, NodeChange } from '../../core/graph/graph.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { sections } from '../../kinds/stack/schema.js';
import { prepareStack } from './check-stack.js';
import { sectionStyles } from '../engine/section-styles.js';
import { referencesOf } from '../engine/references.js';
import { type Declaration, isUnified, type Reference } from '../engine/stack-index.js';
import type { LoadedStack } from '../model/loaded-stack.js';

/** The key of a declaration, `section name`: names are unique within a section only. */
type DeclarationsByKey = ReadonlyMap<string, Declaration>;

/**
 * The graph of a stack's declarations and references: sign-ins, owners, event flows. The arrows are
 * the references that the schema marks, labelled with their property.
 *
 * @param env the variables for `${env:NAME}`.
 */
export function stackGraph(
  stack: LoadedStack,
  env: Readonly<Record<string, string | undefined>>,
): Graph {
  const declarations = declarationsByKey(stack, env);
  return buildGraph(stack.config.stack, declarations, () => undefined);
}

/** An environment of a stack, with its title in a diagram. */
export interface ComparedEnvironment {
  readonly name: string;
  readonly stack: LoadedStack;
}

/** The differences between two environments: as a list, and as a diagram of both side by side. */
export interface ComparedGraphs {
  /** Each declaration once, with its change. */
  readonly merged: Graph;
  /** Each environment in a frame, with all of its declarations. */
  readonly sideBySide: Graph;
}

/**
 * Compares two environments of a stack: declarations only in `to` are created, only in `from`
 * deleted, and changed ones updated. In the diagram, each environment has its own declarations and
 * arrows.
 */
export function comparedGraphs(
  from: ComparedEnvironment,
  to: ComparedEnvironment,
  env: Readonly<Record<string, string | undefined>>,
): ComparedGraphs {
  const [before, after] = [declarationsByKey(from.stack, env), declarationsByKey(to.stack, env)];
  const change = (key: string): NodeChange => {
    const [old, current] = [before.get(key), after.get(key)];
    if (old === undefined) return 'create';
    if (current === undefined) return 'delete';
    return isDeepStrictEqual(old.value, current.value) ? 'unchanged' : 'update';
  };
  const title = `${from.stack.config.stack}: ${from.name} to ${to.name}`;
  const fromGraph = buildGraph(title, before, change, { frame: from.name });
  const toGraph = buildGraph(title, after, change, {
    frame: to.name,
    firstNumber: fromGraph.nodes.length,
  });
  return {
    merged: buildGraph(title, new Map([...before, ...after]), change),
    sideBySide: {
      ...fromGraph,
      nodes: [...fromGraph.nodes, ...toGraph.nodes],
      edges: [...fromGraph.edges, ...toGraph.edges],
    },
  };
}

function declarationsByKey(
  stack: LoadedStack,
  env: Readonly<Record<string, string | undefined>>,
): DeclarationsByKey {
  const { declarations } = prepareStack(stack, { env, rules: [] });
  return new Map(
    declarations.map((declaration) => [
      declarationKey(declaration.section, declaration.name),
      declaration,
    ]),
  );
}

/** @param within the enclosing frame of the diagram, and the number of its first node. */
function buildGraph(
  title: string,
  declarations: DeclarationsByKey,
  change: (key: string) => NodeChange | undefined,
  { firstNumber = 0, ...within }: { readonly firstNumber?: number; readonly frame?: string } = {},
): Graph {
  const order = Object.keys(sections);
  const sorted = [...declarations].sort(
    ([, a], [, b]) => order.indexOf(a.section) - order.indexOf(b.section),
  );
  const ids = new Map(sorted.map(([key], index) => [key, `n${firstNumber + index}`] as const));
  const nodes = sorted.map(([key, declaration]): GraphNode => {
    const { heading, category } = sectionStyles[declaration.section];
    const nodeChange = change(key);
    return {
      id: ids.get(key) ?? key,
      name: declaration.name,
      type: typeOf(declaration),
      section: heading,
      category,
      ...within,
      ...omitUndefined({ change: nodeChange }),
    };
  });
  return {
    title,
    edgeKind: 'references',
    nodes,
    edges: sorted.flatMap(([key, declaration]) => edgesOf(key, declaration, ids)),
  };
}

function edgesOf(
  key: string,
  declaration: Declaration,
  ids: ReadonlyMap<string, string>,
): readonly GraphEdge[] {
  const edges = new Map<string, GraphEdge>();
  for (const { name, kinds, path } of [
    ...referencesOf(declaration),
    ...destinationsOf(declaration),
  ]) {
    const target = kinds
      .map((kind) => ids.get(declarationKey(kind, name)))
      .find((id) => id !== undefined);
    const from = ids.get(key);
    const label = path.filter((step) => typeof step === 'string').at(-1);
    if (target === undefined || from === undefined) continue;
    edges.set(`${target} ${label ?? ''}`, {
      from,
      to: target,
      ...(label !== undefined && { label: String(label) }),
    });
  }
  return [...edges.values()];
}

/** The eventhouses that an eventstream's inline definition writes to, by name. */
function destinationsOf(from: Declaration): readonly Reference[] {
  if (from.section !== 'eventstreams') return [];
  const { definition } = (from as Declaration<'eventstreams'>).value;
  const nodes: readonly unknown[] = Array.isArray(definition?.destinations)
    ? definition.destinations
    : [];
  return nodes.flatMap((node, index): Reference[] => {
    const name = (node as { readonly eventhouse?: unknown } | null)?.eventhouse;
    if (typeof name !== 'string') return [];
    return [
      {
        from,
        name,
        kinds: ['eventhouses'],
        mustBeDeclared: false,
        path: ['definition', 'destinations', index, 'eventhouse'],
      },
    ];
  });
}

function typeOf(declaration: Declaration): string {
  if (declaration.section === 'groups')
    return isUnified((declaration as Declaration<'groups'>).value)
      ? 'unified group'
      : 'security group';
  if (declaration.section === 'principals')
    return Object.keys(declaration.value).find((key) => key !== 'groupKind') ?? 'principal';
  return sectionStyles[declaration.section].type;
}

function declarationKey(section: string, name: string): string {
  return `${section} ${name}`;
}
