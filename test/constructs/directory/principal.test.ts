import {
  App,
  type CastellanStack,
  Contact,
  Device,
  Group,
  type IPrincipal,
  SecurityGroup,
  ServicePrincipal,
  User,
  Workspace,
} from '../../../constructs/index.js';
import { TerraformStack } from '../../../constructs/internal/cdktf.js';
import { synthesized } from '../support/synthesized.js';

const laptop = '6F1D2C3B-1111-4222-8333-444455556666';
const press = '0b9d0c1e-0003-4222-8333-444455556666';

describe('principals that exist', () => {
  it.each<[string, (stack: CastellanStack) => IPrincipal, object]>([
    [
      'a user',
      (stack) => User.fromPrincipalName(stack, 'who', 'ada@contoso.example'),
      { azuread_user: { who: { user_principal_name: 'ada@contoso.example' } } },
    ],
    [
      'a service principal',
      (stack) => ServicePrincipal.fromDisplayName(stack, 'who', 'robot'),
      { azuread_service_principal: { who: { display_name: 'robot' } } },
    ],
    [
      'a group',
      (stack) => Group.fromDisplayName(stack, 'who', 'Everyone'),
      { azuread_group: { who: { display_name: 'Everyone' } } },
    ],
    [
      'a unified group',
      (stack) => Group.fromDisplayName(stack, 'who', 'All', { kind: 'unified' }),
      { azuread_group: { who: { display_name: 'All', mail_enabled: true } } },
    ],
  ])('are looked up by name: %s', (_kind, find, expected) => {
    const { data } = synthesized((stack) => {
      const roles = [{ principal: find(stack), role: 'Viewer' as const }];
      new Workspace(stack, 'w', { displayName: 'W', roles });
    });
    expect(data).toEqual(expected);
  });

  it('are taken by object id, in lower case, and looked up nowhere', () => {
    const { data, resource } = synthesized((stack) => {
      const principal = ServicePrincipal.fromObjectId(stack, 'who', laptop);
      new Workspace(stack, 'w', { displayName: 'W', roles: [{ principal, role: 'Viewer' }] });
    });
    expect(data).toEqual({});
    expect(Object.values(resource['fabric_workspace_role_assignment'] ?? {})[0]).toMatchObject({
      principal: { id: laptop.toLowerCase(), type: 'ServicePrincipal' },
    });
  });

  it('may be devices and contacts among the members of security groups', () => {
    const { data, resource } = synthesized((stack) => {
      new SecurityGroup(stack, 'g', {
        displayName: 'G',
        members: [
          Device.fromObjectId(stack, 'laptop', laptop),
          Contact.fromObjectId(stack, 'press', press),
        ],
      });
    });
    expect(Object.keys(data)).toEqual(['azuread_client_config']);
    expect(resource['azuread_group']?.['g']?.['members']).toEqual([laptop.toLowerCase(), press]);
  });

  it.each([
    ['device', Device],
    ['contact', Contact],
  ] as const)('refuse the name of a %s, which no provider finds', (_kind, { fromObjectId }) => {
    expect(() => fromObjectId(new TerraformStack(new App(), 'shop'), 'who', 'Someone')).toThrow(
      'shop/who: "Someone" is not an object id; pass the GUID that the directory gave it',
    );
  });
});
