import { escapeControlCharacters } from '../text/control-characters.js';
import type { Graph, GraphEdge, GraphNode, NodeChange, NodeCategory } from './graph.js';

/** How a node is drawn. */
interface NodeStyle {
  /** Its attributes in DOT. */
  readonly dot: string;
  /** The brackets around its label in mermaid. */
  readonly open: string;
  readonly close: string;
}

const nodeStyles: Readonly<Record<NodeCategory, NodeStyle>> = {
  source: { dot: 'shape=cds margin="0.25,0.1" fillcolor="#ddf4ff"', open: '>', close: ']' },
  stream: { dot: 'shape=box style="rounded,filled" fillcolor="#f6f8fa"', open: '(', close: ')' },
  operator: { dot: 'shape=hexagon fillcolor="#fff8c5"', open: '{{', close: '}}' },
  store: { dot: 'shape=cylinder fillcolor="#dafbe1"', open: '[(', close: ')]' },
  app: { dot: 'shape=component fillcolor="#ddf4ff"', open: '[', close: ']' },
  person: { dot: 'shape=box style="rounded,filled" fillcolor="#f6f8fa"', open: '([', close: '])' },
  group: { dot: 'shape=ellipse fillcolor="#fbefff"', open: '((', close: '))' },
  credential: { dot: 'shape=note fillcolor="#fff8c5"', open: '>', close: ']' },
  place: { dot: 'shape=folder fillcolor="#f6f8fa"', open: '[/', close: '/]' },
  resource: { dot: 'shape=box fillcolor="#f6f8fa"', open: '[', close: ']' },
};

/**
 * The colours of changes, the same in every language, with a text colour that is readable on them
 * in light and dark pages.
 */
const changeColours: Readonly<Record<NodeChange, { fill: string; line: string }>> = {
  create: { fill: '#dafbe1', line: '#1a7f37' },
  update: { fill: '#fff8c5', line: '#9a6700' },
  replace: { fill: '#ffd8b5', line: '#bc4c00' },
  delete: { fill: '#ffebe9', line: '#cf222e' },
  forget: { fill: '#f6f8fa', line: '#59636e' },
  unchanged: { fill: '#f6f8fa', line: '#818b98' },
};
const signs: Readonly<Record<NodeChange, string>> = {
  create: '+',
  update: '~',
  replace: '-/+',
  delete: '-',
  forget: '.',
  unchanged: '',
};
const changes = Object.keys(signs) as NodeChange[];

/**
 * The graph in the DOT language, from left to right. Nodes have their category and change as
 * classes, for the styles of an SVG.
 */
export function renderDot({ nodes, edges, title }: Graph): string {
  const nodeLine = (each: GraphNode): string => {
    const colours = each.change === undefined ? undefined : changeColours[each.change];
    const changeStyle =
      colours === undefined
        ? ''
        : ` fillcolor="${colours.fill}" color="${colours.line}" penwidth=2`;
    const link = each.href === undefined ? '' : ` href="${escapeDot(each.href)}"`;
    const classes = [each.category, ...(each.change === undefined ? [] : [each.change])].join(' ');
    return `  ${each.id} [label="${escapeDot(nameWithSign(each))}\\n${escapeDot(each.type)}" ${nodeStyles[each.category].dot}${changeStyle}${link} class="${classes}"];`;
  };
  return [
    `digraph "${escapeDot(title)}" {`,
    '  rankdir=LR; bgcolor=transparent; node [style=filled fontname="Helvetica" margin="0.2,0.08"]; edge [fontname="Helvetica" fontsize=10];',
    ...(framesOf(nodes).length > 0
      ? ['  ranksep=0.25; nodesep=0.15; node [fontsize=10 margin="0.13,0.05"]; edge [fontsize=9];']
      : []),
    ...linesInFrames(
      nodes,
      nodeLine,
      (title, index) =>
        `  subgraph cluster_${index} { label="${escapeDot(title)}"; labeljust=l; fontname="Helvetica";`,
      '}',
    ),
    ...invisibleFrameEdges(nodes, edges),
    ...edges.map(
      ({ from, to, label }) =>
        `  ${from} -> ${to}${label === undefined ? '' : ` [label="${escapeDot(label)}"]`};`,
    ),
    '}',
    '',
  ].join('\n');
}

/** The graph in mermaid's language, as Markdown pages draw it. */
export function renderMermaid({ nodes, edges }: Graph): string {
  const label = (node: GraphNode): string =>
    `"${escapeMermaid(nameWithSign(node))}<br/>${escapeMermaid(node.type)}"`;
  const nodeLine = (node: GraphNode): string =>
    `  ${node.id}${nodeStyles[node.category].open}${label(node)}${nodeStyles[node.category].close}`;
  const usedChanges = changes.filter((change) => nodes.some((node) => node.change === change));
  return [
    'flowchart LR',
    ...linesInFrames(
      nodes,
      nodeLine,
      (title, index) => `  subgraph f${index}["${escapeMermaid(title)}"]\n  direction LR`,
      'end',
    ),
    // Without a link, Mermaid sets frames below each other.
    ...framesOf(nodes).flatMap((_, index) =>
      index === 0 ? [] : [`  f${index - 1} ~~~ f${index}`],
    ),
    ...edges.map(
      (edge) =>
        `  ${edge.from} -->${edge.label === undefined ? '' : `|${escapeMermaid(edge.label)}|`} ${edge.to}`,
    ),
    ...usedChanges.map(
      (change) =>
        `  classDef ${change} fill:${changeColours[change].fill},stroke:${changeColours[change].line},color:#1f2328`,
    ),
    ...usedChanges.map((change) => `  class ${idsOf(nodes, change)} ${change}`),
    '',
  ].join('\n');
}

function framesOf(nodes: readonly GraphNode[]): readonly string[] {
  return [...new Set(nodes.flatMap(({ frame }) => frame ?? []))];
}

/** The lines of the nodes, those of a frame between the lines that open and close it. */
function linesInFrames(
  nodes: readonly GraphNode[],
  print: (node: GraphNode) => string,
  open: (title: string, index: number) => string,
  close: string,
): readonly string[] {
  const frames = framesOf(nodes);
  if (frames.length === 0) return nodes.map(print);
  return frames.flatMap((frame, index) => [
    open(frame, index),
    ...nodes.filter((node) => node.frame === frame).map(print),
    `  ${close}`,
  ]);
}

/**
 * Invisible edges from the last nodes of a frame to the first of the next: without them Graphviz
 * puts frames below each other.
 */
function invisibleFrameEdges(
  nodes: readonly GraphNode[],
  edges: readonly GraphEdge[],
): readonly string[] {
  const [targets, origins] = [
    new Set(edges.map(({ to }) => to)),
    new Set(edges.map(({ from }) => from)),
  ];
  const frames = framesOf(nodes).map((frame) =>
    nodes.filter((node) => node.frame === frame).map(({ id }) => id),
  );
  return frames.slice(1).flatMap((ids, index) => {
    const last = (frames[index] ?? []).filter((id) => !origins.has(id));
    const first = ids.filter((id) => !targets.has(id));
    return [
      `  between${index} [style=invis shape=point width=0];`,
      `  { ${last.join(' ')} } -> between${index} -> { ${first.join(' ')} } [style=invis weight=0];`,
    ];
  });
}

/** The graph as text for the terminal: the nodes by section, each with its references or inputs. */
export function renderText({ nodes, edges, edgeKind, title }: Graph): string {
  if (nodes.length === 0) return `${title}: nothing to draw\n`;
  const byId = new Map(nodes.map((node) => [node.id, node] as const));
  const lines: string[] = [];
  for (const section of new Set(nodes.map((node) => node.section))) {
    lines.push(section);
    for (const node of nodes.filter((each) => each.section === section)) {
      const others =
        edgeKind === 'events'
          ? edges.filter(({ to }) => to === node.id).map(({ from }) => byId.get(from)?.name)
          : edges
              .filter(({ from }) => from === node.id)
              .map((edge) => `${byId.get(edge.to)?.name ?? ''}${inBrackets(edge.label)}`);
      const list =
        others.length === 0 ? '' : ` ${edgeKind === 'events' ? '<-' : '->'} ${others.join(', ')}`;
      lines.push(`  ${escapeControlCharacters(`${nameWithSign(node)} (${node.type})${list}`)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function nameWithSign({ name, change }: GraphNode): string {
  return change === undefined ? name : `${signs[change]} ${name}`.trimStart();
}

function inBrackets(label: string | undefined): string {
  return label === undefined ? '' : ` (${label})`;
}

function idsOf(nodes: readonly GraphNode[], change: NodeChange): string {
  return nodes
    .filter((node) => node.change === change)
    .map(({ id }) => id)
    .join(',');
}

function escapeDot(text: string): string {
  return escapeControlCharacters(text).replace(/[\\"]/g, '\\$&');
}

/** A text that stays one label of a Mermaid diagram, whatever it contains. */
export function escapeMermaid(text: string): string {
  return escapeControlCharacters(text)
    .replaceAll('#', '#35;')
    .replaceAll('%', '#37;')
    .replaceAll('`', '#96;')
    .replaceAll('"', '#quot;')
    .replaceAll('<', '#lt;')
    .replaceAll('>', '#gt;')
    .replaceAll('|', '#124;');
}
