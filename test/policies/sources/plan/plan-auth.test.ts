import { change, useCheckedPlan } from './support/check-plan.js';

const check = useCheckedPlan();

describe('checking a plan with a sign-in layer', () => {
  it('judges the body of a sign-in layer, with the app that it is for, by the rules of castellan.yaml', async () => {
    const app = {
      name: 'shop',
      ingress: [
        {
          external_enabled: false,
          target_port: 80,
          traffic_weight: [{ latest_revision: true, percentage: 100 }],
        },
      ],
      template: [
        {
          container: [
            {
              image: 'shop:1',
              cpu: 0.25,
              memory: '0.5Gi',
              env: [{ name: 'A', secret_name: 'gone' }],
            },
          ],
        },
      ],
      secret: [{ name: 'github' }],
    };
    const body = {
      properties: {
        globalValidation: {
          unauthenticatedClientAction: 'RedirectToLogin',
          redirectToProvider: 'google',
          excludedPaths: ['healthz'],
        },
        identityProviders: {
          gitHub: { registration: { clientId: 'a', clientSecretSettingName: 'githb' } },
        },
      },
    };
    const auth = {
      type: 'Microsoft.App/containerApps/authConfigs@2025-07-01',
      name: 'current',
      parent_id: '/x/containerApps/shop',
      body,
    };
    const findings = await check(undefined, [
      change('azapi_resource', 'layer', auth),
      change('azurerm_container_app', 'web', app),
    ]);
    expect(
      findings
        .map(
          ({ ruleId, terraformAddress, path }) =>
            `${ruleId} ${terraformAddress} ${path?.slice(2).join('.')}`,
        )
        .sort(),
    ).toEqual([
      'app-secret-references azapi_resource.layer auth.providers.codehost.clientSecret',
      'app-secret-references azurerm_container_app.web env.A.secret',
      'auth-access-action azapi_resource.layer auth.unauthenticatedAction',
      'auth-external-ingress azurerm_container_app.web ingress.external',
      'auth-open-provider azapi_resource.layer auth.providers.codehost',
      'property-value azapi_resource.layer auth.excludedPaths.0',
    ]);
    const [findingWithoutApp] = await check(undefined, [
      change('azapi_resource', 'layer', { ...auth, parent_id: undefined }),
    ]);
    expect(findingWithoutApp).toMatchObject({ terraformAddress: 'azapi_resource.layer' });
  });

  it('reports a public app as for castellan.yaml, though the cloud has one setting for its two', async () => {
    const app = {
      id: '/x/containerApps/shop',
      name: 'shop',
      ingress: [
        {
          external_enabled: true,
          target_port: 80,
          traffic_weight: [{ latest_revision: true, percentage: 100 }],
        },
      ],
      template: [
        {
          container: [
            { name: 'shop', image: 'ghcr.io/contoso/shop:1', cpu: 0.25, memory: '0.5Gi' },
          ],
        },
      ],
      secret: [{ name: 's' }],
    };
    const identityProviders = {
      gitHub: { registration: { clientId: 'a', clientSecretSettingName: 's' } },
    };
    const findingLines = async (globalValidation: object, afterUnknown: object = {}) => {
      const body = { properties: { globalValidation, identityProviders } };
      const type = 'Microsoft.App/containerApps/authConfigs@2025-07-01';
      const auth = change(
        'azapi_resource',
        'layer',
        { type, name: 'current', parent_id: app.id, body },
        afterUnknown,
      );
      const findings = await check(undefined, [auth, change('azurerm_container_app', 'web', app)]);
      return findings.map(
        ({ verdict, ruleId, path }) => `${verdict} ${ruleId} ${(path ?? []).slice(2).join('.')}`,
      );
    };
    expect(await findingLines({ unauthenticatedClientAction: 'AllowAnonymous' })).toEqual([
      'fail auth-public-app auth.restrictAccess',
    ]);
    const openProvider = ['fail auth-open-provider auth.providers.codehost'];
    expect(await findingLines({ unauthenticatedClientAction: 'Return401' })).toEqual(openProvider);
    expect(await findingLines({})).toEqual(openProvider);
    const afterUnknown = {
      body: { properties: { globalValidation: { unauthenticatedClientAction: true } } },
    };
    expect(await findingLines({}, afterUnknown)).toContain(
      'unknown auth-public-app auth.restrictAccess',
    );
  });

  it.each([
    ['known', { parent_id: '/x/containerApps/shop' }, {}],
    ['known only after apply', {}, { parent_id: true }],
  ])('says of a second layer of an app, whose id is %s, that it has one', async (_, id, later) => {
    const auth = (name: string, unauthenticatedClientAction: string) =>
      change(
        'azapi_resource',
        name,
        {
          type: 'Microsoft.App/containerApps/authConfigs@2025-07-01',
          name: 'current',
          body: { properties: { globalValidation: { unauthenticatedClientAction } } },
          ...id,
        },
        later,
      );
    const app = (name: string) =>
      change('azurerm_container_app', name, {
        name,
        ingress: [{ external_enabled: true, target_port: 80 }],
        template: [{ container: [{ name, image: `${name}:1`, cpu: 0.25, memory: '0.5Gi' }] }],
      });
    const settings = (name: string) => ({
      address: `azapi_resource.${name}`,
      mode: 'managed',
      expressions: { parent_id: { references: ['azurerm_container_app.shop.id'] } },
    });
    const findings = await check(
      undefined,
      [app('shop'), app('open'), auth('layer', 'Return401'), auth('other', 'Return401')],
      {},
      { configuration: { root_module: { resources: [settings('layer'), settings('other')] } } },
    );
    expect(
      findings
        .filter(({ ruleId }) => ruleId === 'auth-public-app')
        .map(({ verdict, message }) => `${verdict} ${message}`)
        .sort(),
    ).toEqual([
      'fail the app is reached from outside and has no sign-in: add an azapi_resource of type Microsoft.App/containerApps/authConfigs, or say in castellan.policy.yaml why not',
      "unknown azapi_resource.other can't be judged together with its app: the app has the settings of azapi_resource.layer, too, and an app has only one; remove one of the two",
    ]);
  });

  it('lists ten of the sign-in layers that an app without one may have, and counts the others', async () => {
    const ingress = [
      {
        external_enabled: true,
        target_port: 80,
        traffic_weight: [{ latest_revision: true, percentage: 100 }],
      },
    ];
    const template = [
      {
        container: [{ name: 'shop', image: 'ghcr.io/contoso/shop:1', cpu: 0.25, memory: '0.5Gi' }],
      },
    ];
    const layer = (index: number) =>
      change(
        'azapi_resource',
        `layer${String(index)}`,
        {
          type: 'Microsoft.App/containerApps/authConfigs@2025-07-01',
          name: 'current',
          body: { properties: {} },
        },
        { parent_id: true },
      );
    const layers = Array.from({ length: 25 }, (_, index) => layer(index));
    const findings = await check(undefined, [
      ...layers,
      change('azurerm_container_app', 'web', { name: 'shop', ingress, template }),
    ]);
    const appFindings = findings.filter(
      ({ terraformAddress }) => terraformAddress === 'azurerm_container_app.web',
    );
    expect(appFindings.map(({ ruleId, verdict }) => `${verdict} ${ruleId}`)).toEqual([
      'unknown auth-public-app',
    ]);
    expect(appFindings[0]?.message).toContain(
      'azapi_resource.layer9 and 15 more is known only after apply',
    );
  });

  it('gives a mistake of the sign-in layer and of a registration the fingerprint that it has in the source', async () => {
    const yaml = `version: 1
stack: shop
registrations:
  login: { displayName: Login, redirectUris: ["http://shop.example/a"], secret: { expires: "2020-01-01T00:00:00Z" } }
containerApps:
  shop:
    image: shop:1
    targetPort: 80
    ingress: { external: true }
    auth: { excludedPaths: ["healthz"], providers: { codehost: { clientId: a, clientSecret: "\${env:S}" } } }
`;
    const body = {
      properties: {
        globalValidation: { excludedPaths: ['healthz'] },
        identityProviders: {
          gitHub: { registration: { clientId: 'a', clientSecretSettingName: 's' } },
        },
      },
    };
    const resources = [
      change(
        'azapi_resource',
        'shop',
        { type: 'Microsoft.App/containerApps/authConfigs@2025-07-01', body },
        { parent_id: true },
      ),
      change(
        'azuread_application_password',
        'login',
        { end_date: '2020-01-01T00:00:00Z' },
        { application_id: true },
      ),
      change(
        'azuread_application_redirect_uris',
        'login',
        { type: 'Web', redirect_uris: ['http://shop.example/a'] },
        { application_id: true },
      ),
      change('azuread_application_registration', 'login', {
        display_name: 'Login',
        sign_in_audience: 'AzureADMyOrg',
      }),
    ];
    const errorsIn = (findings: Awaited<ReturnType<typeof check>>) =>
      findings
        .filter(({ severity }) => severity === 'error')
        .map(({ ruleId, fingerprint, terraformAddress }) => ({
          ruleId,
          fingerprint,
          terraformAddress,
        }));
    const [errorsWithSource, errorsWithoutSource] = [
      errorsIn(await check(yaml, resources)),
      errorsIn(await check(undefined, resources)),
    ];
    expect(
      errorsWithSource
        .map(({ ruleId, terraformAddress }) => `${ruleId} ${terraformAddress}`)
        .sort(),
    ).toEqual([
      'property-value azapi_resource.shop',
      'registration-redirect-uris azuread_application_redirect_uris.login',
      'registration-secret-expiry azuread_application_password.login',
    ]);
    expect(new Set(errorsWithoutSource.map(({ fingerprint }) => fingerprint))).toEqual(
      new Set(errorsWithSource.map(({ fingerprint }) => fingerprint)),
    );
  });
});
