import fc from 'fast-check';
import type { Filter } from '../../../services/billing/query/ast.js';
import { parseFilter } from '../../../services/billing/query/filter-parser.js';
import { fieldNames } from '../../../services/billing/query/names.js';
import { QuerySyntaxError } from '../../../services/billing/query/syntax-error.js';
import { fieldsOf } from '../../../services/billing/store/fields.js';
import { account, invoice, startBilling } from './support/start-billing.js';
import type { StartedBilling } from './support/start-billing.js';
import { runs } from '../../support/property-tests.js';

const names = fieldNames(fieldsOf('neutral'));
const parse = (source: string): Filter => parseFilter(source, names);

/** Transactions with what filters stumble over: missing fields, empty texts, quotes, equal dates in other zones, long decimals. */
const transactions = [
  {
    name: 'a',
    properties: {
      date: '2026-01-01T00:00:00Z',
      quantity: 1,
      units: '0.1',
      productFamily: 'Storage',
      isThirdParty: true,
      transactionAmount: { currency: 'EUR', value: '10.10' },
    },
  },
  {
    name: 'b',
    properties: {
      date: '2026-01-01T01:00:00+01:00',
      quantity: -2,
      units: '0.30000000000000000001',
      productFamily: "O'Brien",
      isThirdParty: false,
      transactionAmount: { currency: 'USD', value: '-5' },
    },
  },
  {
    name: 'c',
    properties: {
      date: '2026-02-01T00:00:00.5Z',
      quantity: 3,
      productFamily: '',
      transactionAmount: { currency: 'USD', value: '9999999999999999.99' },
    },
  },
  { name: 'd', properties: { productFamily: 'storage 100% _x', units: '0.3' } },
  {
    name: 'e',
    properties: {
      date: '2025-12-31T23:59:59Z',
      quantity: 0,
      units: '0',
      isThirdParty: false,
      transactionAmount: { currency: 'JPY', value: '10.1' },
    },
  },
];

describe('the filter of transactions', () => {
  let service: StartedBilling;
  beforeAll(async () => {
    service = await startBilling({ billing: [{ billingAccount: account, invoice, transactions }] });
  });
  afterAll(() => service.stop());
  const found = async (filter: string): Promise<string> => {
    const { status, body, text } = await service.list({ filter, orderBy: 'name' });
    if (status !== 200) throw new Error(text);
    return body.value.map(({ name }: { name: string }) => name).join('');
  };

  it.each([
    ['quantity eq 1', 'a'],
    ['quantity ne 1', 'bcde'],
    ['quantity gt 0', 'ac'],
    ['quantity ge 0', 'ace'],
    ['quantity lt 0', 'b'],
    ['quantity le 0', 'be'],
    ['0 lt quantity', 'ac'],
    ['not (quantity gt 0)', 'bde'],
    ['not quantity lt 0', 'acde'],
    ['quantity eq null', 'd'],
    ['quantity ne null', 'abce'],
    ['units gt 0.3', 'b'],
    ['units eq 0.30', 'd'],
    ['units eq 3e-1', 'd'],
    ['transactionAmount/value eq 10.1', 'ae'],
    ['properties/transactionAmount/value gt 9999999999999999.98', 'c'],
    ['properties/transactionAmount/value eq 9999999999999999.99', 'c'],
    ["transactionAmount/currency in ('EUR','JPY')", 'ae'],
    ["not (transactionAmount/currency in ('EUR', 'JPY'))", 'bcd'],
    ['quantity in (1, 3, null)', 'acd'],
    ["productFamily eq 'O''Brien'", 'b'],
    ["productFamily eq ''", 'c'],
    ['productFamily eq null', 'e'],
    ["contains(productFamily,'torage')", 'ad'],
    ["contains(productFamily, '%')", 'd'],
    ["contains(productFamily,'')", 'abcd'],
    ["startswith(productFamily,'S')", 'a'],
    ["startsWith(productFamily,'s')", 'd'],
    ["endswith(productFamily,'_x')", 'd'],
    ["not endswith(productFamily,'_x')", 'abce'],
    ['date eq 2026-01-01', 'ab'],
    ["date eq '2026-01-01T00:00:00Z'", 'ab'],
    ['date gt 2026-02-01T00:00:00.4Z', 'c'],
    ['date lt 2026-01-01T00:00:00Z', 'e'],
    ['isThirdParty', 'a'],
    ['not isThirdParty', 'bcde'],
    ['isThirdParty eq false', 'be'],
    ["quantity gt 0 and transactionAmount/currency eq 'USD' or name eq 'e'", 'ce'],
    ["quantity gt 0 and (transactionAmount/currency eq 'USD' or name eq 'e')", 'c'],
    ["name eq 'a'", 'a'],
    ["properties/quantity gt 1 and name in ('a', 'c', 'x')", 'c'],
    ["not (quantity gt 0 or name eq 'd')", 'be'],
    ["not (quantity gt 0 and name eq 'a')", 'bcde'],
  ])('%s', async (filter, expected) => expect(await found(filter)).toBe(expected));

  it.each<[string, number]>([
    ['colour eq 1', 0],
    ['date', 4],
    ['date gt', 7],
    ['date gt 5', 8],
    ['quantity eq 1 and', 17],
    ['quantity eq 1 quantity eq 2', 14],
    ['(quantity eq 1', 14],
    ['quantity eq 1)', 13],
    ["productFamily eq 'x", 17],
    ['productFamily eq 5', 17],
    ["quantity eq '5'", 12],
    ['quantity gt null', 12],
    ['transactionAmount eq 5', 0],
    ['quantity equals 5', 9],
    ['quantity in 1', 12],
    ['quantity in ()', 13],
    ['length(productFamily) eq 5', 0],
    ["contains(quantity,'5')", 9],
    ['contains(productFamily)', 22],
    ['quantity eq 1 AND quantity eq 1', 14],
    ['quantity eq 1; drop table x', 13],
    ['date eq 2026-02-30', 8],
    ['and', 0],
    ['()', 1],
  ])('refuses %s at position %d', async (filter, position) => {
    const { status, body } = await service.list({ filter });
    expect([status, body.error.target]).toEqual([400, 'filter']);
    expect(body.error.additionalInfo).toEqual([{ type: 'Position', info: { option: 'filter', position } }]);
  });

  it('suggests the field that was meant', async () => {
    const { body } = await service.list({ filter: "productFamly eq 'x'" });
    expect(body.error.message).toContain('did you mean "productFamily"?');
  });

  it('bounds length, depth and number of conditions', () => {
    for (const source of [
      '('.repeat(5000),
      'not '.repeat(1000),
      ' '.repeat(9000),
      Array.from({ length: 600 }, () => 'units eq 1').join(' or '),
    ])
      expect(() => parse(source)).toThrow(QuerySyntaxError);
  });

  it('understands or refuses any text, and never fails otherwise', () => {
    const piece = fc.constantFrom(
      'date',
      'quantity',
      'eq',
      'gt',
      'and',
      'or',
      'not',
      'in',
      '(',
      ')',
      ',',
      "'",
      "''",
      '1',
      '-2.5',
      '2026-01-01',
      'null',
      'true',
      ' ',
      '/',
      'contains',
      '😀',
      '\u0000',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 30 }).map((words) => words.join(' ')),
        ),
        (source) => {
          try {
            parse(source);
          } catch (error) {
            if (!(error instanceof QuerySyntaxError)) throw error;
            expect(error.position).toBeGreaterThanOrEqual(0);
            expect(error.position).toBeLessThanOrEqual(Math.max(source.length, 8192));
          }
        },
      ),
      { numRuns: runs(2000) },
    );
  });

  it('agrees with a plain evaluation of the same filter, whatever its form', async () => {
    const comparison = fc
      .tuple(
        fc.constantFrom('quantity', 'units'),
        fc.constantFrom('eq', 'ne', 'lt', 'le', 'gt', 'ge'),
        fc.constantFrom('-2', '0', '0.1', '0.3', '1', '3'),
      )
      .map(([field, operator, value]) => ({
        text: `${field} ${operator} ${value}`,
        holds: (row: (typeof transactions)[number]): boolean => {
          const given = (row.properties as Record<string, unknown>)[field];
          if (given === undefined) return operator === 'ne';
          const [a, b] = [Number(given === '0.30000000000000000001' ? '0.30000000000001' : given), Number(value)];
          return { eq: a === b, ne: a !== b, lt: a < b, le: a <= b, gt: a > b, ge: a >= b }[operator] ?? false;
        },
      }));
    interface Tree {
      text: string;
      holds: (row: (typeof transactions)[number]) => boolean;
    }
    const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        comparison,
        tie('tree').map((inner) => ({ text: `not (${inner.text})`, holds: (row: (typeof transactions)[number]) => !inner.holds(row) })),
        fc.tuple(tie('tree'), fc.constantFrom('and', 'or'), tie('tree')).map(([left, word, right]) => ({
          text: `(${left.text}) ${word} (${right.text})`,
          holds: (row: (typeof transactions)[number]) =>
            word === 'and' ? left.holds(row) && right.holds(row) : left.holds(row) || right.holds(row),
        })),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(tree, async ({ text, holds }) => {
        expect(await found(text)).toBe(
          transactions
            .filter(holds)
            .map(({ name }) => name)
            .join(''),
        );
      }),
      { numRuns: runs(200) },
    );
  });
});
