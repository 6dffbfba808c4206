import { defineRule } from '../engine/rule.js';

/** The baseline lists only findings that still occur. */
export const baselineStale = defineRule({
  id: 'baseline-stale',
  title: 'The baseline lists only findings that still occur.',
  why: 'The same mistake could come back unseen.',
  severity: 'error',
  source: 'baselines',
  sections: [],
  messages: {
    stale: 'the finding {given} ({rule} at {path}) is gone: run castellan baseline prune',
  },
});
