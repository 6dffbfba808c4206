import { defineRule } from '../engine/rule.js';

/** A suppression is within its time. */
export const suppressionExpired = defineRule({
  id: 'suppression-expired',
  title: 'A suppression is within its time.',
  why: 'What was accepted for a time would be accepted for ever.',
  severity: 'error',
  source: 'suppressions',
  sections: [],
  messages: {
    expired: 'this suppression of {given} ended on {until}: correct the finding, or accept it anew',
  },
});
