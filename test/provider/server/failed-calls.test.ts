import type { Api } from '../../../provider/handlers/handler.js';
import { required } from '../../../provider/schemas/schema-builders.js';
import { ProviderServer } from '../../../provider/server/provider-server.js';

it.each([
  ['UpgradeResourceState', 'upgrading the state of'],
  ['ReadResource', 'retrieving'],
  ['PlanResourceChange', 'planning'],
])('a call of %s that fails says so', async (method, words) => {
  const server = new ProviderServer({
    schema: {
      address: 'registry.terraform.io/test/box',
      sdk: 'framework',
      config: { attributes: {} },
      resources: { test_box: { version: 1, attributes: { name: required('string') } } },
      dataSources: {},
    },
    resources: {},
    dataSources: {},
    connect: () => ({}) as Api,
  });
  const { diagnostics } = await server.call(method, { typeName: 'test_bax' });
  expect(diagnostics).toMatchObject([
    {
      summary: expect.stringMatching(new RegExp(`^${words} test_bax: `)),
      detail: expect.stringContaining('Did you mean test_box?'),
    },
  ]);
});
