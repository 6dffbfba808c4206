import {
  authConfigId,
  parseResourceId,
  resourceId,
} from '../../../clients/resource-manager/index.js';

test('an id is built and parsed', () => {
  const id = authConfigId(resourceId('sub', 'rg', 'Microsoft.App/containerApps', 'web'));
  expect(id).toBe(
    '/subscriptions/sub/resourceGroups/rg/providers/Microsoft.App/containerApps/web/authConfigs/current',
  );
  expect(parseResourceId(id)).toEqual({
    subscriptionId: 'sub',
    resourceGroup: 'rg',
    namespace: 'Microsoft.App',
    segments: [
      ['containerApps', 'web'],
      ['authConfigs', 'current'],
    ],
  });
});

test('fixed words may have any letter case', () => {
  expect(parseResourceId('/SUBSCRIPTIONS/s/resourcegroups/G').resourceGroup).toBe('G');
});

test.each([
  '',
  '/',
  'web',
  '/subscriptions',
  '/subscriptions/s/groups/g',
  '/subscriptions/s/resourceGroups/g/providers/N/t',
  '/subscriptions//x',
])('"%s" is not a resource id', (text) => {
  expect(() => parseResourceId(text)).toThrow('is not a resource id');
});
