import type { NodeList } from '../references.js';
import type { Graph, GraphNode } from './graph.js';

const titles: Readonly<Record<NodeList, string>> = {
  sources: 'Sources',
  streams: 'Streams',
  operators: 'Operators',
  destinations: 'Destinations',
};

const look: Readonly<Record<NodeList, { dot: string; open: string; close: string }>> = {
  sources: { dot: 'shape=cds margin="0.25,0.1" fillcolor="#ddf4ff"', open: '>', close: ']' },
  streams: { dot: 'shape=box style="rounded,filled" fillcolor="#f6f8fa"', open: '(', close: ')' },
  operators: { dot: 'shape=hexagon fillcolor="#fff8c5"', open: '{{', close: '}}' },
  destinations: { dot: 'shape=cylinder fillcolor="#dafbe1"', open: '[(', close: ')]' },
};

/** The graph in the DOT language, from left to right. */
export function printDot({ nodes, edges }: Graph): string {
  const escaped = (text: string): string => text.replace(/[\\"]/g, '\\$&').replace(/\r?\n/g, ' ');
  return [
    'digraph eventstream {',
    '  rankdir=LR; node [style=filled fontname="Helvetica"];',
    ...nodes.map((node) => `  ${node.id} [label="${escaped(node.name)}\\n${escaped(node.type)}" ${look[node.list].dot}];`),
    ...edges.map(({ from, to }) => `  ${from.id} -> ${to.id};`),
    '}',
    '',
  ].join('\n');
}

/** The graph in mermaid's language, as Markdown pages draw it. */
export function printMermaid({ nodes, edges }: Graph): string {
  const label = (node: GraphNode): string => `"${`${node.name}<br/>${node.type}`.replaceAll('"', '#quot;').replace(/\r?\n/g, ' ')}"`;
  return [
    'flowchart LR',
    ...nodes.map((node) => `  ${node.id}${look[node.list].open}${label(node)}${look[node.list].close}`),
    ...edges.map(({ from, to }) => `  ${from.id} --> ${to.id}`),
    '',
  ].join('\n');
}

/** The graph as text for the terminal: the nodes by kind, each with what it reads. */
export function printText({ nodes, edges }: Graph): string {
  const lines: string[] = [];
  for (const list of ['sources', 'streams', 'operators', 'destinations'] as const) {
    const members = nodes.filter((node) => node.list === list);
    if (members.length === 0) continue;
    lines.push(titles[list]);
    for (const node of members) {
      const inputs = edges.filter(({ to }) => to === node).map(({ from }) => from.name);
      lines.push(`  ${node.name} (${node.type})${inputs.length === 0 ? '' : ` <- ${inputs.join(', ')}`}`);
    }
  }
  return lines.length === 0 ? 'an empty eventstream\n' : `${lines.join('\n')}\n`;
}
