import type { Graph, NodeChange } from '../../../core/graph/graph.js';
import { markdownReport } from '../../../policies/reporters/markdown.js';
import { finding, reportOf } from './example-report.js';

function plan(
  count: number,
  { name = 'azuread_group.g', change = 'create' as NodeChange, everyArrow = false } = {},
): Graph {
  const nodes = Array.from({ length: count }, (_, index) => ({
    id: `n${String(index)}`,
    name: `${name}${String(index)}`,
    type: change,
    section: 'Create',
    category: 'group' as const,
    change,
  }));
  const edges = everyArrow
    ? nodes.flatMap(({ id: from }) => nodes.map(({ id: to }) => ({ from, to, label: 'members' })))
    : [];
  return { title: 'plan.json', edgeKind: 'references', nodes, edges };
}

const comment = (graph: Graph): string => markdownReport({ ...reportOf(finding()), plan: graph });

describe('the picture of a plan in a comment', () => {
  it('is one mermaid block between the findings and the numbers', () => {
    expect(comment(plan(2))).toMatch(
      /\n#### Errors \(1\)\n[^]*\n#### The plan: 2 create\n\n```mermaid\nflowchart LR\n {2}n0\(\([^]*\n```\n\n_1 file, .*_\n$/,
    );
  });

  it('is left out where no plan was drawn, and says where one changes nothing', () => {
    expect(markdownReport(reportOf(finding()))).not.toContain('plan');
    expect(comment(plan(0))).toContain('\nThe plan changes no resource.\n');
  });

  it('draws many resources of one type and change as one node with their number', () => {
    const text = comment(plan(70));
    expect(text).toContain('#### The plan: 70 create');
    expect(text).toContain('"+ 70 × azuread_group<br/>create"');
    expect(text).toContain(
      '\n70 resources are drawn as 1: those of one type and change together; `castellan graph --plan` lists all.\n',
    );
  });

  it('has at most 60 nodes, without arrows to others, and says how many it leaves out', () => {
    const graph = plan(70);
    const text = comment({
      ...graph,
      nodes: graph.nodes.map((node, index) => ({
        ...node,
        name: `azuread_type${String(index)}.g`,
      })),
      edges: [
        { from: 'n0', to: 'n69' },
        { from: 'n0', to: 'n59' },
      ],
    });
    expect(text).toContain('#### The plan: 70 create');
    expect(text.match(/<br\/>create"/g)).toHaveLength(60);
    expect(text.match(/ --> /g)).toEqual([' --> ']);
    expect(text).toContain(
      '\n70 resources are drawn as 60: those of one type and change together; 10 types are left out; `castellan',
    );
  });

  it.each([
    ['arrows', plan(60, { everyArrow: true })],
    ['long names', plan(60, { name: 'x'.repeat(1_000) })],
    ['a name that is too long by itself', plan(1, { name: 'x'.repeat(100_000) })],
  ])('stays below what a host draws for %s, beside many findings', (_, graph) => {
    const text = markdownReport({
      ...reportOf(...Array.from({ length: 2_000 }, () => finding())),
      plan: graph,
    });
    expect(text.length).toBeLessThan(65_536);
    expect(text.match(/ -->/g)?.length ?? 0).toBeLessThanOrEqual(500);
    expect(text.match(/^```/gm)?.length ?? 0).toBe(graph.nodes.length === 1 ? 0 : 2);
    expect(text).toMatch(/more findings are in the full report/);
  });
});
