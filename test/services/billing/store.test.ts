import fc from 'fast-check';
import {
  dateKey,
  decimalKey,
  decimalText,
  ExactDecimal,
} from '../../../services/billing/store/sort-keys.js';
import { createFieldFinder, fieldsInDialect } from '../../../services/billing/store/fields.js';
import {
  encodeTransaction,
  fieldTree,
} from '../../../services/billing/store/stored-transaction.js';
import { parseOrderBy } from '../../../services/billing/query/order.js';
import { ensureOrderIndex } from '../../../services/billing/store/order-index.js';
import { startBilling } from './support/start-billing.js';
import { runs } from '../../support/property-tests.js';

const decimal = fc
  .tuple(fc.boolean(), fc.stringMatching(/^[0-9]{1,25}$/), fc.stringMatching(/^[0-9]{0,12}$/))
  .map(
    ([negative, whole, fraction]) =>
      `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`,
  );

describe('decimals in stored form', () => {
  it('sort like the numbers', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const [left, right] = [decimalKey(a), decimalKey(b)];
        expect(Math.sign(new ExactDecimal(a).cmp(b))).toBe(
          left < right ? -1 : left > right ? 1 : 0,
        );
      }),
      { numRuns: runs(2000) },
    );
  });
  it('convert back to the exact number', () => {
    fc.assert(
      fc.property(decimal, (text) => {
        expect(new ExactDecimal(decimalText(decimalKey(text))).eq(text)).toBe(true);
      }),
      { numRuns: runs(2000) },
    );
    expect(decimalText(decimalKey('123456789012345678.123456789'))).toBe(
      '123456789012345678.123456789',
    );
    expect(decimalText(decimalKey('-0.0050'))).toBe('-0.005');
    expect(decimalText(decimalKey('1e21'))).toBe('1000000000000000000000');
  });
  it('refuse what is not a number', () => {
    for (const value of ['NaN', 'Infinity', '1e60000', NaN])
      expect(() => decimalKey(value)).toThrow(RangeError);
  });
});

describe('dates in stored form', () => {
  it.each([
    ['2018-05-01T00:00:00Z', '2018-05-01T00:00:00Z'],
    ['2018-05-01', '2018-05-01T00:00:00Z'],
    ['2018-05-01T02:00:00+02:00', '2018-05-01T00:00:00Z'],
    ['2018-05-01T00:00:00.1234567Z', '2018-05-01T00:00:00.1234567Z'],
    ['2018-05-01T00:00:00.1000000Z', '2018-05-01T00:00:00.1Z'],
  ])('%s is stored like %s', (text, expected) => expect(dateKey(text)).toBe(dateKey(expected)));
  it.each(['2018-13-01', '2018-02-30', 'yesterday', '2018', '2018-05-01T25:00:00Z', ''])(
    '%j is no date',
    (text) => expect(dateKey(text)).toBeUndefined(),
  );
});

describe('a stored transaction', () => {
  const tree = fieldTree(fieldsInDialect('neutral'));
  const print = (value: Record<string, unknown>): string => encodeTransaction(value, tree).document;
  const roundTrip = (value: Record<string, unknown>): unknown => {
    return JSON.parse(print(value));
  };

  it('is returned as it came, including unknown properties', () => {
    const transaction = {
      id: '/x',
      name: 'x',
      properties: {
        date: '2018-05-01T00:00:00.000Z',
        servicePeriodStartDate: '2018-05-01T02:00:00+02:00',
        creditType: 'FutureCredit',
        kind: 'all',
        invoice: 'Pending',
        productFamily: '',
        isThirdParty: false,
        quantity: 0,
        discount: 0.1,
        newField: { deep: [1, null] },
        transactionAmount: { currency: 'USD', value: 12.5, rounding: 'up' },
      },
      systemData: { createdAt: '2018-05-01T00:00:00Z', createdByType: 'Robot' },
      tags: { a: 'b' },
      etag: 'W/1',
    };
    expect(roundTrip(transaction)).toEqual(transaction);
  });

  it('keeps every digit of an amount', () => {
    expect(
      print({ properties: { tax: { currency: 'USD', value: '0.12345678901234567890123' } } }),
    ).toBe('{"properties":{"tax":{"currency":"USD","value":0.12345678901234567890123}}}');
  });

  it.each([
    [{ properties: { quantity: 1.5 } }, 'properties.quantity must be an integer (int32), not 1.5'],
    [{ properties: { tax: 5 } }, 'properties.tax must be an object, not 5'],
    [
      { properties: { tax: { value: 'much' } } },
      'properties.tax.value must be a number, not "much"',
    ],
    [
      { properties: { isThirdParty: 'no' } },
      'properties.isThirdParty must be true or false, not "no"',
    ],
    [
      { properties: { date: 'May' } },
      'properties.date must be a date and time (ISO 8601), not "May"',
    ],
    [{ name: 5 }, 'name must be a string, not 5'],
  ])('refuses %j', (value, message) => expect(() => roundTrip(value)).toThrow(message));
});

describe('the indexes of a database', () => {
  it('are read again after a failure', async () => {
    const { database, stop } = await startBilling();
    const lost = new Error('the connection is lost');
    const getExecutor = (): never => {
      throw lost;
    };
    const breakable = { ...database, connection: { getExecutor } as never };
    const order = parseOrderBy('name', createFieldFinder(fieldsInDialect('neutral')));
    await expect(ensureOrderIndex(breakable, [], order)).rejects.toBe(lost);
    breakable.connection = database.connection as never;
    await expect(ensureOrderIndex(breakable, [], order)).resolves.toMatchObject({
      columns: ['invoice_id', 'f_name', 'seq'],
    });
    await stop();
  });
});
