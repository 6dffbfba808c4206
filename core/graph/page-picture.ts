import { escapeHtmlLine } from '../text/control-characters.js';
import { maxLabelLength, type PlacedNode } from './cluster-layout.js';
import { foldPeople } from './folded-graph.js';
import type { Graph, GraphNode } from './graph.js';
import { layOut } from './layout.js';

/** More edges between clusters than these are shown with the node that the pointer is on. */
const maxUncrowdedEdges = 60;
const signs = {
  create: '+ ',
  update: '~ ',
  replace: '-/+ ',
  delete: '- ',
  forget: '. ',
  unchanged: '',
} as const;

/** The legend of the colours: cards do not write the types of their nodes. */
const categoryMeanings: readonly (readonly [GraphNode['category'], string])[] = [
  ['app', 'app'],
  ['credential', 'registration'],
  ['group', 'group'],
  ['person', 'person'],
  ['store', 'eventhouse'],
  ['stream', 'eventstream'],
  ['place', 'workspace, environment'],
];

/**
 * A graph as a picture for a page with `pictureStyle` and `pictureScript`: an app or a workspace is
 * a frame with what belongs to it, and many people are a number on their groups. The layout within
 * a frame is dagre's.
 */
export function drawPicture(graph: Graph): string {
  const title = escapeHtmlLine(graph.title);
  const { width, height, clusters, nodes, edges } = layOut(foldPeople(graph));
  const hasCards = nodes.some(({ role }) => role !== 'box');
  const isCrowded =
    hasCards || edges.filter(({ crossesClusters }) => crossesClusters).length > maxUncrowdedEdges;
  const frames = clusters.map(
    ({ x, y, width, height }) =>
      `<rect class="frame" x="${x}" y="${y}" width="${width}" height="${height}" rx="12"/>`,
  );
  // after the nodes: from afar, the titles are larger than what is below them
  const titles = clusters.map(
    ({ x, y, title, head }) =>
      `<text class="title${hasCards && head !== undefined ? ' headed' : ''}" x="${x + 16}" y="${y + 24}">${escapeHtmlLine(title)}</text>`,
  );
  const lines = edges.map(
    ({ edge, path, crossesClusters }) =>
      `<path class="edge${crossesClusters ? ' far' : ''}" data-from="${edge.from}" data-to="${edge.to}" d="${path}"><title>${escapeHtmlLine(edge.label ?? '')}</title></path>`,
  );
  const margin = 12;
  const [viewWidth, viewHeight] = [Math.round(width + 2 * margin), Math.round(height + 2 * margin)];
  return `<div class="picture"><div class="tools"><input type="search" placeholder="Filter" aria-label="Filter the nodes of ${title}"><button type="button" class="out" aria-label="Zoom out">−</button><button type="button" class="in" aria-label="Zoom in">+</button><button type="button" class="fit">Fit</button><output></output>${hasCards ? legendOf(nodes.map(({ node }) => node)) : ''}</div>
<div class="stage" tabindex="0" role="group" aria-label="Picture of ${title}; plus, minus, 0 and arrow keys zoom and move"><svg viewBox="${-margin} ${-margin} ${viewWidth} ${viewHeight}" style="max-width:${viewWidth}px;aspect-ratio:${viewWidth}/${viewHeight}"${isCrowded ? ' class="many"' : ''}><title>${title}</title><defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
${frames.join('\n')}
${lines.join('\n')}
${nodes.map(drawNode).join('\n')}
${titles.join('\n')}</svg></div></div>`;
}

function legendOf(nodes: readonly GraphNode[]): string {
  const changes = new Set(nodes.flatMap(({ change }) => change ?? []));
  const categories = new Set(nodes.map(({ category }) => category));
  const legendEntries =
    changes.size > 0
      ? [...changes].map((change) => [change, `${signs[change]}${change}`] as const)
      : categoryMeanings.filter(([category]) => categories.has(category));
  const items = legendEntries.map(([name, text]) => `<li class="${name}">${text}</li>`);
  return `<ul class="legend" aria-label="Colours">${items.join('')}</ul>`;
}

function drawNode({ node, role, x, y, width, height }: PlacedNode): string {
  const { id, name, type, category, change, href, people = [], areOwners = false } = node;
  const sign = change === undefined ? '' : signs[change];
  const shortName = name.length > maxLabelLength ? `${name.slice(0, maxLabelLength - 1)}…` : name;
  const classes = ['node', category, change, role === 'box' ? undefined : role]
    .filter((each) => each !== undefined)
    .join(' ');
  const tooltip = [name, type, ...(people.length === 0 ? [] : [people.join(', ')])].join(' · ');
  const position = (dx: number, dy: number): string =>
    `x="${(x + dx).toFixed(1)}" y="${(y + dy).toFixed(1)}"`;
  const label = escapeHtmlLine(sign + shortName);
  const [singular, plural] = areOwners ? ['owner', 'owners'] : ['person', 'people'];
  const count = `${people.length} ${people.length === 1 ? singular : plural}`;
  const texts =
    role === 'box'
      ? `<text ${position(16, 20)}>${label}</text><text class="type" ${position(16, 36)}>${escapeHtmlLine(type)}</text>${people.length === 0 ? '' : `<text class="type" ${position(16, 52)}>${count}</text>`}`
      : `<text ${position(14, height / 2 + 4.5)}>${label}${people.length === 0 ? '' : `<tspan class="type" dx="7">${count}</tspan>`}</text>`;
  const inset = role === 'box' ? 0 : 3;
  const body = `<rect ${position(0, 0)} width="${width}" height="${height}" rx="${role === 'box' ? 8 : 5}"/><rect class="stripe" ${position(0, inset)} width="6" height="${height - 2 * inset}" rx="3"/>${texts}<title>${escapeHtmlLine(tooltip)}</title>`;
  const attributes = `class="${classes}" data-id="${id}" data-name="${escapeHtmlLine(name)}"`;
  return href === undefined
    ? `<g ${attributes}>${body}</g>`
    : `<g ${attributes}><a href="${escapeHtmlLine(href)}">${body}</a></g>`;
}
