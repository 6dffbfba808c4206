import { defineRule } from '../../engine/rule.js';

/** What an overlay names and the configuration below it lacks; policies/check/stack-settings.ts compares. */
export const overlayUnmatched = defineRule({
  id: 'overlay-unmatched',
  title: 'What an overlay changes or removes is in the configuration below it.',
  why: 'A misspelt name changes nothing, and what was meant keeps the settings of the other environments.',
  severity: 'warning',
  source: 'overlays of environments',
  sections: [],
  messages: {
    removed: 'there is no "{given}" below this overlay that null could remove{hint}',
    misspelt: 'there is no "{given}" below this overlay{hint}',
  },
});
