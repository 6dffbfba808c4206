import { defineRule } from '../engine/rule.js';

/** A suppression has not expired. */
export const suppressionExpired = defineRule({
  id: 'suppression-expired',
  title: 'A suppression has not expired.',
  why: 'A finding accepted until a date would be accepted for ever.',
  severity: 'error',
  source: 'suppressions',
  sections: [],
  messages: {
    expired: 'this suppression of {given} ended on {until}: correct the finding, or extend the suppression',
  },
});
