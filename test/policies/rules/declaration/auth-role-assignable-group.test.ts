import { runRules } from '../../../../policies/engine/run-rules.js';
import { type Declaration, StackIndex } from '../../../../policies/engine/stack-index.js';
import { authRoleAssignableGroup } from '../../../../policies/rules/declaration/auth-role-assignable-group.js';
import { testRule } from '../support/test-rule.js';
import { signIn } from '../support/stacks.js';

testRule('auth-role-assignable-group', {
  finds: [
    [
      'an allowed group that roles can be assigned to',
      signIn(
        'providers: { directory: { registration: l, allowedGroups: [g] } }',
        'registrations: { l: { displayName: L } }\ngroups: { g: { kind: security, displayName: G, isAssignableToRole: true } }',
      ),
    ],
    [
      'a group that roles can be assigned to, which a path requires',
      signIn(
        'providers: { directory: { registration: l } }\nrequirements: [{ path: /admin, groups: [g] }]',
        'registrations: { l: { displayName: L } }\ngroups: { g: { kind: security, displayName: G, isAssignableToRole: true } }',
      ),
    ],
  ],
});

it.each(['allowedGroups', 'claimGroups'])(
  'is undecided about %s that are known only after apply',
  (list) => {
    const path = ['auth', 'providers', 'directory', list, 0];
    const app = {
      section: 'containerApps',
      name: 'web',
      value: { auth: { providers: { directory: { [list]: ['${env:GROUP}'] } } } },
      unknownPaths: [path],
      origin: {},
    } as unknown as Declaration;
    const index = new StackIndex(
      {},
      [app],
      () => [],
      () => undefined,
    );
    expect(runRules(index, [authRoleAssignableGroup], { scope: 'stack' })).toMatchObject([
      { verdict: 'unknown', path: ['containerApps', 'web', ...path] },
    ]);
  },
);
