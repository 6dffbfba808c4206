import { testRule } from '../support/test-rule.js';
import { unifiedGroup } from '../support/stacks.js';

testRule('group-mail-nickname', {
  finds: [
    ['a mail nickname of 65 characters', unifiedGroup('mailNickname: ' + 'x'.repeat(65))],
    ['a letter beyond ASCII in the mail nickname', unifiedGroup('mailNickname: käse')],
    ...['@', '(', ')', '\\\\', '[', ']', '\\"', ';', ':', '<', '>', ',', ' '].map(
      (sign) =>
        [
          `the sign ${sign} in the mail nickname`,
          unifiedGroup(`mailNickname: "a${sign}b"`),
        ] as const,
    ),
  ],
  passes: [
    [
      'all other signs of ASCII in the mail nickname',
      unifiedGroup(`mailNickname: "a!#$%&'*+-/=?^_\`{|}~."`),
    ],
  ],
});
