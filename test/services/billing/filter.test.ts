import { type Filter, parseFilter } from '../../../services/billing/query/filter.js';
import { QuerySyntaxError } from '../../../services/billing/errors.js';
import { createFieldFinder, fieldsInDialect } from '../../../services/billing/store/fields.js';
import {
  matchingNames,
  startWithFilterableTransactions,
} from './support/filterable-transactions.js';
import type { StartedBilling } from './support/start-billing.js';

const names = createFieldFinder(fieldsInDialect('neutral'));
const parse = (source: string): Filter => parseFilter(source, names);

describe('the filter of transactions', () => {
  let service: StartedBilling;
  beforeAll(async () => {
    service = await startWithFilterableTransactions();
  });
  afterAll(() => service.stop());
  const namesMatching = (filter: string): Promise<string> => matchingNames(service, filter);

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
  ])('%s selects the transactions %s', async (filter, expected) =>
    expect(await namesMatching(filter)).toBe(expected),
  );

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
    ["constructor(productFamily,'x')", 0],
    ["__proto__(productFamily,'x')", 0],
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
    expect(body.error.additionalInfo).toEqual([
      { type: 'Position', info: { option: 'filter', position } },
    ]);
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
});
