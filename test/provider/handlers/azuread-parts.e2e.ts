import { callerId } from '../support/control-plane.js';
import { useSeededServices } from '../support/seeded-services.js';

const [ada, grace] = [
  'aaaaaaaa-0000-4000-8000-000000000001',
  'aaaaaaaa-0000-4000-8000-000000000002',
];
const [roleId, scopeId, permissionId] = [
  '11111111-0000-4000-8000-000000000001',
  '22222222-0000-4000-8000-000000000001',
  '33333333-0000-4000-8000-000000000001',
];
const graphAppId = '00000003-0000-0000-c000-000000000000';
const seed = `
users:
  - { id: ${ada}, userPrincipalName: ada@contoso.example, displayName: Ada, mailNickname: ada }
  - { id: ${grace}, userPrincipalName: grace@contoso.example, displayName: Grace, mailNickname: grace }
  - { id: ${callerId}, userPrincipalName: caller@contoso.example, displayName: Caller, mailNickname: caller }
`;

describe('more resource types of azuread in the sandbox', () => {
  const seeded = useSeededServices(['directory'], seed);
  const reimport = async (...addresses: readonly string[]): Promise<void> => {
    const state = await seeded.workspace.state();
    for (const address of addresses) {
      await seeded.workspace.succeed('state', 'rm', address);
      await seeded.workspace.succeed('import', address, String(state[address]?.['id']));
    }
    expect(await seeded.workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
  };

  const fullApplication = {
    display_name: 'Whole',
    owners: [ada],
    sign_in_audience: 'AzureADMyOrg',
    group_membership_claims: ['SecurityGroup'],
    feature_tags: [{ enterprise: true }],
    api: {
      requested_access_token_version: 2,
      oauth2_permission_scope: [
        {
          id: scopeId,
          value: 'read',
          admin_consent_description: 'd',
          admin_consent_display_name: 'n',
          type: 'User',
        },
      ],
    },
    app_role: [
      {
        id: roleId,
        value: 'admin',
        description: 'd',
        display_name: 'Admin',
        allowed_member_types: ['User', 'Application'],
      },
    ],
    optional_claims: { id_token: [{ name: 'email' }] },
    required_resource_access: [
      { resource_app_id: graphAppId, resource_access: [{ id: permissionId, type: 'Scope' }] },
    ],
    web: {
      homepage_url: 'https://app.example/',
      redirect_uris: ['https://app.example/cb'],
      implicit_grant: { id_token_issuance_enabled: true },
    },
    single_page_application: { redirect_uris: ['https://spa.example/'] },
  };

  test('applies, changes and imports an application with everything, its principal and a role assignment', async () => {
    const resources = (changes: object = {}): object => ({
      azuread_application: { a: { ...fullApplication, ...changes } },
      azuread_service_principal: {
        a: { client_id: '${azuread_application.a.client_id}', owners: [ada] },
      },
      azuread_app_role_assignment: {
        r: {
          app_role_id: roleId,
          principal_object_id: grace,
          resource_object_id: '${azuread_service_principal.a.object_id}',
        },
      },
    });
    const data = {
      data: { azuread_application: { a: { client_id: '${azuread_application.a.client_id}' } } },
      output: { roles: { value: '${data.azuread_application.a.app_role_ids}' } },
    };
    expect(await seeded.apply(resources(), data)).toContain('3 added');
    expect(await seeded.workspace.outputs()).toEqual({ roles: { admin: roleId } });
    const changed = {
      app_role: [{ ...fullApplication.app_role[0], display_name: 'Administrator' }],
      optional_claims: [],
      owners: [ada, grace],
      web: { redirect_uris: ['https://app.example/cb', 'https://app.example/cb2'] },
    };
    expect(await seeded.apply(resources(changed), data)).toMatch(/1 changed|2 changed/);
    await reimport(
      'azuread_application.a',
      'azuread_service_principal.a',
      'azuread_app_role_assignment.r',
    );
    expect(
      await seeded.apply({
        azuread_application: { a: { ...fullApplication, ...changed, app_role: [] } },
      }),
    ).toContain('2 destroyed');
  });

  test('applies, imports and changes each part of an application as a resource of its own', async () => {
    const id = '${azuread_application_registration.r.id}';
    const resources = (changes: { role?: object; scope?: object; uri?: string } = {}): object => ({
      azuread_application_registration: {
        r: { display_name: 'Parts' },
        client: { display_name: 'Client' },
      },
      azuread_application_app_role: {
        x: {
          application_id: id,
          role_id: roleId,
          value: 'admin',
          description: 'd',
          display_name: 'Admin',
          allowed_member_types: ['User'],
          ...changes.role,
        },
      },
      azuread_application_permission_scope: {
        x: {
          application_id: id,
          scope_id: scopeId,
          value: 'read',
          admin_consent_description: 'd',
          admin_consent_display_name: 'n',
          ...changes.scope,
        },
      },
      azuread_application_identifier_uri: {
        x: { application_id: id, identifier_uri: changes.uri ?? 'api://parts-of-one' },
      },
      azuread_application_api_access: {
        x: { application_id: id, api_client_id: graphAppId, scope_ids: [permissionId] },
      },
      azuread_application_known_clients: {
        x: {
          application_id: id,
          known_client_ids: ['${azuread_application_registration.client.client_id}'],
        },
      },
      azuread_application_optional_claims: {
        x: {
          application_id: id,
          access_token: [{ name: 'groups', additional_properties: ['emit_as_roles'] }],
          id_token: [{ name: 'email', essential: true }],
        },
      },
      azuread_application_pre_authorized: {
        x: {
          application_id: id,
          authorized_client_id: '${azuread_application_registration.client.client_id}',
          permission_ids: ['${azuread_application_permission_scope.x.scope_id}'],
        },
      },
      azuread_application_fallback_public_client: { x: { application_id: id, enabled: true } },
      azuread_application_owner: { x: { application_id: id, owner_object_id: ada } },
      azuread_application_federated_identity_credential: {
        x: {
          application_id: id,
          display_name: 'ci',
          issuer: 'https://ci.example',
          subject: 'repo:a',
          audiences: ['api://AzureADTokenExchange'],
        },
      },
      azuread_service_principal: {
        s: { client_id: '${azuread_application_registration.r.client_id}' },
      },
      azuread_service_principal_password: {
        x: { service_principal_id: '${azuread_service_principal.s.id}' },
      },
    });
    expect(await seeded.apply(resources())).toContain('14 added');
    const parts = [
      'app_role',
      'permission_scope',
      'identifier_uri',
      'api_access',
      'known_clients',
      'optional_claims',
      'pre_authorized',
      'fallback_public_client',
      'owner',
      'federated_identity_credential',
    ];
    await reimport(...parts.map((part) => `azuread_application_${part}.x`));
    expect(
      await seeded.apply(
        resources({
          role: { description: 'other' },
          scope: { admin_consent_description: 'other' },
          uri: 'api://another',
        }),
      ),
    ).toContain('1 added, 2 changed, 1 destroyed');
    expect(await seeded.workspace.succeed('destroy', '-auto-approve')).toContain('14 destroyed');
  });

  test('applies users, administrative units and directory roles, and reads lists', async () => {
    const resources = (changes: object = {}): object => ({
      azuread_user: {
        u: {
          user_principal_name: 'new@contoso.example',
          display_name: 'New',
          password: 'Str0ng-Passw0rd!x',
          department: 'Retail',
          manager_id: ada,
          ...changes,
        },
      },
      azuread_administrative_unit: { a: { display_name: 'Unit', members: [grace] } },
      azuread_administrative_unit_member: {
        m: {
          administrative_unit_object_id: '${azuread_administrative_unit.b.object_id}',
          member_object_id: ada,
        },
      },
      azuread_directory_role: { r: { display_name: 'Groups Administrator' } },
    });
    const withUnit = (changes: object = {}): object => ({
      ...resources(changes),
      azuread_administrative_unit: {
        a: { display_name: 'Unit', members: [grace] },
        b: { display_name: 'Other' },
      },
    });
    const data = {
      data: {
        azuread_domains: { d: {} },
        azuread_users: { all: { return_all: true } },
        azuread_groups: { all: { return_all: true } },
        azuread_service_principals: { all: { return_all: true } },
        azuread_application_published_app_ids: { p: {} },
        azuread_client_config: { me: {} },
      },
      output: {
        me: { value: '${data.azuread_client_config.me.object_id}' },
        graph: { value: '${data.azuread_application_published_app_ids.p.result.MicrosoftGraph}' },
      },
    };
    const applied = await seeded.apply(withUnit(), data);
    expect(applied).toContain('5 added');
    expect(applied).not.toContain('Str0ng-Passw0rd!x');
    expect(await seeded.workspace.outputs()).toEqual({ me: callerId, graph: graphAppId });
    expect(
      await seeded.apply(
        withUnit({ department: 'Sales', manager_id: grace, job_title: 'Lead' }),
        data,
      ),
    ).toContain('1 changed');
    expect(await seeded.workspace.succeed('destroy', '-auto-approve')).toContain('5 destroyed');
  });

  test('clears the phone number and the hire date of a user', async () => {
    const user = {
      user_principal_name: 'new@contoso.example',
      display_name: 'New',
      password: 'Str0ng-Passw0rd!x',
    };
    const details = {
      business_phones: ['+1 555 0100'],
      employee_hire_date: '2020-01-01T00:00:00Z',
    };
    await seeded.apply({ azuread_user: { u: { ...user, ...details } } });
    await seeded.apply({ azuread_user: { u: { ...user, business_phones: [] } } });
    expect((await seeded.workspace.state())['azuread_user.u']).toMatchObject({
      business_phones: [],
      employee_hire_date: null,
    });
  });
});
