import { app1, appBody, type Harness, startManager, withEnvironment } from './support.js';

let manager: Harness;
beforeEach(async () => {
  manager = await startManager();
  await withEnvironment(manager);
});
afterEach(() => manager.close());

/**
 * @claim auth-configs: authConfigs are returned without nulls and without values of secrets,
 *   which they name only.
 * @source https://learn.microsoft.com/rest/api/containerapps/container-apps-auth-configs/get
 * @seen azapi
 */
test('sign-in settings are stored without nulls, and deleted with their app', async () => {
  const auth = `${app1}/authConfigs/current`;
  const body = {
    properties: {
      platform: { enabled: true },
      globalValidation: null,
      login: { tokenStore: { enabled: true, tokenRefreshExtensionHours: 72 } },
    },
  };
  expect((await manager.send('PUT', auth, body)).body.error.code).toBe('ParentResourceNotFound');
  await manager.send('PUT', app1, appBody());
  expect((await manager.send('PUT', auth, body)).status).toBe(200);
  const { globalValidation: _none, ...storedProperties } = body.properties;
  expect((await manager.send('GET', auth)).body).toMatchObject({
    id: auth,
    name: 'current',
    type: 'Microsoft.App/containerApps/authConfigs',
    properties: storedProperties,
  });
  expect((await manager.send('GET', auth)).body.properties).toEqual(storedProperties);
  expect(await manager.service.apps()).toEqual([
    expect.objectContaining({
      id: app1,
      name: 'app1',
      auth: storedProperties,
      secrets: [{ name: 'one', value: 's3cret' }],
    }),
  ]);
  expect((await manager.send('DELETE', app1)).status).toBe(200);
  expect((await manager.send('GET', auth)).status).toBe(404);
});

test("sign-in settings keep the properties of the sandbox's own layer, and no unknown ones", async () => {
  await manager.send('PUT', app1, appBody());
  const globalValidation = { requirements: [{ path: '/admin', groups: ['g'], maxAge: 600 }] };
  const registration = { clientId: 'p' };
  const partner = {
    registration,
    validation: { allowedGroups: ['writers'], requiredClaims: { plan: ['pro'] } },
  };
  const identityProviders = { customOpenIdConnectProviders: { partner } };
  const properties = { globalValidation, identityProviders, unknown: true };
  expect(await manager.send('PUT', `${app1}/authConfigs/current`, { properties })).toMatchObject({
    status: 200,
  });
  expect((await manager.service.apps())[0]?.auth).toEqual({ globalValidation, identityProviders });
});

test.each<[string, object]>([
  ['a text for a boolean', { platform: { enabled: 'yes' } }],
  [
    'a word that is not an action',
    { globalValidation: { unauthenticatedClientAction: 'Redirect' } },
  ],
])('sign-in settings with %s are refused', async (_, properties) => {
  await manager.send('PUT', app1, appBody());
  expect(
    (await manager.send('PUT', `${app1}/authConfigs/current`, { properties })).body.error.code,
  ).toBe('InvalidRequestContent');
});
