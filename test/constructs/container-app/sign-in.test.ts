import {
  ContainerApp,
  User,
  ProviderRegistration,
  SecurityGroup,
  Secret,
} from '../../../constructs/index.js';
import { synthesized, westEurope } from '../support/synthesized.js';
import { bodyOf, synthesizeAppWithAuth } from './synthesize-app-with-auth.js';

const tenant = '11111111-2222-4333-8444-555555555555';

describe('the sign-in of a ContainerApp', () => {
  it('is an authConfigs resource with every setting, unset ones as explicit nulls', () => {
    const { resource, provider } = synthesizeAppWithAuth((stack) => {
      const registration = new ProviderRegistration(stack, 'login', { displayName: 'L' });
      return { providers: { directory: { registration } } };
    });
    expect(resource['azapi_resource']).toEqual({
      web: {
        type: 'Microsoft.App/containerApps/authConfigs@2025-07-01',
        name: 'current',
        parent_id: '${azurerm_container_app.web.id}',
        body: {
          properties: {
            platform: { enabled: true, runtimeVersion: null },
            globalValidation: {
              unauthenticatedClientAction: 'RedirectToLoginPage',
              redirectToProvider: 'azureactivedirectory',
              excludedPaths: null,
            },
            httpSettings: { requireHttps: true, routes: null, forwardProxy: null },
            identityProviders: {
              azureActiveDirectory: {
                enabled: true,
                registration: {
                  clientId: '${azuread_application_registration.login.client_id}',
                  clientSecretSettingName: 'directory-client-secret',
                  clientSecretCertificateThumbprint: null,
                  clientSecretCertificateIssuer: null,
                  clientSecretCertificateSubjectAlternativeName: null,
                  openIdIssuer: `https://login.microsoftonline.com/${tenant}/v2.0`,
                },
                login: null,
                validation: {
                  allowedAudiences: ['api://${azuread_application_registration.login.client_id}'],
                  defaultAuthorizationPolicy: null,
                  jwtClaimChecks: null,
                },
              },
              google: null,
              gitHub: null,
              apple: null,
              facebook: null,
              twitter: null,
              customOpenIdConnectProviders: null,
            },
            login: {
              tokenStore: {
                enabled: false,
                tokenRefreshExtensionHours: null,
                azureBlobStorage: null,
              },
              cookieExpiration: null,
              nonce: null,
              routes: null,
              allowedExternalRedirectUrls: null,
              preserveUrlFragmentsForLogins: null,
            },
            encryptionSettings: null,
          },
        },
      },
    });
    expect(resource['azurerm_container_app']?.['web']?.['secret']).toEqual([
      // the secret that synthesize-app-with-auth.ts gives every app
      { name: 'apple', value: '${var.APPLE}' },
      { name: 'directory-client-secret', value: '${azuread_application_password.login.value}' },
    ]);
    expect(provider).toMatchObject({ azapi: [{ ignore_no_op_changes: false }] });
  });

  it('uses the tenant of the caller when the stack declares none', () => {
    const { resource } = synthesizeAppWithAuth(
      () => ({
        providers: { directory: { clientId: 'c', clientSecret: Secret.fromEnvironment('C') } },
      }),
      {
        azure: { location: 'westeurope' },
      },
    );
    expect(JSON.stringify(resource['azapi_resource'])).toContain(
      'https://login.microsoftonline.com/${data.azuread_client_config.caller.tenant_id}/v2.0',
    );
  });

  it('lets in only the declared groups, principals and applications', () => {
    const { resource } = synthesizeAppWithAuth((stack) => {
      const group = new SecurityGroup(stack, 'staff', { displayName: 'Staff' });
      const ada = User.fromPrincipalName(stack, 'ada', 'ada@contoso.example');
      return {
        providers: {
          directory: {
            clientId: 'c',
            clientSecret: Secret.fromEnvironment('DIRECTORY_SECRET'),
            allowedGroups: [group],
            allowedPrincipals: [ada],
            allowedApplications: ['app'],
            claimGroups: ['6F1D2C3B-1111-4222-8333-444455556666'],
            allowedClientApplications: ['client'],
            allowedAudiences: ['api://shop'],
            loginParameters: ['prompt=select_account'],
            disableWwwAuthenticate: true,
          },
        },
      };
    });
    const body = resource['azapi_resource']?.['web']?.['body'] as {
      properties: { identityProviders: Record<string, unknown> };
    };
    expect(body.properties.identityProviders['azureActiveDirectory']).toMatchObject({
      login: { loginParameters: ['prompt=select_account'], disableWWWAuthenticate: true },
      validation: {
        allowedAudiences: ['api://shop'],
        defaultAuthorizationPolicy: {
          allowedApplications: ['app'],
          allowedPrincipals: {
            groups: ['${azuread_group.staff.object_id}'],
            identities: ['${data.azuread_user.ada.object_id}'],
          },
        },
        jwtClaimChecks: {
          allowedGroups: ['6f1d2c3b-1111-4222-8333-444455556666'],
          allowedClientApplications: ['client'],
        },
      },
    });
  });

  it('passes everyone where access is not restricted', () => {
    const properties = bodyOf({
      restrictAccess: 'allowUnauthenticated',
      providers: { search: { clientId: 's' } },
    });
    expect(properties['globalValidation']).toMatchObject({
      unauthenticatedClientAction: 'AllowAnonymous',
    });
  });

  it("adds the callback path in the specifications' words when the sandbox uses them", () => {
    const uris = (dialect: 'neutral' | 'azure') =>
      synthesizeAppWithAuth(
        (stack) => ({
          providers: {
            directory: {
              registration: new ProviderRegistration(stack, 'login', { displayName: 'L' }),
            },
          },
        }),
        {
          ...westEurope,
          sandbox: { dialect },
        },
      ).resource['azuread_application_redirect_uris']?.['login']?.['redirect_uris'];
    const host = 'https://web.${azurerm_container_app_environment.shop.default_domain}';
    expect(uris('azure')).toEqual([`${host}/.auth/login/aad/callback`]);
    expect(uris('neutral')).toEqual([
      `${host}/.auth/login/aad/callback`,
      `${host}/.auth/login/directory/callback`,
    ]);
  });

  it('refuses a literal secret, and one whose name the sign-in settings need', () => {
    expect(() =>
      bodyOf({ providers: { codehost: { clientId: 'g', clientSecret: 'hunter2' as never } } }),
    ).toThrow(/CAS2001|written out|secret/);
    expect(() =>
      synthesized((stack) => {
        new ContainerApp(stack, 'web', {
          image: 'nginx:1',
          targetPort: 80,
          secrets: { 'codehost-client-secret': Secret.fromEnvironment('OTHER') },
          ingress: { external: true },
          auth: {
            providers: {
              codehost: { clientId: 'g', clientSecret: Secret.fromEnvironment('CODEHOST') },
            },
          },
        });
      }),
    ).toThrow(/two different secrets would have the name codehost-client-secret/);
  });
});
