import { makeFinding } from '../../../policies/engine/finding-maker.js';
import { defineRule } from '../../../policies/engine/rule.js';

it.each([
  [['ada', 'grace'], 'write ["ada","grace"]'],
  [{ rule: 'a' }, 'write {"rule":"a"}'],
  [null, 'write null'],
  ['Red', 'write Red'],
  [true, 'write theme: true'],
  [undefined, 'remove theme'],
])('a fix with the value %j is: %s', (value, description) => {
  const rule = defineRule({
    id: 'no-red',
    title: 'No red.',
    why: 'Red is for alarms.',
    severity: 'error',
    source: 'our style guide',
    sections: ['groups'],
    messages: { red: 'red' },
  });
  const subject = { path: ['groups', 'alarms'], origin: {} };
  const report = { messageId: 'red', path: ['theme'], fix: { value } };
  expect(makeFinding(rule, report, subject, () => undefined).fix?.description).toBe(description);
});
