import { createHttpClient, RecentCreations } from '../../../clients/common/index.js';

/** A client of a directory that answers with these statuses, one after the other. */
function clientOf(statuses: readonly number[], ownCreations?: RecentCreations, retries = 0) {
  const remainingStatuses = [...statuses];
  const sentRequests: string[] = [];
  const client = createHttpClient({
    baseUrl: 'https://directory.example',
    retries,
    sleep: () => Promise.resolve(),
    fetch: (url, init) => {
      sentRequests.push(`${String(init.method)} ${new URL(String(url)).pathname}`);
      const status = remainingStatuses.shift() ?? 500;
      const body = status === 204 ? null : JSON.stringify({ id: 'g-1' });
      return Promise.resolve(new Response(body, { status }));
    },
    ...(ownCreations !== undefined && { ownCreations }),
  });
  return { client, sentRequests };
}

test('waits for an object that it made itself, in a path or a body', async () => {
  const { client, sentRequests } = clientOf([201, 404, 404, 200, 404, 204], new RecentCreations());
  await client.request({ method: 'POST', path: 'groups', body: {} });
  expect((await client.request({ method: 'GET', path: 'groups/g-1' })).status).toBe(200);
  const body = { '@odata.id': 'https://directory.example/directoryObjects/g-1' };
  await client.request({ method: 'POST', path: 'groups/g-2/members/$ref', body });
  expect(sentRequests).toHaveLength(6);
});

test.each([
  ['by another', [404], new RecentCreations(), 'groups/g-2'],
  ['without the option', [201, 404], undefined, 'groups/g-1'],
  ['that it deleted', [201, 204, 404], new RecentCreations(), 'groups/g-1'],
  ['too long ago', [201, 404], new RecentCreations(0), 'groups/g-1'],
])('does not wait for an object made %s', async (_what, statuses, ownCreations, path) => {
  const { client, sentRequests } = clientOf(statuses, ownCreations);
  if (statuses.includes(201)) await client.request({ method: 'POST', path: 'groups', body: {} });
  if (statuses.includes(204)) await client.request({ method: 'DELETE', path: 'groups/g-1' });
  await expect(client.request({ method: 'GET', path })).rejects.toThrow('404');
  expect(sentRequests).toHaveLength(statuses.length);
});

test('does not wait for an object whose deletion took effect though its answer was lost', async () => {
  const ownCreations = new RecentCreations();
  const { client, sentRequests } = clientOf([201, 500, 404, 404], ownCreations, 1);
  await client.request({ method: 'POST', path: 'groups', body: {} });
  expect((await client.request({ method: 'DELETE', path: 'groups/g-1' })).status).toBe(404);
  await expect(client.request({ method: 'GET', path: 'groups/g-1' })).rejects.toThrow('404');
  expect(sentRequests).toHaveLength(4);
});

test('still waits for an object of which it only removed a reference', async () => {
  const { client, sentRequests } = clientOf([201, 204, 404, 200], new RecentCreations());
  await client.request({ method: 'POST', path: 'groups', body: {} });
  await client.request({ method: 'DELETE', path: 'groups/g-1/owners/u-1/$ref' });
  expect((await client.request({ method: 'GET', path: 'groups/g-1' })).status).toBe(200);
  expect(sentRequests).toHaveLength(4);
});
