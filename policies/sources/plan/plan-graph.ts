import type { Graph, GraphEdge, GraphNode, NodeChange } from '../../../core/graph/graph.js';
import { sectionStyles } from '../../engine/section-styles.js';
import type { PlannedResource } from '../../engine/planned-resource.js';
import type { PlanConfiguration } from './plan-configuration.js';
import { sectionOf } from './declaring-types.js';
import { type Plan, readPlan } from './read-plan.js';

/** The actions in the order of a diagram: deletions first. */
const changeOrder = [
  'delete',
  'replace',
  'update',
  'create',
  'forget',
  'unchanged',
] as const satisfies readonly NodeChange[];

type Node = Omit<GraphNode, 'id'> & { readonly change: NodeChange };

/** The nodes that a resource refers to, each with the attributes that contain the reference. */
type References = ReadonlyMap<string, readonly string[]>;

/**
 * The resources of a plan, their references, and the action on each.
 *
 * @param file the output of `terraform show -json PLANFILE`.
 * @param name the file's name in messages and the title.
 * @throws CAS7101 when the file is not a plan.
 */
export async function planGraph(file: string, name: string): Promise<Graph> {
  return new PlanDrawing(await readPlan(file, name)).graph(name);
}

/** The diagram of a plan. */
export class PlanDrawing {
  readonly #nodes = new Map<string, Node>();
  readonly #types = new Set<string>();
  /** The instances of repeated resources, by address without key. */
  readonly #instances = new Map<string, string[]>();
  readonly #configuration: PlanConfiguration;

  constructor({ resources, configuration }: Plan) {
    this.#configuration = configuration;
    for (const resource of resources) this.#add(resource);
  }

  #add(resource: PlannedResource): void {
    const { address, mode, type, deposed } = resource;
    if (mode !== 'managed') return;
    const change = changeOf(resource);
    const section = sectionOf(resource);
    const category = section === undefined ? 'resource' : sectionStyles[section].category;
    const name = deposed === undefined ? address : `${address} (deposed ${deposed})`;
    this.#nodes.set(name, {
      name,
      type: change,
      section: `${change.charAt(0).toUpperCase()}${change.slice(1)}`,
      category,
      change,
    });
    if (deposed !== undefined) return;
    this.#types.add(type);
    if (!address.endsWith(']')) return;
    const addressWithoutKey = address.replace(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]$/, '');
    const instances = this.#instances.get(addressWithoutKey);
    if (instances === undefined) this.#instances.set(addressWithoutKey, [address]);
    else instances.push(address);
  }

  /** The diagram; unchanged resources are in it only if a changed one refers to them. */
  graph(title: string): Graph {
    const nodes = changeOrder.flatMap((change) =>
      change === 'unchanged'
        ? []
        : [...this.#nodes.values()].filter((node) => node.change === change),
    );
    const references = new Map(nodes.map(({ name }) => [name, this.#referencesOf(name)] as const));
    const names = new Set([
      ...references.keys(),
      ...[...references.values()].flatMap((each) => [...each.keys()]),
    ]);
    const ids = new Map([...names].map((name, index) => [name, `n${String(index)}`] as const));
    return {
      title,
      edgeKind: 'references',
      nodes: [...ids].flatMap(([name, id]): GraphNode[] => {
        const node = this.#nodes.get(name);
        return node === undefined ? [] : [{ id, ...node }];
      }),
      edges: [...references].flatMap(([name, targets]) =>
        [...targets].map(([target, labels]) => createEdge(ids, [name, target], labels)),
      ),
    };
  }

  #referencesOf(address: string): References {
    const entries = new Map<string, string[]>();
    for (const [attribute, targets] of this.#configuration.targetsOf(address, this.#types))
      for (const target of [...targets].flatMap((each) => this.#instancesOf(each)))
        if (target !== address) entries.set(target, [...(entries.get(target) ?? []), attribute]);
    return entries;
  }

  #instancesOf(target: string): readonly string[] {
    if (target.endsWith('[*]')) return this.#instances.get(target.slice(0, -3)) ?? [];
    return this.#nodes.has(target) ? [target] : [];
  }
}

function createEdge(
  ids: ReadonlyMap<string, string>,
  [from, to]: readonly [string, string],
  labels: readonly string[],
): GraphEdge {
  return { from: ids.get(from) ?? '', to: ids.get(to) ?? '', label: labels.join(', ') };
}

function changeOf({ actions }: PlannedResource): NodeChange {
  if (actions.length > 1) return 'replace';
  const [action] = actions;
  return changeOrder.find((each) => each === action) ?? 'unchanged';
}
