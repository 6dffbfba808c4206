import type { Graph, GraphNode, NodeChange } from '../../../../core/graph/graph.js';
import { renderHtml } from '../../../../core/graph/html-page.js';
import { describeGrouping, groupPlan } from '../../../../policies/sources/plan/grouped-plan.js';

const node = (name: string, change: NodeChange = 'create'): GraphNode => ({
  id: name.replace(/\W/g, '_'),
  name,
  type: change,
  section: change,
  category: 'resource',
  change,
});
const planGraph = (nodes: readonly GraphNode[], edges: Graph['edges'] = []): Graph => ({
  title: 'plan.json',
  edgeKind: 'references',
  nodes,
  edges,
});
const nodesOfType = (type: string, count: number, change?: NodeChange): GraphNode[] =>
  Array.from({ length: count }, (_, index) => node(`${type}.x${String(index)}`, change));

describe('a plan with many resources', () => {
  it('is drawn unchanged while it is readable', () => {
    const small = planGraph(nodesOfType('azuread_group', 60));
    expect(groupPlan(small)).toBe(small);
    expect(describeGrouping(small, groupPlan(small))).toBeUndefined();
  });

  it('has one node for the resources of a type, a module and a change, and one arrow between two of them', () => {
    const nodes = [
      ...nodesOfType('azuread_group', 200),
      ...nodesOfType('azuread_group', 100, 'delete').map((each) => ({
        ...each,
        id: `old_${each.id}`,
      })),
      ...nodesOfType('module.shop["a"].azuread_group', 2),
      node('azurerm_resource_group.one'),
    ];
    const edges = ['azuread_group_x1', 'azuread_group_x2'].map((from) => ({
      from,
      to: 'azurerm_resource_group_one',
      label: 'in',
    }));
    const drawn = groupPlan(planGraph(nodes, edges));
    expect(drawn.nodes.map(({ name, change }) => `${name} ${String(change)}`)).toEqual([
      '200 × azuread_group create',
      '100 × azuread_group delete',
      '2 × module.shop["a"].azuread_group create',
      'azurerm_resource_group.one create',
    ]);
    expect(drawn.edges).toEqual([
      { from: 'azuread_group_x0', to: 'azurerm_resource_group_one', label: 'in' },
    ]);
  });

  it('says on its page what is combined and left out, and lists each resource in the text', async () => {
    const whole = planGraph(
      Array.from({ length: 70 }, (_, index) => node(`type${String(index)}.only`)),
    );
    const picture = groupPlan(whole);
    const note = describeGrouping(whole, picture);
    expect(note).toBe(
      '70 resources are drawn as 60: those of one type and change together; 10 types are left out',
    );
    const page = await renderHtml(picture, { fullGraph: whole, note });
    expect(page).toContain('10 types are left out; the text below the picture names each.');
    expect(page).toContain('type69.only');
  });
});
