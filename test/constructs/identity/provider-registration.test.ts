import {
  ContainerApp,
  User,
  ProviderRegistration,
  type ProviderRegistrationProps,
  SecurityGroup,
  UnifiedGroup,
} from '../../../constructs/index.js';
import { synthesized } from '../support/synthesized.js';

const declare = (props: Partial<ProviderRegistrationProps> = {}) =>
  synthesized((stack) => {
    new ProviderRegistration(stack, 'login', { displayName: 'Shop sign-in', ...props });
  });

describe('ProviderRegistration', () => {
  it('registers a single-tenant application with ID tokens, a secret made before the old one goes, and a service principal', () => {
    expect(declare().resource).toEqual({
      azuread_application_registration: {
        login: {
          display_name: 'Shop sign-in',
          sign_in_audience: 'AzureADMyOrg',
          implicit_id_token_issuance_enabled: true,
        },
      },
      azuread_application_password: {
        login: {
          application_id: '${azuread_application_registration.login.id}',
          display_name: 'sign-in',
          lifecycle: { create_before_destroy: true },
        },
      },
      azuread_service_principal: {
        login: { client_id: '${azuread_application_registration.login.client_id}' },
      },
    });
  });

  it('ends the secret on the declared day and rotates it by a word', () => {
    const { resource } = declare({
      secret: { displayName: 'web', expires: '2027-05-01T00:00:00Z', rotation: '2' },
    });
    expect(resource['azuread_application_password']?.['login']).toMatchObject({
      display_name: 'web',
      end_date: '2027-05-01T00:00:00Z',
      rotate_when_changed: { rotation: '2' },
    });
  });

  it('is the same at every synthesis: no date is computed from the clock', () => {
    expect(declare()).toEqual(declare());
  });

  it('gets its own redirect URIs, then those of all apps that use it, without duplicates', () => {
    const { resource } = synthesized((stack) => {
      const login = new ProviderRegistration(stack, 'login', {
        displayName: 'L',
        redirectUris: ['https://shop.example/back'],
      });
      for (const name of ['one', 'two'])
        new ContainerApp(stack, name, {
          image: 'nginx:1',
          targetPort: 80,
          ingress: { external: true },
          auth: { providers: { directory: { registration: login } } },
        });
    });
    expect(resource['azuread_application_redirect_uris']).toEqual({
      login: {
        application_id: '${azuread_application_registration.login.id}',
        type: 'Web',
        redirect_uris: [
          'https://shop.example/back',
          'https://one.${azurerm_container_app_environment.shop.default_domain}/.auth/login/aad/callback',
          'https://two.${azurerm_container_app_environment.shop.default_domain}/.auth/login/aad/callback',
        ],
      },
    });
  });

  it('requests security groups in tokens if they suffice, otherwise all groups', () => {
    const claims = (unified: boolean) =>
      synthesized((stack) => {
        const login = new ProviderRegistration(stack, 'login', { displayName: 'L' });
        const group = unified
          ? new UnifiedGroup(stack, 'g', { displayName: 'G' })
          : new SecurityGroup(stack, 'g', { displayName: 'G' });
        new ContainerApp(stack, 'app', {
          image: 'nginx:1',
          targetPort: 80,
          ingress: { external: true },
          auth: { providers: { directory: { registration: login, allowedGroups: [group] } } },
        });
      }).resource['azuread_application_registration']?.['login']?.['group_membership_claims'];
    expect(claims(false)).toEqual(['SecurityGroup']);
    expect(claims(true)).toEqual(['All']);
  });

  it('is a whole application where owners, roles, scopes or permissions are declared', () => {
    const { resource } = synthesized((stack) => {
      const ada = User.fromPrincipalName(stack, 'ada', 'ada@contoso.example');
      new ProviderRegistration(stack, 'login', {
        displayName: 'Shop',
        owners: [ada],
        homepageUrl: 'https://shop.example/',
        appRoles: [
          {
            id: '00000000-1111-4222-8333-444444444444',
            displayName: 'Buyer',
            description: 'Buys',
            value: 'buyer',
            allowedMemberTypes: ['User'],
          },
        ],
        scopes: [
          {
            id: '00000000-2222-4222-8333-444444444444',
            value: 'read',
            adminConsentDisplayName: 'Read',
            adminConsentDescription: 'Reads',
          },
        ],
        requiredPermissions: [
          {
            resourceAppId: '00000003-0000-0000-c000-000000000000',
            roles: ['00000000-3333-4222-8333-444444444444'],
          },
        ],
      });
    });
    expect(resource['azuread_application']?.['login']).toEqual({
      display_name: 'Shop',
      sign_in_audience: 'AzureADMyOrg',
      owners: ['${data.azuread_user.ada.object_id}'],
      web: {
        homepage_url: 'https://shop.example/',
        implicit_grant: { id_token_issuance_enabled: true },
      },
      api: {
        requested_access_token_version: 2,
        oauth2_permission_scope: [
          {
            id: '00000000-2222-4222-8333-444444444444',
            value: 'read',
            admin_consent_display_name: 'Read',
            admin_consent_description: 'Reads',
            type: 'User',
            enabled: true,
          },
        ],
      },
      app_role: [
        {
          id: '00000000-1111-4222-8333-444444444444',
          display_name: 'Buyer',
          description: 'Buys',
          value: 'buyer',
          allowed_member_types: ['User'],
          enabled: true,
        },
      ],
      required_resource_access: [
        {
          resource_app_id: '00000003-0000-0000-c000-000000000000',
          resource_access: [{ id: '00000000-3333-4222-8333-444444444444', type: 'Role' }],
        },
      ],
      lifecycle: { ignore_changes: ['web[0].redirect_uris'] },
    });
  });
});
