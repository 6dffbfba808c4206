import { testRule } from '../support/test-rule.js';
import { directory, people, signIn } from '../support/stacks.js';

const groups =
  'groups: { g: { kind: security, displayName: G, mailNickname: g, owners: [ada], members: [ada] } }';

testRule('auth-everyone-in-tenant', {
  finds: [
    ['a directory without a restriction', signIn(directory)],
    [
      'a requirement for the whole app that demands nothing',
      signIn(`requirements: [{ path: /, claims: {} }]\n${directory}`),
    ],
    [
      'the application that signs everyone in as the only one that may call',
      signIn(
        directory.replace(
          'clientId',
          'allowedApplications: [11111111-1111-1111-1111-111111111111], clientId',
        ),
      ),
    ],
  ],
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
