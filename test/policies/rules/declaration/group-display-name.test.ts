import { judge } from '../support/judge.js';
import { group } from '../support/stacks.js';

judge('group-display-name', {
  finds: [
    ['an empty name', group('kind: security, displayName: ""')],
    ['a name of 257 characters', group('kind: security, displayName: "' + 'x'.repeat(257) + '"')],
  ],
});
