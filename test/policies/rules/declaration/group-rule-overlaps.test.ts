import { groupRuleOverlaps } from '../../../../policies/rules/declaration/index.js';
import { RuleTester } from '../../../../policies/index.js';

const groups = (auditors: string, operators: string): string => `groups:
  auditors: { kind: security, displayName: A, dynamicMembership: { rule: '${auditors}' } }
  operators: { kind: security, displayName: O, dynamicMembership: { rule: '${operators}' } }
`;

const options = { disjoint: [['auditors', 'operators']] };

new RuleTester({ it }).run(groupRuleOverlaps, {
  valid: [
    { yaml: groups('user.department -eq "A"', 'user.department -eq "B"'), options },
    { yaml: groups('user.department -eq "A"', 'user.city -eq "B"') },
    { yaml: groups('user.department -eq "A"', 'device.displayName -eq "A"'), options },
  ],
  invalid: [
    {
      yaml: groups('user.department -eq "A"', 'user.city -eq "B"'),
      options,
      messages: [{ messageId: 'overlaps', line: 3 }],
    },
  ],
});
