import { sprintf } from '../../../policies/packs/rego/sprintf.js';

test.each<[string, readonly unknown[], string]>([
  [
    '%v %v %v',
    [{ team: 'shop', a: [1, 'x', null] }, [], {}],
    '{"a": [1, "x", null], "team": "shop"} [] {}',
  ],
  ['%s %d %q', [{ a: 1 }, [1], ['x']], '{"a": 1} %!d(string=[1]) "[\\"x\\"]"'],
  ['%v %v %v', ['text', null, true], 'text null true'],
  ['%v %v %s', [1.5, 1e21, 3], '1.5 1e+21 %!s(int=3)'],
  ['%05d %+05d %06.1f %-05d|', [-3, 3, -1.5, -3], '-0003 +0003 -001.5 -3   |'],
  ['%.1f %.1f %.1f %.0f %.0f', [1.25, 1.35, -1.25, 0.5, 1.5], '1.2 1.4 -1.2 0 2'],
  ['%.2f %.1f %.1f %.2f', [1.005, 0.15, 0.25, 1e21], '1.00 0.1 0.2 1000000000000000000000.00'],
  ['%x %5v|%-5v|', [255, 'a', 'b'], 'ff     a|b    |'],
])('sprintf(%j, %j) is what OPA itself prints', (format, values, expected) => {
  expect(sprintf(format, values)).toBe(expected);
});
