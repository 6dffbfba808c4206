import { judge } from '../support/judge.js';
import { signIn, unifiedGroup } from '../support/stacks.js';

judge('property-unknown', {
  finds: [
    ...['team', 'memberOf', 'createdOnBehalfOf', 'uniqueNam'].map(
      (name) => [`${name} of a group`, unifiedGroup(`${name}: 1`)] as const,
    ),
    ['a misspelt provider', signIn('providers: { directroy: { clientId: a } }')],
  ],
});
