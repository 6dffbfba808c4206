import { testRule } from '../support/test-rule.js';

testRule('group-mail-nickname-unique', {
  finds: [
    [
      'two unified groups with one mail nickname in other letter case',
      'groups: { a: { kind: unified, displayName: A, mailNickname: X }, b: { kind: unified, displayName: B, mailNickname: x } }',
    ],
  ],
  passes: [
    [
      'two security groups with one mail nickname, which get no mail',
      'groups: { a: { kind: security, displayName: A, mailNickname: X }, b: { kind: security, displayName: B, mailNickname: x } }',
    ],
  ],
});
