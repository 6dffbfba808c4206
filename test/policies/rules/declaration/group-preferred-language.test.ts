import { testRule } from '../support/test-rule.js';
import { unifiedGroup } from '../support/stacks.js';

testRule('group-preferred-language', {
  finds: [
    ['the name of a language in place of its code', unifiedGroup('preferredLanguage: english')],
    ['a language that ISO 639 does not know', unifiedGroup('preferredLanguage: xx-US')],
  ],
});
