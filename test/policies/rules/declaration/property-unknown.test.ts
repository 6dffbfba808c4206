import { testRule } from '../support/test-rule.js';
import { signIn, unifiedGroup } from '../support/stacks.js';

testRule('property-unknown', {
  finds: [
    ...['team', 'memberOf', 'createdOnBehalfOf', 'uniqueNam'].map(
      (name) => [`${name} of a group`, unifiedGroup(`${name}: 1`)] as const,
    ),
    ['a misspelt provider', signIn('providers: { directroy: { clientId: a } }')],
  ],
});
