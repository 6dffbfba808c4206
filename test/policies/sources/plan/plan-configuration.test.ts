import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPlan } from '../../../../policies/sources/plan/read-plan.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-plan-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const apps = new Set(['azurerm_container_app']);
const refersTo = (...references: string[]) => ({ references });
const auth = (...references: string[]) => ({
  address: 'azapi_resource.auth',
  mode: 'managed',
  expressions: { parent_id: refersTo(...references) },
});
const app = (properties: object = {}) => ({
  address: 'azurerm_container_app.web',
  mode: 'managed',
  expressions: {},
  ...properties,
});
const repeatedApp = app({ for_each_expression: {} });

/** What `parent_id` of an instance refers to, by the configuration of a plan. */
async function targetOf(
  root: object,
  address = 'azapi_resource.auth',
): Promise<string | undefined> {
  const file = join(folder, 'plan.json');
  writeFileSync(
    file,
    JSON.stringify({ format_version: '1.2', configuration: { root_module: root } }),
  );
  const { configuration } = await readPlan(file, 'plan.json');
  return configuration.targetOf(address, 'parent_id', apps);
}

const webByEachKey = ['azurerm_container_app.web', 'each.key'];
const calls = (moduleCall: object) => ({ module_calls: { m: moduleCall } });

describe('an attribute of a planned resource', () => {
  it.each<[string, object, string | undefined, string?]>([
    [
      'a resource',
      { resources: [auth('azurerm_container_app.web.id', 'azurerm_container_app.web'), app()] },
      'azurerm_container_app.web',
    ],
    [
      'an instance',
      {
        resources: [
          auth(
            'azurerm_container_app.web["a.b"].id',
            'azurerm_container_app.web["a.b"]',
            'azurerm_container_app.web',
          ),
          repeatedApp,
        ],
      },
      'azurerm_container_app.web["a.b"]',
    ],
    [
      'the instance of its own key',
      { resources: [auth(...webByEachKey), repeatedApp] },
      'azurerm_container_app.web["x"]',
      'azapi_resource.auth["x"]',
    ],
    [
      'each.value of a resource',
      {
        resources: [
          {
            ...auth('each.value.id', 'each.value'),
            for_each_expression: refersTo('azurerm_container_app.web'),
          },
          repeatedApp,
        ],
      },
      'azurerm_container_app.web["x"]',
      'azapi_resource.auth["x"]',
    ],
    [
      'an instance without a key',
      { resources: [auth('azurerm_container_app.web'), repeatedApp] },
      'azurerm_container_app.web[*]',
    ],
    [
      'nothing that is known, by a local value',
      { resources: [auth('local.app_id'), app()] },
      undefined,
    ],
    [
      'nothing that is known, by several references',
      { resources: [auth('azurerm_container_app.web.id', 'azurerm_container_app.b.id'), app()] },
      undefined,
    ],
    [
      'another type beside the app',
      { resources: [auth('azurerm_resource_group.r.id', 'azurerm_container_app.web.name'), app()] },
      'azurerm_container_app.web',
    ],
    [
      'a variable of its module',
      {
        resources: [app()],
        ...calls({
          expressions: { app_id: refersTo('azurerm_container_app.web.id') },
          module: { resources: [auth('var.app_id')] },
        }),
      },
      'azurerm_container_app.web',
      'module.m.azapi_resource.auth',
    ],
    [
      'a variable of a module that is called several times',
      {
        resources: [repeatedApp],
        ...calls({
          expressions: { app_id: refersTo(...webByEachKey) },
          for_each_expression: {},
          module: { resources: [auth('var.app_id')] },
        }),
      },
      'azurerm_container_app.web["x"]',
      'module.m["x"].azapi_resource.auth',
    ],
    [
      'an output',
      {
        resources: [auth('module.m.id', 'module.m')],
        ...calls({
          module: {
            resources: [app()],
            outputs: { id: { expression: refersTo('azurerm_container_app.web.id') } },
          },
        }),
      },
      'module.m.azurerm_container_app.web',
    ],
    [
      'an output of a module that is called several times',
      {
        resources: [auth('module.m["b"].id', 'module.m["b"]', 'module.m')],
        ...calls({
          for_each_expression: {},
          module: {
            resources: [app()],
            outputs: { id: { expression: refersTo('azurerm_container_app.web.id') } },
          },
        }),
      },
      'module.m["b"].azurerm_container_app.web',
    ],
    [
      'an output through three modules',
      {
        resources: [auth('module.m.id')],
        ...calls({
          module: {
            outputs: { id: { expression: refersTo('module.n.id', 'module.n') } },
            module_calls: {
              n: {
                module: {
                  outputs: { id: { expression: refersTo('azurerm_container_app.web.id') } },
                  resources: [app()],
                },
              },
            },
          },
        }),
      },
      'module.m.module.n.azurerm_container_app.web',
    ],
  ])('refers to %s', async (_case, root, expected, ...[address]) => {
    const found = await targetOf(root, address);
    expect(found?.endsWith('[*]') === true ? 'azurerm_container_app.web[*]' : found).toBe(expected);
  });

  it('is known to be set, perhaps by a dynamic block, which Terraform omits', async () => {
    const file = join(folder, 'plan.json');
    const expressions = {
      name: { constant_value: 'a' },
      title: {},
      template: [{ container: [{ image: refersTo('var.i') }] }],
    };
    const resources = [{ address: 'azurerm_container_app.web', mode: 'managed', expressions }];
    writeFileSync(
      file,
      JSON.stringify({ format_version: '1.2', configuration: { root_module: { resources } } }),
    );
    const { configuration } = await readPlan(file, 'plan.json');
    const sets = (...path: (string | number)[]) =>
      configuration.isSet('azurerm_container_app.web[0]', path);
    expect([sets('name'), sets('title'), sets('template', 0, 'container', 0, 'image')]).toEqual([
      true,
      true,
      true,
    ]);
    expect([sets('visibility'), sets('template', 0, 'revision_suffix')]).toEqual([false, false]);
    expect([
      sets('secret'),
      sets('ingress', 0, 'fqdn'),
      sets('template', 0, 'container', 1, 'image'),
    ]).toEqual([true, true, true]);
    expect(configuration.isSet('azurerm_container_app.other', ['name'])).toBeUndefined();
  });

  it.each<[string, boolean, object, string?]>([
    ['a variable of the root', true, { resources: [auth('var.name')] }],
    [
      'a variable beside a resource',
      false,
      { resources: [auth('var.name', 'azurerm_container_app.web.id')] },
    ],
    ['a local value', false, { resources: [auth('local.name')] }],
    [
      'each.value of a variable',
      true,
      {
        resources: [
          { ...auth('each.value.a', 'each.value'), for_each_expression: refersTo('var.all') },
        ],
      },
    ],
    [
      'each.value of resources',
      false,
      {
        resources: [
          { ...auth('each.value.a'), for_each_expression: refersTo('azurerm_container_app.web') },
        ],
      },
    ],
    [
      'an argument that is a variable',
      true,
      calls({ expressions: { a: refersTo('var.b') }, module: { resources: [auth('var.a')] } }),
      'm',
    ],
    [
      'an argument left out',
      true,
      calls({ expressions: {}, module: { resources: [auth('var.a')] } }),
      'm',
    ],
    [
      'an argument from a resource',
      false,
      calls({ expressions: { a: refersTo('x.y.id') }, module: { resources: [auth('var.a')] } }),
      'm',
    ],
    [
      'each.value of a call that is repeated for resources',
      false,
      calls({
        expressions: { a: refersTo('each.value') },
        for_each_expression: refersTo('x.y'),
        module: { resources: [auth('var.a')] },
      }),
      'm["k"]',
    ],
  ])(
    'that is known only after apply is left to the provider if it comes from %s: %s',
    async (_case, expected, root, module) => {
      const file = join(folder, 'plan.json');
      writeFileSync(
        file,
        JSON.stringify({ format_version: '1.2', configuration: { root_module: root } }),
      );
      const { configuration } = await readPlan(file, 'plan.json');
      const address = `${module === undefined ? '' : `module.${module}.`}azapi_resource.auth`;
      expect(configuration.isLeftToProvider(address, ['parent_id'])).toBe(expected);
    },
  );
});
