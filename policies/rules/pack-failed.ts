import { defineRule } from '../engine/rule.js';

/** Rules of one's own run to their end. */
export const packFailed = defineRule({
  id: 'pack-failed',
  title: 'Rules of your own run to their end.',
  why: 'A rule that did not run has found nothing, which is not the same as nothing to find.',
  severity: 'error',
  source: 'castellan.policy.yaml',
  sections: [],
  messages: { failed: '{given}: {reason}' },
});
