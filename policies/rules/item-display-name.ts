import { defineRule } from '../engine/rule.js';

/** An item's name has letters, digits, underscores, periods and hyphens. */
export const itemDisplayName = defineRule({
  id: 'item-display-name',
  title: 'The name of an eventhouse or eventstream has only letters, digits, underscores, periods and hyphens.',
  why: 'The service refuses any other name; the official provider checks no character and lets the empty name through.',
  severity: 'error',
  source: 'Items rules, "Create eventhouse" and "Create eventstream" (displayName)',
  sections: ['eventhouses', 'eventstreams'],
  claims: [
    { section: 'eventhouses', path: 'displayName' },
    { section: 'eventstreams', path: 'displayName' },
  ],
  messages: {
    pattern: 'the name "{given}" has characters that are not allowed: only letters, digits, underscores, periods and hyphens',
    minLength: 'the name is empty',
    maxLength: 'the name has {length} characters; at most {limit} are allowed',
  },
});
