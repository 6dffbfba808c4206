import { testRule } from '../support/test-rule.js';
import { people, securityGroup, signIn } from '../support/stacks.js';

testRule('reference-exists', {
  finds: [
    ["an owner who isn't declared", securityGroup('owners: [nobody]', people)],
    [
      "an allowed group that isn't declared",
      signIn(
        'providers: { directory: { registration: l, allowedGroups: [nope] } }',
        'registrations: { l: { displayName: L } }',
      ),
    ],
  ],
});
