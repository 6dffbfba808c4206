import { describe, expect, it } from 'vitest';
import { decidingConditions } from '../../../access/answer/deciding-conditions.js';
import { parseMembershipRule } from '../../../kinds/membership-rule/index.js';
import { traceMembershipRule } from '../../../services/directory/membership-rule/index.js';

describe('the conditions that decide a rule', () => {
  it.each([
    [
      'user.department -eq "Retail"',
      [
        {
          property: 'department',
          needs: 'department = Retail',
          value: 'Retail',
          has: 'Operations',
        },
      ],
    ],
    [
      '(user.department -eq "Retail") and (user.accountEnabled -eq true)',
      [
        {
          property: 'department',
          needs: 'department = Retail',
          value: 'Retail',
          has: 'Operations',
        },
      ],
    ],
    [
      '(user.city -startsWith "Lo") or (user.department -in ["Sales", "Retail"])',
      [
        { property: 'city', needs: 'city starting with Lo', has: undefined },
        {
          property: 'department',
          needs: 'department one of ["Sales", "Retail"]',
          has: 'Operations',
        },
      ],
    ],
    [
      'not (user.department -eq "Operations")',
      [{ property: 'department', needs: 'department ≠ Operations', has: 'Operations' }],
    ],
    [
      'user.department -notContains "per"',
      [{ property: 'department', needs: 'department not containing per', has: 'Operations' }],
    ],
    [
      'user.department -ne "Operations"',
      [{ property: 'department', needs: 'department ≠ Operations', has: 'Operations' }],
    ],
    [
      'user.department -eq "Operations"',
      [
        {
          property: 'department',
          needs: 'department = Operations',
          value: 'Operations',
          has: 'Operations',
        },
      ],
    ],
  ])('says of %s what it needs, and what there is', (text, expected) => {
    const { rule } = parseMembershipRule(text);
    if (rule === undefined) throw new Error(`${text} is no rule`);
    const person = { id: 'grace', body: { department: 'Operations', accountEnabled: true } };
    const { membershipRuleEvaluationDetails: details } = traceMembershipRule(rule, person, {
      now: 0,
    });
    expect(decidingConditions(details)).toEqual(expected);
  });
});
