import { createResourceManagerClient } from '../../../clients/resource-manager/index.js';

const id = '/subscriptions/s/resourceGroups/g/providers/Microsoft.App/containerApps/web';
const bodyOf = (provisioningState: string): string =>
  JSON.stringify({ id, properties: { provisioningState } });

/** A client whose service answers with these provisioning states, the last one for good. */
function clientOf(...states: string[]): ReturnType<typeof createResourceManagerClient> {
  return createResourceManagerClient({
    baseUrl: 'https://service.example',
    credential: { getToken: () => Promise.resolve({ token: 't', expiresAt: new Date(8.64e15) }) },
    sleep: () => Promise.resolve(),
    fetch: () =>
      Promise.resolve(new Response(bodyOf((states.length > 1 ? states.shift() : states[0]) ?? ''))),
  });
}

test('a write returns the resource when it is provisioned', async () => {
  const { resources } = clientOf('InProgress', 'InProgress', 'Succeeded');
  expect(await resources.put(id, '2025-01-01', {})).toEqual(JSON.parse(bodyOf('Succeeded')));
});

test('a write of a resource that is not provisioned in time is an error', async () => {
  const { resources } = clientOf('InProgress');
  await expect(
    resources.put(id, '2025-01-01', {}, { wait: { timeoutMs: 60_000 } }),
  ).rejects.toMatchObject({
    code: 'CAS5003',
    message: `${id} was not provisioned within 60000 ms: its provisioning state is InProgress`,
  });
});

test.each(['Failed', 'Canceled'])('a write that ends %s is an error', async (state) => {
  const { resources } = clientOf('InProgress', state);
  await expect(resources.put(id, '2025-01-01', {})).rejects.toMatchObject({
    code: 'CAS5001',
    serviceCode: `Provisioning${state}`,
    message: expect.stringContaining(`${id} ended in the provisioning state ${state}`) as string,
  });
});

describe('a listing', () => {
  const subscription = '00000000-0000-4000-8000-000000000001';
  const requests: { url: string; headers: Headers }[] = [];
  const manager = createResourceManagerClient({
    baseUrl: 'https://service.example',
    fetch: (url, { headers }) => {
      requests.push({ url, headers: new Headers(headers) });
      return Promise.resolve(Response.json({ value: [{ name: 'a' }] }));
    },
  });
  const namesOf = async (list: AsyncIterable<{ name: string }>): Promise<string[]> => {
    const names: string[] = [];
    for await (const { name } of list) names.push(name);
    return names;
  };
  const lists = {
    resourceGroups: (scope: string) => manager.resourceGroups.list(scope),
    containerApps: (scope: string) => manager.containerApps.list(scope),
    'deleted log workspaces': (scope: string) => manager.logWorkspaces.listDeleted(scope),
  };

  it.each(Object.entries(lists))(
    'of %s takes a subscription by its id and by its resource id',
    async (_what, list) => {
      requests.length = 0;
      for (const scope of [subscription, `/subscriptions/${subscription}`])
        expect(await namesOf(list(scope))).toEqual(['a']);
      expect(requests[0]?.url).toContain(`https://service.example/subscriptions/${subscription}/`);
      expect(requests[1]?.url).toBe(requests[0]?.url);
      await expect(
        namesOf(
          (async function* () {
            yield* list('shop');
          })(),
        ),
      ).rejects.toMatchObject({ code: 'CAS5006' });
    },
  );

  it('has the headers of its call', async () => {
    requests.length = 0;
    const headers = { 'x-ms-client-request-id': 'mine' };
    await namesOf(manager.resourceGroups.list(subscription, { headers }));
    expect(requests[0]?.headers.get('x-ms-client-request-id')).toBe('mine');
  });
});
