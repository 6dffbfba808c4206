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
