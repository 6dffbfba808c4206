import { testRule } from '../support/test-rule.js';
import { unifiedGroup } from '../support/stacks.js';

testRule('group-data-location', {
  finds: [["a data location that isn't published", unifiedGroup('preferredDataLocation: XYZ')]],
  passes: [['a published data location', unifiedGroup('preferredDataLocation: EUR')]],
});
