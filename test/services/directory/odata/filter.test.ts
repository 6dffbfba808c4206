import fc from 'fast-check';
import {
  ODataError,
  filterPredicate,
  odataLimits,
  parseFilter,
} from '../../../../services/directory/odata/index.js';
import { printFilter } from './query-printers.js';
import { anyFilter, withoutPositions } from './filter-arbitraries.js';
import { runs } from '../../../support/property-tests.js';

const ada = {
  displayName: 'Ada Lovelace',
  mail: 'ada@contoso.com',
  enabled: true,
  createdDateTime: '2026-01-01T00:00:00Z',
  tags: ['One', 'two'],
  plans: [{ service: 'X', on: true }],
  info: { city: 'Rome' },
};

function matches(filter: string): boolean {
  return filterPredicate(parseFilter(filter))(ada);
}

function refusal(filter: string): { message: string; position: number | undefined } {
  try {
    parseFilter(filter);
  } catch (error) {
    if (error instanceof ODataError) return { message: error.message, position: error.position };
  }
  throw new Error(`accepted: ${filter}`);
}

describe('a $filter', () => {
  it.each([
    ["displayName eq 'ada lovelace'", true],
    ["displayName ne 'x'", true],
    ["NOT(displayName EQ 'x') And enabled Eq true OR mail eq 'x'", true],
    ["displayName IN ('x', 'ada lovelace')", true],
    ["startsWith(displayName, 'ada')", true],
    ["startswith(displayName,'Love')", false],
    ["endsWith(mail,'CONTOSO.com')", true],
    ["contains(mail,'@')", true],
    ["displayName in ('x','Ada Lovelace')", true],
    ['enabled eq true', true],
    ['missing eq null', true],
    ['displayName eq null', false],
    ["missing eq 'x'", false],
    ["missing ne 'x'", true],
    ["not (missing eq 'x')", true],
    ["not startsWith(displayName,'x') and enabled eq true", true],
    ["displayName eq 'x' or displayName eq 'y' and enabled eq true", false],
    ["(displayName eq 'x' or enabled eq true) and mail ne 'x'", true],
    ['createdDateTime ge 2026-01-01T01:00:00+01:00', true],
    ['createdDateTime gt 2026-01-01T00:00:00Z', false],
    ["tags/any(t:t eq 'ONE')", true],
    ["not(tags/any(t:t eq 'three'))", true],
    ['tags/any()', true],
    ["plans/any(p:p/service eq 'x' and p/on eq true)", true],
    ['tags/$count eq 2', true],
    ['tags/$count ne 1', true],
    ["info/city eq 'rome'", true],
  ])('%s is %s for Ada', (filter, expected) => {
    expect(matches(filter)).toBe(expected);
  });

  it.each([
    ['', 0],
    ['displayName', 11],
    ['displayName eq', 14],
    ["displayName eq 'x", 15],
    ["displayName qq 'x'", 12],
    ["displayName eq 'x' and", 22],
    ["(displayName eq 'x'", 19],
    ["displayName eq 'x')", 18],
    ["'x' eq displayName", 4],
    ["displayName eq 'x' eq 'y'", 19],
    ['displayName eq mail', 12],
    ["tags/all(t:t eq 'x')", 5],
    ["substringof(displayName,'x')", 0],
    ["tags/any(t:displayName eq 'x')", 11],
    ["tags/any(t:t/any(u:u eq 'x'))", 11],
    ['displayName in ()', 16],
    ["displayName eq 'x' ; drop", 19],
    ['level eq 1a', 9],
  ])('%j is refused at position %i', (filter, position) => {
    expect(refusal(filter)).toEqual({
      message: expect.stringContaining(`at position ${position}`),
      position,
    });
  });

  it('is parsed to the same tree after it is printed', () => {
    fc.assert(
      fc.property(anyFilter, (filter) => {
        expect(withoutPositions(parseFilter(printFilter(filter)))).toEqual(
          withoutPositions(filter),
        );
      }),
      { numRuns: runs(500) },
    );
  });

  it('is parsed or refused with an ODataError, whatever the text', () => {
    const pieces = fc.constantFrom(
      '(',
      ')',
      ' and ',
      ' or ',
      ' not ',
      ' eq ',
      "'",
      'x',
      '/',
      'any',
      ':',
      ',',
      ' in ',
      '1',
      'null',
      '$count',
      '\u0000',
      '\u{1f600}',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
        ),
        (text) => {
          try {
            parseFilter(text);
          } catch (error) {
            expect(error).toBeInstanceOf(ODataError);
          }
        },
      ),
      { numRuns: runs(1000) },
    );
  });

  it.each([
    ['deep parentheses', '('.repeat(5000) + "a eq 'x'" + ')'.repeat(5000)],
    ['many negations', `${'not '.repeat(3000)}a eq 'x'`],
    ['a long chain', Array.from({ length: 1300 }, () => "a eq 'x'").join(' or ')],
    ['a long text', `a eq '${'x'.repeat(odataLimits.length)}'`],
    ['many quotes', `a eq ${"''".repeat(8000)}`.slice(0, 16_000)],
  ])('refuses %s or parses it quickly', (_what, filter) => {
    const begin = process.cpuUsage().user;
    expect(() => {
      try {
        parseFilter(filter);
      } catch (error) {
        expect(error).toBeInstanceOf(ODataError);
      }
    }).not.toThrow();
    // Microseconds of the processor, which other work doesn't stretch
    expect(process.cpuUsage().user - begin).toBeLessThan(3_000_000);
  });
});
