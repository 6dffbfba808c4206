import { describe, expect, it } from 'vitest';
import { clustersOf } from '../../../core/graph/clusters.js';
import { renderHtml } from '../../../core/graph/html-page.js';
import { drawPicture } from '../../../core/graph/page-picture.js';
import { foldPeople } from '../../../core/graph/folded-graph.js';
import type { Graph, GraphEdge, GraphNode } from '../../../core/graph/graph.js';
import type { Box } from '../../../core/graph/box-packing.js';
import { layOut } from '../../../core/graph/layout.js';

const node = (
  id: string,
  category: GraphNode['category'],
  section: string,
  type = category,
): GraphNode => ({
  id,
  name: id,
  category,
  section,
  type,
});

/** Apps, each with a registration and a group of its own, one group of all, owners, a workspace. */
function stackOf(apps: number, people: number): Graph {
  const nodes: GraphNode[] = [
    node('all', 'group', 'Groups'),
    node('ws', 'place', 'Workspaces', 'workspace' as never),
  ];
  const edges: GraphEdge[] = [];
  for (let index = 0; index < people; index++)
    nodes.push(node(`person${index}`, 'person', 'Principals'));
  for (let index = 0; index < apps; index++) {
    nodes.push(
      node(`app${index}`, 'app', 'Container apps'),
      node(`login${index}`, 'credential', 'Registrations'),
      node(`team${index}`, 'group', 'Groups'),
      node(`house${index}`, 'store', 'Eventhouses'),
    );
    edges.push(
      { from: `app${index}`, to: `login${index}`, label: 'registration' },
      { from: `app${index}`, to: `team${index}`, label: 'allowedGroups' },
      { from: `app${index}`, to: 'all', label: 'allowedGroups' },
      { from: `team${index}`, to: `person${index % people}`, label: 'owners' },
      { from: `house${index}`, to: 'ws', label: 'workspace' },
    );
  }
  return { title: 'stack', edgeKind: 'references', nodes, edges };
}

function overlap(a: Box, b: Box): boolean {
  const isBeside = a.x >= b.x + b.width || b.x >= a.x + a.width;
  return !isBeside && a.y < b.y + b.height && b.y < a.y + a.height;
}

describe('the picture of a stack', () => {
  it('frames each app with what only it uses, and each workspace with its items', () => {
    const clusters = clustersOf(foldPeople(stackOf(2, 9)));
    expect(Object.fromEntries(clusters.map(({ title, nodes }) => [title, nodes]))).toEqual({
      Groups: ['all'],
      ws: ['ws', 'house0', 'house1'],
      app0: ['app0', 'login0', 'team0'],
      app1: ['app1', 'login1', 'team1'],
    });
  });

  it('draws few people one by one, and many as a number on their groups', () => {
    expect(
      foldPeople(stackOf(2, 2)).nodes.filter(({ category }) => category === 'person'),
    ).toHaveLength(2);
    const { nodes, edges } = foldPeople(stackOf(9, 9));
    expect(nodes.some(({ category }) => category === 'person')).toBe(false);
    expect(nodes.find(({ id }) => id === 'team3')?.people).toEqual(['person3']);
    expect(edges.some(({ to }) => to.startsWith('person'))).toBe(false);
  });

  it('tells owners of a group that a rule fills from people in it', () => {
    const graph = stackOf(9, 9);
    const withMember: Graph = {
      ...graph,
      edges: [...graph.edges, { from: 'team4', to: 'person0', label: 'members' }],
    };
    const picture = drawPicture(withMember);
    expect(picture).toContain('>1 owner<');
    expect(picture.match(/>2 people</g)).toHaveLength(1);
  });

  it.each([1, 7, 38, 250])(
    'of %d apps has the proportions of a screen, and no node on another',
    (apps) => {
      const { width, height, nodes, clusters } = layOut(foldPeople(stackOf(apps, 20)));
      if (apps > 1) expect(width / height).toBeGreaterThan(0.8);
      if (apps > 1) expect(width / height).toBeLessThan(3);
      for (const boxes of [nodes, clusters])
        expect(
          boxes.some((box, index) =>
            boxes.slice(index + 1).some((otherBox) => overlap(box, otherBox)),
          ),
        ).toBe(false);
    },
  );

  it('of many apps consists of cards, with the apps as their headings', () => {
    const rolesOf = (apps: number) =>
      new Set(layOut(foldPeople(stackOf(apps, 9))).nodes.map(({ role }) => role));
    expect(rolesOf(2)).toEqual(new Set(['box']));
    expect(rolesOf(38)).toEqual(new Set(['heading', 'row']));
    const { nodes, clusters, width } = layOut(foldPeople(stackOf(38, 9)));
    expect(width).toBeLessThan(1_600);
    for (const { node, ...placement } of nodes) {
      const frame = clusters.find((box) => overlap(box, placement));
      expect(frame).toBeDefined();
      expect(placement.x + placement.width).toBeLessThanOrEqual(frame!.x + frame!.width);
      expect(placement.y + placement.height).toBeLessThanOrEqual(frame!.y + frame!.height);
      if (node.category === 'app')
        expect([placement.role, frame?.title]).toEqual(['heading', node.name]);
    }
  });

  it('says in cards what the colours mean', () => {
    expect(drawPicture(stackOf(2, 2))).not.toContain('class="legend"');
    expect(drawPicture(stackOf(38, 9))).toContain(
      '<li class="app">app</li><li class="credential">registration</li><li class="group">group</li>',
    );
  });

  it('is one file that loads nothing, with its nodes and their names escaped', async () => {
    const graph = stackOf(2, 2);
    const page = await renderHtml({ ...graph, title: '<b>' });
    expect(page).toContain('castellanPicture(document.querySelector');
    expect(page).not.toMatch(/(src|href)="?(https?:)?\/\//);
    expect(page).not.toContain('<b>');
    expect(page.match(/class="node/g)).toHaveLength(graph.nodes.length);
  });

  it('of a flow of events is one frame from left to right, with the same script', async () => {
    const nodes = ['web', 'filter', 'store'].map((id) => node(id, 'stream', 'Streams'));
    const edges = [
      { from: 'web', to: 'filter' },
      { from: 'filter', to: 'store' },
    ];
    const flow: Graph = { title: 'clicks', edgeKind: 'events', nodes, edges };
    const { clusters, nodes: placedNodes } = layOut(foldPeople(flow));
    expect(clusters.map(({ title }) => title)).toEqual(['clicks']);
    const places = placedNodes.map(({ x }) => x);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(new Set(places).size).toBe(3);
    expect(await renderHtml(flow)).toContain('castellanPicture(document.querySelector');
  });
});
