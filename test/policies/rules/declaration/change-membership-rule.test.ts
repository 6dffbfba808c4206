import { changeMembershipRule } from '../../../../policies/rules/declaration/change-membership-rule.js';
import { changeOfGroup } from '../support/change.js';

const byRule = (rule: string) => ({
  kind: 'security' as const,
  dynamicMembership: { rule },
});

describe('the rule change-membership-rule', () => {
  it.each([
    [
      'user.department -in ["A","B"]',
      'user.department -eq "b" -or user.department -eq "a"',
      'the rule is rewritten and selects exactly the same people, whatever their attributes',
    ],
    [
      'user.department -eq "Sales"',
      'user.department -contains "Sal"',
      'the rule selects others: it adds people with department "Sal", and leaves out nobody',
    ],
    [
      'user.department -eq "A"',
      'user.department -match "\\ba"',
      /^it is not known whether the rule selects others: the pattern /,
    ],
  ])('reports what the change from %s to %s does', (before, after, message) => {
    expect(changeOfGroup(changeMembershipRule, byRule(before), byRule(after))).toEqual([
      expect.stringMatching(message),
    ]);
  });

  it.each([
    [byRule('user.department -eq "A"'), byRule('user.department -eq "A"')],
    [{ kind: 'security' as const }, byRule('user.department -eq "A"')],
  ])('accepts the same rule, and a first one', (before, after) => {
    expect(changeOfGroup(changeMembershipRule, before, after)).toEqual([]);
  });
});
