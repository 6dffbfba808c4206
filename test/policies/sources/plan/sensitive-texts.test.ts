import { sensitiveTextsIn } from '../../../../policies/sources/plan/sensitive-texts.js';
import { change, useCheckedPlan } from './support/check-plan.js';

const check = useCheckedPlan();

it('shows no value that the plan marks as sensitive', async () => {
  const group = change('azuread_group', 'staff', {
    display_name: 'Staff',
    security_enabled: true,
    owners: ['a'],
    visibility: 'hunter2-hunter2',
    theme: 'Teal7',
  });
  const sensitive = { ...group.change, after_sensitive: { visibility: true, theme: true } };
  const findings = await check(undefined, [{ ...group, change: sensitive }]);
  expect(JSON.stringify(findings)).not.toContain('hunter2');
  expect(JSON.stringify(findings)).not.toContain('Teal7');
  expect(findings.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('"(sensitive)"'),
  );
});

it.each([
  [{ a: 'x', b: ['y', { c: 'z' }] }, { a: true, b: [false, { c: true }] }, ['x', 'z']],
  [{ a: { b: 'x' } }, { a: true }, ['x']],
  [{ a: { b: 'x', c: 1 } }, true, ['x']],
  [{ a: 'x' }, false, []],
  [{ a: 'x' }, undefined, []],
  [{ secret: [{ name: 'key', value: 'x' }] }, { secret: true }, ['x']],
])('the sensitive texts of %j with the marks %j are %j', (value, marks, texts) => {
  expect(sensitiveTextsIn(value, marks)).toEqual(texts);
});
