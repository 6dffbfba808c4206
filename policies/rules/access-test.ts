import { defineRule } from '../engine/rule.js';

/** The expectations of an access test hold. */
export const accessTest = defineRule({
  id: 'access-test',
  title: 'Everyone gets in, or is kept out, as castellan.access-test.yaml expects.',
  why: 'Who gets in follows from groups, rules and settings in many places: what must stay so is written down once, and held at every change.',
  severity: 'error',
  source: 'the access test beside the configuration',
  sections: [],
  messages: { fails: '{reason}' },
});
