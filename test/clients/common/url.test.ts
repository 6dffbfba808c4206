import { resolveUrl } from '../../../clients/common/url.js';
import { createItemsClient } from '../../../clients/items/index.js';
import { createResourceManagerClient } from '../../../clients/resource-manager/index.js';

const origin = 'https://service.example';

describe('the address of a request', () => {
  it.each([
    ['/groups/a%2F..', '/groups/a%2F..'],
    ['/groups/..a', '/groups/..a'],
    ['/groups/a..', '/groups/a..'],
    ['/groups/...', '/groups/...'],
    ['/groups?$filter=a/../b', '/groups?$filter=a/../b'],
    ['/groups/a\tb', '/groups/a%09b'],
    ['/groups/a#b', '/groups/a%23b'],
    ['/', '/'],
    ['', '/'],
  ])('of %j is that of the named resource', (path, expected) => {
    expect(new URL(resolveUrl(origin, { path })).href).toBe(`${origin}${expected}`);
  });

  it.each([
    '/a/..',
    '/a/../b',
    '/a/.',
    '/a/%2e%2E',
    '/a/.%2e/b',
    '/a/..?$top=1',
    '/a\\..\\b',
    '/a/',
    '/a//b',
  ])('of %j is refused: it would be that of another resource', (path) => {
    expect(() => resolveUrl(origin, { path })).toThrow(
      expect.objectContaining({ code: 'CAS5006' }) as Error,
    );
  });
});

describe('an id that names another resource', () => {
  it.each([
    [
      'of an item',
      (fetch: () => never) =>
        createItemsClient({ baseUrl: origin, fetch }).items.delete('workspace', '..'),
    ],
    [
      'of a workspace, if it is empty',
      (fetch: () => never) => createItemsClient({ baseUrl: origin, fetch }).workspaces.delete(''),
    ],
    [
      'of a resource',
      (fetch: () => never) =>
        createResourceManagerClient({ baseUrl: origin, fetch }).resources.delete(
          '/subscriptions/s/resourceGroups/g/providers/Microsoft.App/../..',
          '2025-07-01',
        ),
    ],
  ])('deletes nothing: %s', async (_case, deleteWith) => {
    const fetch = vi.fn<() => never>(() => {
      throw new Error('sent');
    });
    await expect(deleteWith(fetch)).rejects.toMatchObject({ code: 'CAS5006' });
    expect(fetch).not.toHaveBeenCalled();
  });
});
