import type { Graph, GraphEdge, GraphNode, NodeChange } from '../../../core/graph/graph.js';
import { looks } from '../../engine/looks.js';
import type { PlannedResource } from '../../engine/planned-resource.js';
import { PlanConfiguration } from './configuration.js';
import { sectionOf } from './declarations.js';
import { readPlan } from './read-plan.js';

/** The order of a picture: what ends first. */
const changes = ['delete', 'replace', 'update', 'create', 'forget', 'unchanged'] as const satisfies readonly NodeChange[];

type Node = Omit<GraphNode, 'id'> & { readonly change: NodeChange };

/** What a node refers to, by the name of its node, and the attributes that say so. */
type References = ReadonlyMap<string, readonly string[]>;

/**
 * The resources that a plan touches, what they refer to, and what becomes of each.
 *
 * @param file what `terraform show -json PLANFILE` prints.
 * @param name what messages and the title call the file.
 * @throws CAS7101 when the file is no plan.
 */
export async function planGraph(file: string, name: string): Promise<Graph> {
  const configuration = new PlanConfiguration(() => true);
  const drawing = new PlanDrawing(configuration);
  for await (const _some of drawing.watch(readPlan(file, name, configuration)));
  return drawing.graph(name);
}

/** Draws a plan resource by resource, as it streams in. */
export class PlanDrawing {
  readonly #nodes = new Map<string, Node>();
  readonly #types = new Set<string>();
  /** The instances of what is repeated, by its address without their keys. */
  readonly #instances = new Map<string, string[]>();

  /** @param configuration the configuration behind the plan, which keeps all references. */
  constructor(private readonly configuration: PlanConfiguration) {}

  /** Takes the resources of a plan as they go by. */
  async *watch(resources: AsyncIterable<readonly PlannedResource[]>): AsyncGenerator<readonly PlannedResource[]> {
    for await (const some of resources) {
      for (const resource of some) this.#add(resource);
      yield some;
    }
  }

  #add(resource: PlannedResource): void {
    const { address, mode, type, deposed } = resource;
    if (mode !== 'managed') return;
    const change = changeOf(resource);
    const section = sectionOf(resource);
    const shape = section === undefined ? 'resource' : looks[section].shape;
    const name = deposed === undefined ? address : `${address} (deposed ${deposed})`;
    this.#nodes.set(name, { name, type: change, section: `${change.charAt(0).toUpperCase()}${change.slice(1)}`, shape, change });
    if (change !== 'unchanged') this.configuration.ask(address);
    if (deposed !== undefined) return;
    this.#types.add(type);
    if (!address.endsWith(']')) return;
    const repeated = address.replace(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]$/, '');
    const instances = this.#instances.get(repeated);
    if (instances === undefined) this.#instances.set(repeated, [address]);
    else instances.push(address);
  }

  /** The picture; what is unchanged is in it where something that changes refers to it. */
  graph(title: string): Graph {
    const nodes = changes.flatMap((change) =>
      change === 'unchanged' ? [] : [...this.#nodes.values()].filter((node) => node.change === change),
    );
    const references = new Map(nodes.map(({ name }) => [name, this.#referencesOf(name)] as const));
    const names = new Set([...references.keys(), ...[...references.values()].flatMap((each) => [...each.keys()])]);
    const ids = new Map([...names].map((name, index) => [name, `n${String(index)}`] as const));
    return {
      title,
      arrows: 'references',
      nodes: [...ids].flatMap(([name, id]): GraphNode[] => {
        const node = this.#nodes.get(name);
        return node === undefined ? [] : [{ id, ...node }];
      }),
      edges: [...references].flatMap(([name, targets]) => [...targets].map(([target, labels]) => edge(ids, [name, target], labels))),
    };
  }

  #referencesOf(address: string): References {
    const entries = new Map<string, string[]>();
    for (const [attribute, targets] of this.configuration.targetsOf(address, this.#types))
      for (const target of [...targets].flatMap((each) => this.#instancesOf(each)))
        if (target !== address) entries.set(target, [...(entries.get(target) ?? []), attribute]);
    return entries;
  }

  #instancesOf(target: string): readonly string[] {
    if (target.endsWith('[*]')) return this.#instances.get(target.slice(0, -3)) ?? [];
    return this.#nodes.has(target) ? [target] : [];
  }
}

function edge(ids: ReadonlyMap<string, string>, [from, to]: readonly [string, string], labels: readonly string[]): GraphEdge {
  return { from: ids.get(from) ?? '', to: ids.get(to) ?? '', label: labels.join(', ') };
}

function changeOf({ actions }: PlannedResource): NodeChange {
  if (actions.length > 1) return 'replace';
  const [action] = actions;
  return changes.find((each) => each === action) ?? 'unchanged';
}
