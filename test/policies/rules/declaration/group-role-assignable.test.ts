import { runRules } from '../../../../policies/engine/run-rules.js';
import type { Rule } from '../../../../policies/engine/rule.js';
import { type Declaration, StackIndex } from '../../../../policies/engine/stack-index.js';
import { groupRoleAssignable } from '../../../../policies/rules/declaration/group-role-assignable.js';
import { testRule } from '../support/test-rule.js';
import { people, securityGroup, unifiedGroup } from '../support/stacks.js';

testRule('group-role-assignable', {
  finds: [
    [
      'a public group that roles can be assigned to',
      securityGroup('isAssignableToRole: true, visibility: Public'),
    ],
    [
      'members by a rule in a group that roles can be assigned to',
      securityGroup('isAssignableToRole: true, dynamicMembership: { rule: "user.a -eq \\"b\\"" }'),
    ],
    [
      'a role-assignable unified group that controls no access',
      unifiedGroup('isAssignableToRole: true'),
    ],
    [
      'a group in a role-assignable group',
      securityGroup('isAssignableToRole: true, members: [eg]', people),
    ],
  ],
  passes: [
    [
      'people in a role-assignable group',
      securityGroup(
        'isAssignableToRole: true, visibility: Private, owners: [ada, sp], members: [ada, sp]',
        people,
      ),
    ],
    [
      'a role-assignable group with hidden members',
      unifiedGroup('isAssignableToRole: true, securityEnabled: true, visibility: HiddenMembership'),
    ],
  ],
});

describe('members whose kind is not declared', () => {
  const id = '11111111-2222-4333-8444-555555555555';
  const unknownsOf = (value: object, unknownPaths: Declaration['unknownPaths'] = []) => {
    const group = {
      section: 'groups',
      name: 'g',
      value: { kind: 'security', displayName: 'G', ...value },
      unknownPaths,
      origin: {},
    } as unknown as Declaration;
    const index = new StackIndex(
      {},
      [group],
      () => [],
      () => undefined,
    );
    return runRules(index, [groupRoleAssignable as unknown as Rule], { scope: 'stack' }).map(
      ({ verdict, path = [] }) => `${verdict} ${path.join('.')}`,
    );
  };

  it('leave open whether a role-assignable group has groups as members', () => {
    expect(unknownsOf({ isAssignableToRole: true, members: [id] })).toEqual([
      'unknown groups.g.members.0',
    ]);
    expect(unknownsOf({ isAssignableToRole: true }, [['members']])).toEqual([
      'unknown groups.g.members',
    ]);
    expect(unknownsOf({ members: [id] })).toEqual([]);
  });

  it('do not keep the visibility from being judged', () => {
    expect(unknownsOf({ isAssignableToRole: true, visibility: 'Public' }, [['members']])).toEqual([
      'fail groups.g.visibility',
      'unknown groups.g.members',
    ]);
  });
});
