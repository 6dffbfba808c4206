import { defineRule } from '../engine/rule.js';

/** A group's name has 1 to 256 characters. */
export const groupDisplayName = defineRule({
  id: 'group-display-name',
  title: "A group's display name has 1 to 256 characters.",
  why: 'The directory refuses any other name; the official provider lets it through to the apply.',
  severity: 'error',
  source: 'Directory rules, "Group properties" (displayName) and "Limits" 1',
  sections: ['groups'],
  claims: [{ section: 'groups', path: 'displayName' }],
  messages: {
    maxLength: 'the display name has {length} characters; at most {limit} are allowed',
    minLength: 'the display name is empty; at least one character is needed',
  },
});
