import { createResourceManagerClient } from '../../../clients/resource-manager/index.js';
import { resourceAction } from '../../../provider/handlers/azapi/resource-action.js';
import type { CreateCall } from '../../../provider/handlers/handler.js';
import { fromJson } from '../../../provider/values/json.js';
import type { Dynamic } from '../../../provider/values/value.js';

const origin = 'https://manager.example';
const app = '/subscriptions/s/resourceGroups/g/providers/Microsoft.App/containerApps/a';

/** Calls the action `start` of a service that answers with these, by path. */
async function start(answers: Readonly<Record<string, readonly Response[]>>) {
  const remaining = new Map(Object.entries(answers).map(([path, list]) => [path, [...list]]));
  const resourceManager = createResourceManagerClient({
    baseUrl: origin,
    retries: 0,
    sleep: () => Promise.resolve(),
    fetch: (url) =>
      Promise.resolve(
        remaining.get(new URL(url).pathname)?.shift() ?? new Response(null, { status: 404 }),
      ),
  });
  const planned = {
    type: 'Microsoft.App/containerApps@2025-07-01',
    resource_id: app,
    action: 'start',
    response_export_values: fromJson(['*']),
  };
  const call = {
    api: { resourceManager },
    planned,
    config: planned,
    signal: new AbortController().signal,
  };
  return resourceAction.create(call as unknown as CreateCall);
}

const accepted = (): Response =>
  new Response(null, { status: 202, headers: { location: `${origin}/operations/1` } });

test('an action that was only accepted has the result of its operation as its output', async () => {
  const state = await start({
    [`${app}/start`]: [accepted()],
    '/operations/1': [new Response(null, { status: 202 }), Response.json({ id: app })],
  });
  expect((state['output'] as Dynamic).value).toEqual({ id: app });
});

test('an action whose operation fails is an error', async () => {
  const error = { code: 'NoCapacity', message: 'no room' };
  await expect(
    start({
      [`${app}/start`]: [accepted()],
      '/operations/1': [Response.json({ status: 'Failed', error })],
    }),
  ).rejects.toMatchObject({ serviceCode: 'NoCapacity' });
});
