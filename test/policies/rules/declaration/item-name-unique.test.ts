import { testRule } from '../support/test-rule.js';
import { workspace } from '../support/stacks.js';

testRule('item-name-unique', {
  finds: [
    [
      'two eventhouses of a workspace with one name in other letter case',
      `${workspace}\neventhouses: { a: { workspace: w, displayName: x }, b: { workspace: w, displayName: X } }`,
    ],
  ],
});
