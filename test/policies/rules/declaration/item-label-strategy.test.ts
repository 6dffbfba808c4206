import { testRule } from '../support/test-rule.js';
import { eventhouse } from '../support/stacks.js';

testRule('item-label-strategy', {
  finds: [
    [
      'a label strategy in small letters',
      eventhouse(
        'sensitivityLabelSettings: { labelId: 11111111-1111-1111-1111-111111111111, sensitivityLabelApplyStrategy: ignore }',
      ),
    ],
  ],
});
