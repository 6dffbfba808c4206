import { defineRule } from '../engine/rule.js';

/** A theme is one of seven colours. */
export const groupTheme = defineRule({
  id: 'group-theme',
  title: 'A theme is Teal, Purple, Green, Blue, Pink, Orange or Red.',
  why: 'The directory knows no other colour.',
  severity: 'error',
  source: 'Directory rules, "Group properties" (theme)',
  sections: ['groups'],
  claims: [{ section: 'groups', path: 'theme' }],
  messages: { enum: 'the theme is "{given}"; allowed: {allowed}{hint}' },
});
