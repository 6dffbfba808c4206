import { testRule } from '../support/test-rule.js';
import { unifiedGroup } from '../support/stacks.js';

testRule('group-theme', {
  finds: [['a theme in small letters', unifiedGroup('theme: red')]],
});
