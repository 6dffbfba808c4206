import { defineRule } from '../engine/rule.js';

/** A suppression accepts a finding that is there. */
export const suppressionUnused = defineRule({
  id: 'suppression-unused',
  title: 'A suppression accepts a finding that is there.',
  why: 'A suppression that nothing needs any more would hide the next mistake.',
  severity: 'warning',
  source: 'suppressions',
  sections: [],
  messages: {
    unused: 'this suppression of {given} accepts nothing any more; remove it',
  },
});
