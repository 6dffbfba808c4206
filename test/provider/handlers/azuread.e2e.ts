import { callerId, configWith } from '../support/control-plane.js';
import { flat, useSeededServices } from '../support/seeded-services.js';

const seed = `
users:
  - { id: aaaaaaaa-0000-4000-8000-000000000001, userPrincipalName: ada@contoso.example, displayName: Ada, mailNickname: ada, mail: ada@contoso.example, department: Retail }
  - { id: aaaaaaaa-0000-4000-8000-000000000002, userPrincipalName: grace@contoso.example, displayName: Grace, mailNickname: grace, mail: grace@contoso.example }
  - { id: ${callerId}, userPrincipalName: caller@contoso.example, displayName: Caller, mailNickname: caller }
`;
const [ada, grace] = [
  'aaaaaaaa-0000-4000-8000-000000000001',
  'aaaaaaaa-0000-4000-8000-000000000002',
];

describe('azuread in the sandbox', () => {
  const seeded = useSeededServices(['directory'], seed);

  test('applies, changes, rotates and destroys a registration with its secret, principal and redirect URIs', async () => {
    const resources = (changes: object = {}): object => ({
      azuread_application_registration: {
        r: {
          display_name: 'Storefront sign-in',
          sign_in_audience: 'AzureADMyOrg',
          implicit_id_token_issuance_enabled: true,
          ...changes,
        },
      },
      azuread_application_password: {
        r: {
          application_id: '${azuread_application_registration.r.id}',
          display_name: 'sign-in',
          end_date: '2035-05-01T00:00:00Z',
          rotate_when_changed: { generation: '1' },
          lifecycle: { create_before_destroy: true },
        },
      },
      azuread_service_principal: {
        r: {
          client_id: '${azuread_application_registration.r.client_id}',
          feature_tags: [{ hide: true }],
        },
      },
      azuread_application_redirect_uris: {
        r: {
          application_id: '${azuread_application_registration.r.id}',
          type: 'Web',
          redirect_uris: ['https://app.example/.auth/login/aad/callback'],
        },
      },
    });
    expect(await seeded.apply(resources())).toContain('4 added');
    const state = await seeded.workspace.state();
    const secret = String(state['azuread_application_password.r']?.['value']);
    expect(secret.length).toBeGreaterThan(8);
    const objectId = String(state['azuread_application_registration.r']?.['object_id']);
    const application = await seeded.controlPlane.directory.applications.get(objectId);
    expect(application.web).toMatchObject({
      redirectUris: ['https://app.example/.auth/login/aad/callback'],
      implicitGrantSettings: { enableIdTokenIssuance: true },
    });
    expect(state['azuread_service_principal.r']).toMatchObject({
      display_name: 'Storefront sign-in',
      tags: ['HideApp'],
    });
    expect(
      await seeded.apply(
        resources({ display_name: 'Renamed', homepage_url: 'https://app.example/' }),
      ),
    ).toContain('1 changed');
    expect((await seeded.controlPlane.directory.applications.get(objectId)).web).toMatchObject({
      homePageUrl: 'https://app.example/',
      redirectUris: ['https://app.example/.auth/login/aad/callback'],
    });
    const rotatedResources = resources() as {
      azuread_application_password: { r: { rotate_when_changed: object } };
    };
    rotatedResources.azuread_application_password.r.rotate_when_changed = { generation: '2' };
    const rotation = await seeded.apply(rotatedResources);
    expect(rotation).toContain('# forces replacement');
    expect(rotation).not.toContain(secret);
    expect(await seeded.workspace.succeed('destroy', '-auto-approve')).toContain('4 destroyed');
    expect(seeded.controlPlane.log()).not.toContain(secret);
  });

  test('applies, changes and imports a security group whose owners and members are looked up by name', async () => {
    const group = {
      display_name: 'Administrators',
      description: 'd',
      mail_nickname: 'admins',
      security_enabled: true,
      mail_enabled: false,
      owners: ['${data.azuread_user.ada.object_id}'],
      members: '${data.azuread_users.team.object_ids}',
    };
    const data = {
      data: {
        azuread_user: { ada: { user_principal_name: 'ada@contoso.example' } },
        azuread_users: {
          team: { user_principal_names: ['ada@contoso.example', 'grace@contoso.example'] },
        },
        azuread_client_config: { me: {} },
      },
    };
    await seeded.apply({ azuread_group: { g: group } }, data);
    const [foundGroup] = await collectEntries(
      seeded.controlPlane.directory.groups.list({ filter: "displayName eq 'Administrators'" }),
    );
    expect(
      (
        await collectEntries(
          seeded.controlPlane.directory.groups.members.list(foundGroup?.id ?? ''),
        )
      )
        .map(({ id }) => id)
        .sort(),
    ).toEqual([ada, grace]);
    await seeded.controlPlane.directory.groups.members.remove(foundGroup?.id ?? '', grace);
    expect(flat(await seeded.workspace.succeed('plan'))).toContain(`+ "${grace}"`);
    expect(
      await seeded.apply(
        { azuread_group: { g: { ...group, display_name: 'Renamed', members: [grace] } } },
        data,
      ),
    ).toContain('1 changed');
    expect(
      (
        await collectEntries(
          seeded.controlPlane.directory.groups.members.list(foundGroup?.id ?? ''),
        )
      ).map(({ id }) => id),
    ).toEqual([grace]);
    await seeded.workspace.write(
      configWith({ azuread_group: { g: { ...group, mail_nickname: 'other' } } }, data),
    );
    expect(await seeded.workspace.succeed('plan')).toContain('# forces replacement');
    await seeded.workspace.succeed('state', 'rm', 'azuread_group.g');
    await seeded.workspace.write(
      configWith(
        { azuread_group: { g: { ...group, display_name: 'Renamed', members: [grace] } } },
        data,
      ),
    );
    expect(
      flat(await seeded.workspace.fail('import', 'azuread_group.g', foundGroup?.id ?? '')),
    ).toContain('/groups/{objectId}');
    await seeded.workspace.succeed('import', 'azuread_group.g', `/groups/${foundGroup?.id ?? ''}`);
    expect(await seeded.workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
  });

  test('applies and changes a dynamic unified group, and a group whose members are separate resources', async () => {
    const unified = {
      display_name: 'Shoppers',
      description: 'd',
      mail_nickname: 'shoppers',
      mail_enabled: true,
      security_enabled: false,
      types: ['Unified', 'DynamicMembership'],
      visibility: 'Private',
      dynamic_membership: { enabled: true, rule: 'user.department -eq "Retail"' },
      owners: [ada, grace],
    };
    await seeded.apply({
      azuread_group: { u: unified },
      azuread_group_without_members: {
        s: {
          display_name: 'Static',
          description: 'd',
          mail_nickname: 'static',
          security_enabled: true,
          owners: [ada],
        },
      },
      azuread_group_member: {
        m: {
          group_object_id: '${azuread_group_without_members.s.object_id}',
          member_object_id: grace,
        },
      },
    });
    expect(
      await seeded.apply({
        azuread_group: {
          u: {
            ...unified,
            dynamic_membership: { enabled: false, rule: 'user.department -eq "Sales"' },
            theme: 'Blue',
          },
        },
      }),
    ).toContain('1 changed');
    const { mail_nickname: _nickname, ...withoutNickname } = unified;
    await seeded.apply({ azuread_group: { u: withoutNickname } });
    expect((await seeded.workspace.state())['azuread_group.u']).toMatchObject({
      mail_nickname: 'shoppers',
    });
    const { theme: _theme, ...plain } = unified as typeof unified & { theme?: string };
    await seeded.workspace.write(
      configWith({ azuread_group: { u: { ...plain, visibility: 'Hiddenmembership' } } }),
    );
    expect(await seeded.workspace.succeed('plan')).toContain('# forces replacement');
  });

  test('refuses what the official provider refuses, at the same step: validate or plan', async () => {
    await seeded.workspace.write(
      configWith({
        azuread_group: {
          g: {
            display_name: '',
            mail_nickname: 'a b',
            visibility: 'HiddenMembership',
            owners: ['x'],
            members: [],
            dynamic_membership: { enabled: true, rule: 'r' },
          },
        },
      }),
    );
    await seeded.workspace.succeed('init');
    const validateOutput = flat(await seeded.workspace.fail('validate'));
    for (const text of [
      'expected "display_name" to not be an empty string',
      '`mail_nickname` contains invalid characters',
      'expected visibility to be one of ["Private" "Public" "Hiddenmembership"]',
      'to be a valid UUID',
      '"members": conflicts with dynamic_membership',
      'one of `mail_enabled,security_enabled` must be specified',
    ])
      expect(validateOutput).toContain(text);
    await seeded.workspace.write(
      configWith({
        azuread_group: {
          g: {
            display_name: 'x',
            mail_enabled: true,
            theme: 'Blue',
            external_senders_allowed: true,
          },
        },
      }),
    );
    await seeded.workspace.succeed('validate');
    const planOutput = flat(await seeded.workspace.fail('plan'));
    for (const text of [
      '`types` must contain "Unified" for mail-enabled groups',
      '`theme` is only supported for unified groups',
      '`external_senders_allowed` is only supported for unified groups',
    ])
      expect(planOutput).toContain(text);
  });

  test('requires a post response of an application, and no longer where that is removed', async () => {
    const application = (changes: object): object => ({
      azuread_application: { a: { display_name: 'Storefront', ...changes } },
    });
    await seeded.apply(application({ oauth2_post_response_required: true }));
    expect(await seeded.apply(application({}))).toContain('1 changed');
  });

  test('what the directory refuses is reported with its code and message', async () => {
    await seeded.workspace.write(
      configWith({
        azuread_group: {
          g: {
            display_name: 'x',
            description: 'd',
            mail_nickname: 'ä',
            security_enabled: true,
            mail_enabled: false,
            owners: [ada],
          },
        },
      }),
    );
    await seeded.workspace.succeed('init');
    expect(flat(await seeded.workspace.fail('apply', '-auto-approve'))).toMatch(
      /unexpected status 400 \(400 Bad Request\) with error: Request_BadRequest/,
    );
  });
});

async function collectEntries<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const entries: T[] = [];
  for await (const each of iterable) entries.push(each);
  return entries;
}
