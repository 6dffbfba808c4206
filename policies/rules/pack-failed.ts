import { defineRule } from '../engine/rule.js';

/** Rules of one's own run to their end. */
export const packFailed = defineRule({
  id: 'pack-failed',
  title: 'Your own rules finish without an error.',
  why: 'A rule that did not run finds nothing, which looks like a clean result.',
  severity: 'error',
  source: 'castellan.policy.yaml',
  sections: [],
  messages: { failed: '{given}: {reason}' },
});
