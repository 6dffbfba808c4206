import { defineRule } from '../engine/rule.js';

/** An item's description has at most 256 characters. */
export const itemDescription = defineRule({
  id: 'item-description',
  title: 'The description of an eventhouse or eventstream has at most 256 characters.',
  why: 'The service refuses a longer one.',
  severity: 'error',
  source: 'Items rules, "Limits" 2',
  sections: ['eventhouses', 'eventstreams'],
  claims: [
    { section: 'eventhouses', path: 'description' },
    { section: 'eventstreams', path: 'description' },
  ],
  messages: { maxLength: 'the description has {length} characters; at most {limit} are allowed' },
});
