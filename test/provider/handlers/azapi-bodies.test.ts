import * as fc from 'fast-check';
import {
  pickDeclared,
  mergeBodies,
  isSameJson,
  isSatisfiedBy,
  valueAt,
} from '../../../provider/handlers/azapi/compare-bodies.js';
import { resource as azapiResource } from '../../../provider/handlers/azapi/resource.js';
import { outputOf, readOnlyOutput } from '../../../provider/handlers/azapi/output.js';
import { bodyToSend } from '../../../provider/handlers/azapi/request-parts.js';
import {
  buildAddress,
  parseImportedAddress,
  resourceTypeOf,
} from '../../../provider/handlers/azapi/resource-address.js';
import { withLocks } from '../../../provider/handlers/locks.js';
import { checkAuthConfigsBody } from '../../../provider/schemas/azapi/auth-configs-check.js';
import { fromJson, type Json, toJson } from '../../../provider/values/json.js';
import { unknown } from '../../../provider/values/value.js';

const named = { x: { name: 'x', value: 1 }, y: { name: 'y', value: 2 } };
const options = { ignoreCasing: false, ignoreMissing: true, ignoreNull: false };

describe("comparing a written body with the service's", () => {
  test.each<[string, Json, Json, object, boolean]>([
    ['the service has more', { a: 1 }, { a: 1, b: 2 }, {}, true],
    ['another value', { a: 1 }, { a: 2 }, {}, false],
    ['another letter case', { a: 'X' }, { a: 'x' }, {}, false],
    ['another letter case that is ignored', { a: 'X' }, { a: 'x' }, { ignoreCasing: true }, true],
    ['something left out', { a: 1, secret: 's' }, { a: 1 }, {}, true],
    ['something left out that counts', { a: 1, b: 's' }, { a: 1 }, { ignoreMissing: false }, false],
    ['a list in another order', { a: [1, 2] }, { a: [2, 1] }, {}, false],
    ['a null where the service has a value', { a: null }, { a: 1 }, {}, false],
    ['a null that is ignored', { a: null }, { a: 1 }, { ignoreNull: true }, true],
    ['a null where there is nothing', { a: null }, {}, { ignoreMissing: false }, true],
    ['an empty list where there is one', { a: [] }, { a: [1] }, {}, false],
    [
      'named elements in another order',
      { a: [named.x, named.y] },
      { a: [named.y, named.x] },
      {},
      true,
    ],
    [
      'a named element that the service lacks',
      { a: [named.x, named.y] },
      { a: [named.y] },
      {},
      false,
    ],
    ['another element of the service', { a: [named.x] }, { a: [named.y, named.x] }, {}, false],
    [
      'another element of the service that is ignored',
      { a: [named.x] },
      { a: [named.y, named.x] },
      { openLists: ['a'] },
      true,
    ],
    [
      'elements with another id in another order',
      { a: [{ key: 'x' }, { key: 'y' }] },
      { a: [{ key: 'y' }, { key: 'x' }] },
      { listIds: { a: 'key' } },
      true,
    ],
    ['a masked secret', { a: 's' }, { a: '****' }, {}, true],
    ['a masked secret that counts', { a: 's' }, { a: '' }, { ignoreMissing: false }, false],
    ['something unset left out', { a: [], b: '' }, {}, { ignoreMissing: false }, true],
  ])('%s: the written body is satisfied or not', (_, written, actual, changes, expected) =>
    expect(isSatisfiedBy(written, actual, { ...options, ...changes })).toBe(expected),
  );

  test('a body is satisfied by itself and by anything merged over an empty place', () => {
    const body = fc.jsonValue({ maxDepth: 3 }).map((value) => ({ properties: value as Json }));
    fc.assert(
      fc.property(
        body,
        (written) =>
          isSatisfiedBy(written, written, options) &&
          isSameJson(pickDeclared(written, {}, options), written),
      ),
    );
    fc.assert(
      fc.property(body, body, (base, over) =>
        isSatisfiedBy(over, mergeBodies(base, over), { ...options, ignoreMissing: false }),
      ),
    );
  });

  test('accepts names of built-in properties', () => {
    const odd = JSON.parse('{"__proto__":"","constructor":1}') as Json;
    expect(isSatisfiedBy(odd, {}, { ...options, ignoreMissing: false })).toBe(false);
    expect(isSatisfiedBy(odd, mergeBodies({}, odd), { ...options, ignoreMissing: false })).toBe(
      true,
    );
    expect(JSON.stringify(mergeBodies({ a: 1 }, odd))).toBe(
      '{"a":1,"__proto__":"","constructor":1}',
    );
  });

  test('merging bodies merges lists by name, or by place in lists of the same length', () => {
    const { x, y } = named;
    expect(mergeBodies([x, y], [{ name: 'y', secret: 's' }])).toEqual([x, { ...y, secret: 's' }]);
    expect(mergeBodies([{ a: 1 }], [{ b: 2 }])).toEqual([{ a: 1, b: 2 }]);
    expect(mergeBodies([1, 2], [3])).toEqual([3]);
  });

  test('paths lead into objects and lists', () => {
    expect(valueAt({ a: [{ b: 1 }] }, 'a.0.b')).toBe(1);
    expect(valueAt({ a: 1 }, 'a.b')).toBeUndefined();
  });
});

describe('the sent body', () => {
  const config = { sensitive_body: fromJson({ properties: { key: 'secret', other: 'secret' } }) };
  const planned = { body: fromJson({ properties: { mode: 'm' } }) };
  const versioned = { ...planned, sensitive_body_version: { 'properties.key': '1' } };

  test('has all of the sensitive body, or only the paths with another version', () => {
    expect(bodyToSend(planned, config, undefined)).toEqual({
      properties: { mode: 'm', key: 'secret', other: 'secret' },
    });
    expect(bodyToSend(versioned, config, undefined)).toEqual({
      properties: { mode: 'm', key: 'secret' },
    });
    expect(bodyToSend(versioned, config, versioned)).toEqual({ properties: { mode: 'm' } });
  });
});

describe('the output attribute', () => {
  const answer = {
    id: '/x',
    name: 'n',
    type: 't',
    etag: 'e',
    properties: { state: 'ok', sent: 1, list: ['a'], deep: { value: 2 } },
  };
  const outputWith = (exported: Json | null, sent: Json = {}): Json =>
    toJson(
      outputOf(answer, exported === null ? null : fromJson(exported), readOnlyOutput(answer, sent)),
    );

  test('contains the properties that only the service sets, selected paths, expressions by name, or everything', () => {
    expect(outputWith(null, { properties: { sent: 1, list: ['a'] } })).toEqual({
      id: '/x',
      type: 't',
      properties: { state: 'ok', list: ['a'], deep: { value: 2 } },
    });
    expect(
      readOnlyOutput(answer, {}, { properties: { list: null, deep: { value: null } } }),
    ).toEqual({
      id: '/x',
      type: 't',
      properties: { state: 'ok', sent: 1 },
    });
    expect(outputWith(['properties.deep.value', 'missing'])).toEqual({
      properties: { deep: { value: 2 } },
    });
    expect(
      outputWith({ a: 'properties.list[0]', b: 'properties.list[*]', c: 'nothing.here' }),
    ).toEqual({
      a: 'a',
      b: ['a'],
      c: null,
    });
    expect(outputWith(['*'])).toEqual(answer);
    expect(() => outputWith({ a: 'join(`,`, x)' })).toThrow('Invalid configuration');
  });

  test.each<[string, Json]>([
    ['apps[*].env[*].name', [['A', 'B'], ['C']]],
    ['apps[].env[].name', ['A', 'B', 'C']],
    ['apps[*].env[]', [{ name: 'A' }, { name: 'B' }, { name: 'C' }]],
    ['apps[*].env[0].name', ['A', 'C']],
    ['apps[].missing', []],
    ['missing[].name', null],
    ['tags."app.io/name"', 'shop'],
  ])('selects %s as JMESPath does', (expression, expected) => {
    const document = {
      apps: [{ env: [{ name: 'A' }, { name: 'B' }] }, { env: [{ name: 'C' }] }],
      tags: { 'app.io/name': 'shop' },
    };
    expect(toJson(outputOf(document, fromJson({ value: expression }), null))).toEqual({
      value: expected,
    });
  });
});

describe('addresses', () => {
  const app = '/subscriptions/s/resourceGroups/g/providers/Microsoft.App/containerApps/a';
  test('are built from type, parent and name, and parsed', () => {
    const child = buildAddress({
      type: 'Microsoft.App/containerApps/authConfigs@2025-07-01',
      name: 'current',
      parent_id: app,
    });
    expect(child.id).toBe(`${app}/authConfigs/current`);
    expect(parseImportedAddress(`${child.id}?api-version=2025-07-01`)).toEqual(child);
    expect(parseImportedAddress(child.id).apiVersion).toBe('2026-01-01');
    expect(
      buildAddress({
        type: 'Microsoft.App/containerApps@2025-07-01',
        name: 'a',
        parent_id: '/subscriptions/s/resourceGroups/g',
      }).id,
    ).toBe(app);
    expect(resourceTypeOf('/subscriptions/s/resourceGroups/g')).toBe(
      'Microsoft.Resources/resourceGroups',
    );
    expect(() =>
      buildAddress({
        type: 'Microsoft.App/containerApps/authConfigs@2025-07-01',
        name: 'current',
        parent_id: '/subscriptions/s/resourceGroups/g',
      }),
    ).toThrow('Invalid configuration');
  });
});

describe('bodies of authConfigs', () => {
  test('unknown values and null are valid; messages contain no secrets', () => {
    expect(
      checkAuthConfigsBody({
        properties: {
          platform: null,
          httpSettings: unknown,
          login: { tokenStore: { azureBlobStorage: { sasUrlSettingName: null } } },
        },
      }),
    ).toEqual([]);
    const [message = ''] = checkAuthConfigsBody({
      properties: { platform: { enabled: 'p4ss phrase!' } },
    });
    expect(message).not.toContain('p4ss phrase!');
  });

  test.each([
    [
      {
        properties: {
          identityProviders: {
            customOpenIdConnectProviders: {
              x: { registration: { clientCredential: { method: 'ClientSecretBasic' } } },
            },
          },
        },
      },
      'expect `ClientSecretPost` but got `ClientSecretBasic`',
    ],
    [{ properties: { globalValidation: { excludedPaths: '/x' } } }, 'expect `array`'],
    [{ id: 'x' }, "`id` is not expected here, it's read only"],
    [
      { properties: { login: { tokenStore: { tokenRefreshExtensionHours: 1.5 } } } },
      'expect `integer`',
    ],
  ])('refuses the body %j', (body, text) =>
    expect(checkAuthConfigsBody(body).join('\n')).toContain(text),
  );
});

test('work under the same lock runs one after the other, also after a failure', async () => {
  const order: string[] = [];
  const work =
    (name: string, fails = false) =>
    async (): Promise<void> => {
      order.push(`${name} begins`);
      await new Promise((done) => setImmediate(done));
      order.push(`${name} ends`);
      if (fails) throw new Error(name);
    };
  const ended = await Promise.allSettled([
    withLocks(['a', 'b'], work('one', true)),
    withLocks(['B'], work('two')),
    withLocks(['c'], work('three')),
  ]);
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  const shared = order.filter((each) => !each.startsWith('three'));
  expect(shared.map((each) => each.split(' ')[1])).toEqual(['begins', 'ends', 'begins', 'ends']);
});

test('the output has members of the answer only', () => {
  const answer = { properties: { name: 'x' } };
  expect(outputOf(answer, ['constructor', 'properties.toString'], null)).toEqual(
    fromJson({ properties: {} }),
  );
  const byExpression = outputOf(answer, { a: 'constructor', b: 'properties.name' }, null);
  expect(byExpression).toEqual(fromJson({ a: null, b: 'x' }));
});

test('only a resource of azurerm can become one of azapi', () => {
  const { moveFrom } = azapiResource;
  const id = '/subscriptions/s/resourceGroups/g/providers/Microsoft.App/jobs/j';
  expect(() => moveFrom?.('azuread_group', { id })).toThrow('Invalid source type');
  expect(() => moveFrom?.('azurerm_key_vault_secret', { id: 'https://v/secrets/s/1' })).toThrow(
    'Invalid Resource ID',
  );
});
