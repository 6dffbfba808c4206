import { testRule } from '../support/test-rule.js';
import { unifiedGroup } from '../support/stacks.js';

testRule('group-settings', {
  finds: [
    [
      "a template of settings that doesn't exist",
      unifiedGroup('settings: { Group.Security: { a: 1 } }'),
    ],
    [
      "a setting that its template doesn't have",
      unifiedGroup('settings: { Group.Unified.Guest: { AllowToAddGuest: false } }'),
    ],
    [
      'a setting with a value of another type',
      unifiedGroup('settings: { Group.Unified.Guest: { AllowToAddGuests: maybe } }'),
    ],
  ],
  passes: [
    [
      'a setting that its template has',
      unifiedGroup('settings: { Group.Unified.Guest: { AllowToAddGuests: false } }'),
    ],
  ],
});
