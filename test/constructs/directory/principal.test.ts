import { Principal, Workspace } from '../../../constructs/index.js';
import type { PrincipalDeclaration } from '../../../policies/index.js';
import { synthesized } from '../support/synthesized.js';

const declare = (props: PrincipalDeclaration) =>
  synthesized((stack) => {
    new Workspace(stack, 'w', {
      displayName: 'W',
      roles: [{ principal: new Principal(stack, 'who', props), role: 'Viewer' }],
    });
  });

describe('Principal', () => {
  it.each<[string, PrincipalDeclaration, object]>([
    [
      'a user',
      { user: 'ada@contoso.example' },
      { azuread_user: { who: { user_principal_name: 'ada@contoso.example' } } },
    ],
    [
      'a service principal',
      { servicePrincipal: 'robot' },
      { azuread_service_principal: { who: { display_name: 'robot' } } },
    ],
    ['a group', { group: 'Everyone' }, { azuread_group: { who: { display_name: 'Everyone' } } }],
    [
      'a unified group',
      { group: 'All', groupKind: 'unified' },
      { azuread_group: { who: { display_name: 'All', mail_enabled: true } } },
    ],
  ])('looks up %s by name', (_kind, props, data) => {
    expect(declare(props).data).toEqual(data);
  });

  it('takes an object id as it is, in lower case, and looks nothing up', () => {
    const { data, resource } = declare({
      servicePrincipal: '6F1D2C3B-1111-4222-8333-444455556666',
    });
    expect(data).toEqual({});
    expect(Object.values(resource['fabric_workspace_role_assignment'] ?? {})[0]).toMatchObject({
      principal: { id: '6f1d2c3b-1111-4222-8333-444455556666', type: 'ServicePrincipal' },
    });
  });

  it('says that a device has no look-up by name', () => {
    expect(() => declare({ device: 'laptop' })).toThrow(
      /a device can't be looked up by the name "laptop".*give its object id/,
    );
  });
});
