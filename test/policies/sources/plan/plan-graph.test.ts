import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Graph } from '../../../../core/graph/graph.js';
import { drawSvg } from '../../../../core/graph/graphviz.js';
import { renderHtml } from '../../../../core/graph/html-page.js';
import { renderDot, renderMermaid, renderText } from '../../../../core/graph/text-formats.js';
import { runCheck } from '../../../../policies/check/run-check.js';
import { planGraph } from '../../../../policies/sources/plan/plan-graph.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-plan-graph-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const change = (address: string, actions: readonly string[], properties: object = {}) => {
  const [type, name] = address.replace(/^(module\.\w+\.)*/, '').split(/[.[]/);
  return {
    address,
    mode: 'managed',
    type,
    name,
    change: { actions, before: null, after: {} },
    ...properties,
  };
};
const configured = (address: string, expressions: object = {}, properties: object = {}) => ({
  address,
  mode: 'managed',
  expressions,
  ...properties,
});
const refersTo = (...references: string[]) => ({ references });

function graphOf(resources: readonly object[], root: object = {}): Promise<Graph> {
  const file = join(folder, 'plan.json');
  writeFileSync(
    file,
    JSON.stringify({
      format_version: '1.2',
      resource_changes: resources,
      configuration: { root_module: root },
    }),
  );
  return planGraph(file, 'plan.json');
}

describe('the picture of a plan', () => {
  it('has the changed resources and the unchanged ones that they refer to, each with its action', async () => {
    const graph = await graphOf(
      [
        change('azuread_group.made', ['create']),
        change('azuread_group.set', ['update']),
        change('azuread_group.again', ['create', 'delete']),
        change('azuread_group.left', ['delete']),
        change('azuread_group.set', ['delete'], { deposed: 'ab12' }),
        change('azuread_group.let_go', ['forget']),
        change('azuread_user.ada', ['no-op']),
        change('azuread_user.apart', ['no-op']),
        change('data.azuread_user.seen', ['read'], { mode: 'data', type: 'azuread_user' }),
      ],
      {
        resources: [
          configured('azuread_group.made', {
            owners: refersTo('azuread_user.ada.object_id', 'azuread_user.ada'),
          }),
          configured('azuread_group.set', {
            dynamic_membership: [{ rule: refersTo('azuread_group.made.id', 'azuread_group.made') }],
          }),
          configured('azuread_group.again', {
            owners: { constant_value: { references: ['azuread_user.apart'] } },
          }),
          configured('azuread_user.ada'),
          configured('azuread_user.apart'),
        ],
      },
    );
    expect(renderText(graph)).toBe(
      [
        'Delete',
        '  - azuread_group.left (delete)',
        '  - azuread_group.set (deposed ab12) (delete)',
        'Replace',
        '  -/+ azuread_group.again (replace)',
        'Update',
        '  ~ azuread_group.set (update) -> azuread_group.made (dynamic_membership)',
        'Create',
        '  + azuread_group.made (create) -> azuread_user.ada (owners)',
        'Forget',
        '  . azuread_group.let_go (forget)',
        'Unchanged',
        '  azuread_user.ada (unchanged)',
        '',
      ].join('\n'),
    );
    expect(renderMermaid(graph)).toMatch(
      /classDef unchanged fill:#f6f8fa,.*\n(.*\n)*.* class n6 unchanged\n$/,
    );
    expect(await drawSvg(graph)).toMatch(/class="node [^"]*unchanged"[^]*fill="#f6f8fa"/);
  });

  it('follows references into modules and to the instance that they name', async () => {
    const graph = await graphOf(
      [
        change('module.shop.azuread_group.staff["a"]', ['create']),
        change('module.shop.azuread_group.staff["b"]', ['create']),
        change('azuread_user.all[0]', ['create']),
        change('azuread_user.all[1]', ['create']),
      ],
      {
        resources: [configured('azuread_user.all', {}, { count_expression: {} })],
        module_calls: {
          shop: {
            expressions: {
              owners: refersTo('azuread_user.all[0].id', 'azuread_user.all[0]', 'azuread_user.all'),
              all: refersTo('azuread_user.all'),
            },
            module: {
              resources: [
                configured(
                  'azuread_group.staff',
                  { owners: refersTo('var.owners'), members: refersTo('var.all') },
                  { for_each_expression: refersTo('var.names') },
                ),
              ],
            },
          },
        },
      },
    );
    const groupLine = (key: string) =>
      `  + module.shop.azuread_group.staff["${key}"] (create) -> azuread_user.all[0] (owners, members), azuread_user.all[1] (members)`;
    expect(renderText(graph)).toBe(
      [
        'Create',
        groupLine('a'),
        groupLine('b'),
        '  + azuread_user.all[0] (create)',
        '  + azuread_user.all[1] (create)',
        '',
      ].join('\n'),
    );
  });

  it('keeps a malicious key in its label', async () => {
    const key = '"]\r```\n%%{init: {}}%% n9["x"] --> <script> \u001b[31m \u202e | \\" ; end';
    const graph = await graphOf([
      change(`azuread_group.g[${JSON.stringify(key)}]`, ['create']),
      change(`azuread_group.g["${key}"]`, ['create']),
    ]);
    const mermaid = renderMermaid(graph);
    expect(mermaid.split('\n')).toHaveLength(graph.nodes.length + 4);
    expect(mermaid.replaceAll('<br/>', '')).not.toMatch(/[`%<>\r\u001b\u202e]/);
    for (const line of mermaid.split('\n').slice(1, 3))
      expect(line).toMatch(/^ {2}n\d\(\("[^"]*"\)\)$/);
    const dot = renderDot(graph);
    for (const line of dot.split('\n').slice(2, 4))
      expect(line).toMatch(/^ {2}n\d \[label="(?:[^"\\]|\\.)*" shape=ellipse [^"]*/);
    expect(renderText(graph).split('\n')).toHaveLength(4);
    expect(renderText(graph) + dot).not.toMatch(/[\r\u001b\u202e]/);
    const svg = await drawSvg(graph);
    expect(svg).not.toMatch(/<script|\u001b|\u202e/);
  });

  it('says that a plan changes nothing', async () => {
    const nothing = await graphOf([change('azuread_user.ada', ['no-op'])]);
    expect(renderText(nothing)).toBe('plan.json: nothing to draw\n');
    expect(await renderHtml(nothing)).toMatch(/^(?![^]*<svg)[^]*There is nothing to draw\./);
  });
});

describe('the picture of a plan by the official providers', () => {
  const official = join(__dirname, 'official');

  it('joins the sign-in setting with its app', async () => {
    expect(renderText(await planGraph(join(official, 'auth1', 'plan.json'), 'plan.json'))).toBe(
      [
        'Create',
        '  + azapi_resource.auth (create) -> azurerm_container_app.web (parent_id)',
        '  + azurerm_container_app.web (create) -> azurerm_container_app_environment.e (container_app_environment_id), azurerm_resource_group.r (resource_group_name)',
        '  + azurerm_container_app_environment.e (create) -> azurerm_resource_group.r (location, resource_group_name)',
        '  + azurerm_resource_group.r (create)',
        '',
      ].join('\n'),
    );
  });

  it('has the references of a configuration in JSON, also in blocks, and the unchanged resources that they name', async () => {
    const graph = await planGraph(join(official, 'storefront', 'change.json'), 'plan.json');
    const app =
      'azurerm_container_app_environment.storefront (container_app_environment_id), azurerm_resource_group.storefront';
    expect(renderText(graph).split('\n')).toEqual([
      'Replace',
      '  -/+ fabric_eventhouse.clickstore (replace) -> fabric_workspace.telemetry (workspace_id)',
      'Update',
      '  ~ azuread_group.storefront-admins (update)',
      `  ~ azurerm_container_app.storefront (update) -> ${app} (resource_group_name), azuread_application_password.storefront-login (secret)`,
      '  ~ fabric_eventstream.clicks (update) -> fabric_workspace.telemetry (definition, workspace_id), fabric_eventhouse.clickstore (definition)',
      'Unchanged',
      '  fabric_workspace.telemetry (unchanged)',
      '  azurerm_container_app_environment.storefront (unchanged)',
      '  azurerm_resource_group.storefront (unchanged)',
      '  azuread_application_password.storefront-login (unchanged)',
      '',
    ]);
  });

  it('is the one that a check draws, with the same findings', async () => {
    const options = {
      paths: [],
      plan: 'storefront/change.json',
      cwd: official,
      env: {},
      now: new Date('2026-11-22T12:00:00Z'),
    };
    const [plain, withPicture] = [
      await runCheck(options),
      await runCheck({ ...options, drawsPlan: true }),
    ];
    expect(plain.plan).toBeUndefined();
    expect(withPicture.plan).toEqual(
      await planGraph(join(official, 'storefront', 'change.json'), 'storefront/change.json'),
    );
    expect(withPicture.findings).toEqual(plain.findings);
  });
});
