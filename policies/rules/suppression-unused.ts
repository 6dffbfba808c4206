import { defineRule } from '../engine/rule.js';

/** A suppression matches a finding. */
export const suppressionUnused = defineRule({
  id: 'suppression-unused',
  title: 'A suppression matches a finding.',
  why: 'An unused suppression would hide the next mistake.',
  severity: 'warning',
  source: 'suppressions',
  sections: [],
  messages: {
    unused: 'this suppression of {given} matches no finding; remove it',
  },
});
