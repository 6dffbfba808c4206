import { judge } from '../support/judge.js';
import { signIn } from '../support/stacks.js';

judge('auth-role-assignable-group', {
  finds: [
    [
      'an allowed group that roles can be assigned to',
      signIn(
        'providers: { directory: { registration: l, allowedGroups: [g] } }',
        'registrations: { l: { displayName: L } }\ngroups: { g: { kind: security, displayName: G, isAssignableToRole: true } }',
      ),
    ],
  ],
});
