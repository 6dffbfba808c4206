import { testRule } from '../support/test-rule.js';
import { signIn } from '../support/stacks.js';

testRule('auth-allowed-groups', {
  finds: [
    [
      'a user among the allowed groups',
      signIn(
        'providers: { directory: { registration: l, allowedGroups: [ada] } }',
        'registrations: { l: { displayName: L } }\nprincipals: { ada: { user: a@b.c } }',
      ),
    ],
    [
      'an allowed group without members',
      signIn(
        'providers: { directory: { registration: l, allowedGroups: [g] } }',
        'registrations: { l: { displayName: L } }\ngroups: { g: { kind: security, displayName: G, members: [] } }',
      ),
    ],
    [
      'a user among the groups that a path requires',
      signIn(
        'providers: { directory: { registration: l } }\nrequirements: [{ path: /admin, groups: [ada] }]',
        'registrations: { l: { displayName: L } }\nprincipals: { ada: { user: a@b.c } }',
      ),
    ],
    [
      'a group without members that a path requires',
      signIn(
        'providers: { directory: { registration: l } }\nrequirements: [{ path: /admin, groups: [g] }]',
        'registrations: { l: { displayName: L } }\ngroups: { g: { kind: security, displayName: G, members: [] } }',
      ),
    ],
  ],
  passes: [
    [
      'an allowed group whose members follow a rule',
      signIn(
        'providers: { directory: { registration: l, allowedGroups: [g] } }',
        'registrations: { l: { displayName: L } }\ngroups: { g: { kind: security, displayName: G, dynamicMembership: { rule: \'user.department -eq "a"\' } } }',
      ),
    ],
  ],
});
