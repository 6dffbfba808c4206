import { defineRule } from '../engine/rule.js';

/** A preferred language is an ISO 639-1 code. */
export const groupPreferredLanguage = defineRule({
  id: 'group-preferred-language',
  title: 'A preferred language is an ISO 639-1 code such as en or en-US.',
  why: 'The directory refuses anything else.',
  severity: 'error',
  source: 'Directory rules, "Group properties" (preferredLanguage)',
  sections: ['groups'],
  claims: [{ section: 'groups', path: 'preferredLanguage', as: { refuses: 'unknown' } }],
  messages: { pattern: '"{given}" is not a language code such as en or en-US', unknown: '{words}' },
});
