import {
  App,
  CloudSettings,
  ContainerApp,
  Registration,
  SecurityGroup,
  User,
} from '../../constructs/index.js';
import { TerraformStack } from '../../constructs/internal/cdktf.js';
import { checkTree } from '../../constructs/stack/check-tree.js';
import { synthesized } from './support/synthesized.js';

const ada = '11111111-1111-4222-8333-444455556666';
const lin = '22222222-1111-4222-8333-444455556666';

describe('methods of constructs', () => {
  it('add members and owners, which the checks accept', () => {
    const { resource } = synthesized((stack) => {
      const group = new SecurityGroup(stack, 'g', { displayName: 'G' });
      group.addMember(User.fromObjectId(stack, 'ada', ada));
      group.addOwner(User.fromPrincipalName(stack, 'grace', 'grace@contoso.example'));
      group.grantOwner(User.fromObjectId(stack, 'lin', lin));
      group.addOwner(ada);
      expect(group.declaration.value).toMatchObject({
        members: ['ada'],
        owners: ['grace', 'lin', ada],
      });
      expect(checkTree(stack).filter(({ verdict }) => verdict === 'fail')).toEqual([]);
    });
    expect(resource['azuread_group']?.['g']).toMatchObject({
      members: [ada],
      owners: ['${data.azuread_user.grace.object_id}', lin, ada],
    });
  });

  it('refuse to add a member to a group whose members follow from a rule', () => {
    const stack = new TerraformStack(new App(), 'shop');
    const group = new SecurityGroup(stack, 'g', {
      displayName: 'G',
      dynamicMembership: { rule: 'user.department -eq "Retail"' },
    });
    expect(() => group.addMember(ada)).toThrow(/follow from a rule/);
  });

  it('grant access to an app, and have tokens name the groups of a person', () => {
    const { resource } = synthesized((stack) => {
      const registration = new Registration(stack, 'login', { displayName: 'L' });
      const app = new ContainerApp(stack, 'web', {
        image: 'nginx:1',
        targetPort: 80,
        auth: { providers: { directory: { registration } } },
      });
      app.grantAccess(new SecurityGroup(stack, 'shoppers', { displayName: 'Shoppers' }));
      app.grantAccess(User.fromObjectId(stack, 'ada', ada));
      expect(app.declaration.value).toMatchObject({
        auth: {
          providers: { directory: { allowedGroups: ['shoppers'], allowedPrincipals: ['ada'] } },
        },
      });
    });
    expect(JSON.stringify(resource['azapi_resource'])).toContain(
      '"allowedPrincipals":{"groups":["${azuread_group.shoppers.object_id}"],"identities":["' + ada,
    );
    expect(resource['azuread_application_registration']?.['login']).toMatchObject({
      group_membership_claims: ['SecurityGroup'],
    });
  });

  it('refuse access to an app without sign-in', () => {
    const stack = new TerraformStack(new App(), 'shop');
    CloudSettings.of(stack).set({ location: 'westeurope' });
    const app = new ContainerApp(stack, 'web', { image: 'nginx:1' });
    expect(() => app.grantAccess({ objectId: ada })).toThrow(/has no sign-in with the directory/);
  });

  it('add a redirect URI that is refused at synth', () => {
    const stack = new TerraformStack(new App(), 'shop');
    const login = new Registration(stack, 'login', { displayName: 'L' });
    login.addRedirectUri('http://evil.example/*');
    expect(() => (stack.node.root as App).synth()).toThrow(
      /error: .*\(registration-redirect-uris\)/,
    );
  });
});
