import fc from 'fast-check';
import { checkPattern, compileMatch } from '../../../kinds/membership-rule/pattern.js';
import { runs } from '../../support/property-tests.js';

describe('the pattern of a -match', () => {
  it.each([
    ['^Sales', 'sales EMEA', true],
    ['^Sales', 'presales', false],
    ['ops$', 'DevOps', true],
    ['^(dev|ops)+\\d{2,3}$', 'DevOps12', true],
    ['^(dev|ops)+\\d{2,3}$', 'dev1234', false],
    ['[^a-z]', 'ABC', false],
    ['a.c', 'xAbCx', true],
    ['\\bteam\\b', 'the team!', true],
    ['\\bteam\\b', 'teams', false],
    ['^$', '', true],
    ['colou?r', 'COLOR', true],
    ['(?:x|)y', 'y', true],
    ['[\\w.]+@contoso\\.com', 'ada.l@contoso.com', true],
    ['\u00e9', 'CAF\u00c9', true],
    ['(?<name>a)b', 'ab', true],
    ['[]]', ']', true],
    ['a{2}', 'a', false],
    ['x{', 'x{', true],
  ])('%s on %j is %s', (pattern, text, expected) => {
    expect(compileMatch(pattern)(text)).toBe(expected);
  });

  it.each([
    '(',
    ')',
    '[a',
    '*a',
    'a**',
    '\\',
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    '(a)\\1',
    '\\k<n>',
    'a{3,2}',
    'a{9999}',
    '[z-a]',
    '\\q',
    `${'('.repeat(1100)}${')'.repeat(1100)}`,
    '((a{100}){100}){100}',
  ])('refuses %s with a reason', (pattern) => {
    expect(checkPattern(pattern)).toEqual(expect.stringMatching(/\w/));
  });

  it('agrees with the regular expressions of the language', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '^', '$', '\\b', '1');
    const pattern = fc
      .array(fc.tuple(atom, fc.constantFrom('', '*', '+', '?', '{1,2}', '|')), {
        minLength: 1,
        maxLength: 5,
      })
      .map((parts) =>
        parts
          .map(([each, quantifier]) =>
            /^[\^$]|\\b/.test(each) && quantifier !== '|' ? each : each + quantifier,
          )
          .join(''),
      );
    const grouped = fc
      .tuple(pattern, pattern, fc.constantFrom('', '*', '+', '?'))
      .map(([a, b, quantifier]) => `${a}(${b})${quantifier}`);
    fc.assert(
      fc.property(
        fc.oneof(pattern, grouped),
        fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', 'A', '1', ' ') }),
        (source, text) => {
          expect(compileMatch(source)(text)).toBe(new RegExp(source, 'i').test(text));
        },
      ),
      { numRuns: runs(2000) },
    );
  });

  it.each(['(a+)+$', '(a|aa)+$', '(.*)*x', 'a*a*a*a*a*a*a*b', '(a?){50}a{50}'])(
    'never takes long: %s',
    (pattern) => {
      const matches = compileMatch(pattern);
      const begin = process.cpuUsage().user;
      expect(matches(`${'a'.repeat(2000)}!`)).toBe(pattern === '(a?){50}a{50}');
      // Microseconds of the processor, which other work doesn't stretch
      expect(process.cpuUsage().user - begin).toBeLessThan(5_000_000);
    },
  );
});
