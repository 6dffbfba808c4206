import fc from 'fast-check';
import { parsePath } from '../../../services/resource-manager/path.js';
import {
  app1,
  appBody,
  environment,
  group,
  type Harness,
  startManager,
  subscription,
  withEnvironment,
} from './support.js';
import { runs } from '../../support/property-tests.js';

let manager: Harness;
beforeAll(async () => {
  manager = await startManager();
  await withEnvironment(manager);
});
afterAll(() => manager.close());

const word = fc.oneof(
  fc.constantFrom(
    'subscriptions',
    'resourceGroups',
    'providers',
    'Microsoft.App',
    'containerApps',
    'authConfigs',
    'resources',
    'register',
  ),
  fc.constantFrom('%', '%2F', '%zz', '..', '', ' ', 'a%20b', '*'),
  fc.string({ maxLength: 8 }),
);

test('any path is parsed or unknown, and none makes the parser throw', () => {
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 12 }),
      fc.constantFrom('collection' as const, 'action' as const),
      (words, lastWord) => {
        const path = parsePath(`/${words.join('/')}`, lastWord);
        if (path?.kind === 'resource') expect(path.id.split('/').length % 2).toBe(1);
      },
    ),
  );
});

/** The body of a good app with one of its values replaced by anything. */
const spoiledBody = fc
  .tuple(
    fc.nat(),
    fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(null, [], {}, '', -1, 1e308, [null], [[]]),
    ),
  )
  .map(([placeIndex, value]) => {
    const body = structuredClone(
      appBody(
        {},
        {
          containers: [
            {
              name: 'c',
              image: 'i',
              resources: { cpu: 0.25, memory: '0.5Gi' },
              env: [{ name: 'A', value: 'b' }],
              probes: [{ type: 'Liveness' }],
            },
          ],
        },
      ),
    );
    const places: [Record<string, unknown>, string][] = [];
    const walk = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [name, each] of Object.entries(node)) {
        places.push([node as Record<string, unknown>, name]);
        walk(each);
      }
    };
    walk(body);
    const [owner, name] = places[placeIndex % places.length] as [Record<string, unknown>, string];
    owner[name] = value;
    return body;
  });

test.each([
  ['app', app1],
  ['environment', environment],
  ['group', group],
  ['sign-in settings', `${app1}/authConfigs/current`],
  ['identity', `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id1`],
  ['log workspace', `${group}/providers/Microsoft.OperationalInsights/workspaces/logs`],
])(
  'any body for an %s is accepted or refused with a reason, and never makes the service fail',
  async (_, path) => {
    const version = path.includes('ManagedIdentity') ? '2024-11-30' : undefined;
    await fc.assert(
      fc.asyncProperty(fc.oneof(spoiledBody, fc.object({ maxDepth: 2 })), async (body) => {
        const answer = await manager.send('PUT', path, body, version);
        expect(answer.status).toBeLessThan(500);
        if (answer.status >= 400)
          expect(answer.body.error).toEqual({
            code: expect.any(String),
            message: expect.any(String),
          });
        else expect((await manager.send('GET', path, undefined, version)).status).toBe(200);
      }),
      { numRuns: runs(60) },
    );
  },
);

/** What can't be converted to text: `toString` is no function. */
const noText = { toString: 1 };

test.each<[string, string, string, object]>([
  [
    'PUT',
    `/subscriptions/${subscription}/providers/Microsoft.Authorization/roleDefinitions/a0000000-0000-4000-8000-000000000001`,
    'a scope of a role',
    { properties: { roleName: 'Own', permissions: [], assignableScopes: [noText] } },
  ],
  [
    'PUT',
    app1,
    'the name of a volume',
    appBody(
      {},
      { volumes: [{ name: noText, storageType: 'Secret', secrets: [{ secretRef: 'one' }] }] },
    ),
  ],
  [
    'PUT',
    `${group}/providers/Microsoft.Resources/deployments/one`,
    'an output of a deployment',
    { properties: { template: { outputs: { one: { type: 'object', value: noText } } } } },
  ],
  ['POST', `${group}/exportTemplate`, 'the id of a resource to export', { resources: [noText] }],
  [
    'POST',
    `/subscriptions/${subscription}/providers/Microsoft.Storage/checkNameAvailability`,
    'a name',
    { name: noText, type: noText },
  ],
])(
  'a %s of %s with an object that is no text as %s does not make the service fail',
  async (method, path, _, body) => {
    expect((await manager.send(method, path, body)).status).toBeLessThan(500);
    const roles = `/subscriptions/${subscription}/providers/Microsoft.Authorization/roleDefinitions`;
    expect((await manager.send('GET', roles)).status).toBe(200);
  },
);
