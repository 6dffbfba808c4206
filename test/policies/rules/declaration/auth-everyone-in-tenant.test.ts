import { testRule } from '../support/test-rule.js';
import { directory, people, signIn } from '../support/stacks.js';

const groups =
  'groups: { g: { kind: security, displayName: G, mailNickname: g, owners: [ada], members: [ada] } }';

testRule('auth-everyone-in-tenant', {
  finds: [['a directory without a restriction', signIn(directory)]],
  passes: [
    [
      'groups that may come in',
      signIn(directory.replace('clientId', 'allowedGroups: [g], clientId'), `${people}\n${groups}`),
    ],
    [
      'a registration that requires an assignment',
      signIn(
        'providers: { directory: { registration: r } }',
        'registrations: { r: { displayName: R, assignmentRequired: true } }',
      ),
    ],
  ],
});
