import { change, useCheckedPlan } from './support/check-plan.js';

const check = useCheckedPlan();

const template = [{ container: [{ name: 'shop', image: 'shop:1' }] }];
const app = (name: string, values: object, unknown: object = {}) =>
  change(
    'azurerm_container_app',
    name,
    { name, resource_group_name: 'rg', template, ...values },
    unknown,
  );
const environment = (name: string, profiles: readonly string[], unknown: object = {}) =>
  change(
    'azurerm_container_app_environment',
    name,
    {
      name: `${name}-env`,
      resource_group_name: 'rg',
      location: 'westeurope',
      workload_profile: profiles.map((profile) => ({
        name: profile,
        workload_profile_type: 'D4',
        minimum_count: 1,
        maximum_count: 2,
      })),
    },
    unknown,
  );
const environmentReference = (name: string) => ({
  references: [
    `azurerm_container_app_environment.${name}.id`,
    `azurerm_container_app_environment.${name}`,
  ],
});
const configured = (type: string, name: string, expressions: object) => ({
  address: `${type}.${name}`,
  mode: 'managed',
  type,
  name,
  expressions,
});
const idOf = (name: string) =>
  `/subscriptions/s/resourceGroups/RG/providers/Microsoft.App/managedEnvironments/${name}`;

const linesOf = async (...parameters: Parameters<typeof check>): Promise<readonly string[]> =>
  (await check(...parameters))
    .filter(({ ruleId }) => ruleId === 'app-workload-profile')
    .map(({ verdict, terraformAddress, message }) => `${verdict} ${terraformAddress}: ${message}`);

it('finds the environment of an app by its id', async () => {
  const lines = await linesOf(undefined, [
    environment('main', ['large']),
    app('right', {
      container_app_environment_id: idOf('main-env'),
      workload_profile_name: 'large',
    }),
    app('wrong', {
      container_app_environment_id: idOf('main-env'),
      workload_profile_name: 'lagre',
    }),
    app('other', { container_app_environment_id: idOf('else'), workload_profile_name: 'x' }),
    app('none', {
      container_app_environment_id: idOf('main-env'),
      workload_profile_name: 'Consumption',
    }),
  ]);
  expect(lines).toEqual([
    'fail azurerm_container_app.wrong: the environment main has no workload profile "lagre"; did you mean "large"?',
  ]);
});

it('finds an environment that the plan creates by the reference to it', async () => {
  const unknown = { container_app_environment_id: true };
  const lines = await linesOf(
    undefined,
    [
      environment('main', ['large']),
      environment('later', [], { workload_profile: true }),
      app('wrong', { workload_profile_name: 'small' }, unknown),
      app('undecided', { workload_profile_name: 'small' }, unknown),
      change(
        'azapi_resource',
        'body',
        {
          type: 'Microsoft.App/containerApps@2025-07-01',
          name: 'body',
          parent_id: '/subscriptions/s/resourceGroups/rg',
          body: {
            properties: {
              workloadProfileName: 'tiny',
              template: { containers: [{ name: 'shop', image: 'shop:1' }] },
            },
          },
        },
        { body: { properties: { environmentId: true } } },
      ),
    ],
    {},
    {
      configuration: {
        root_module: {
          resources: [
            configured('azurerm_container_app', 'wrong', {
              container_app_environment_id: environmentReference('main'),
            }),
            configured('azurerm_container_app', 'undecided', {
              container_app_environment_id: environmentReference('later'),
            }),
            configured('azapi_resource', 'body', { body: environmentReference('main') }),
          ],
        },
      },
    },
  );
  expect(lines).toEqual([
    'fail azurerm_container_app.wrong: the environment main has no workload profile "small"; it has large, Consumption',
    'fail azapi_resource.body: the environment main has no workload profile "tiny"; it has large, Consumption',
  ]);
});
