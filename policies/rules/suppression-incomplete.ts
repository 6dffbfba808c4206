import { defineRule } from '../engine/rule.js';

/** A suppression names a rule, a reason, an owner and an end date. */
export const suppressionIncomplete = defineRule({
  id: 'suppression-incomplete',
  title: 'A suppression names a rule, a reason, an owner and an end date.',
  why: 'Later, no one would know whether it can be removed.',
  severity: 'warning',
  source: 'suppressions',
  sections: [],
  messages: {
    rule: 'the suppression names no rule: write # castellan-ignore RULE reason="…" owner=… until=YYYY-MM-DD',
    unknown: 'there is no rule "{given}"{hint}',
    reason: 'the suppression of {given} has no reason and accepts nothing: add {missing}',
    until: '"{until}" is not a day such as 2027-01-31',
    owner: 'the suppression of {given} has no owner: add {missing}',
    noEnd: 'the suppression of {given} has no end: add until=YYYY-MM-DD',
  },
});
