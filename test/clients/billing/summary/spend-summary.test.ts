import { spendOf } from '../../../../clients/billing/summary/spend-summary.js';
import type { Transaction } from '../../../../clients/billing/index.js';

it.each([
  ['2026-01-31', '2026-01-31'],
  ['2026-01-31T23:30:00', '2026-01-31'],
  ['2026-01-31T23:30:00Z', '2026-01-31'],
  ['2026-01-31T23:30:00-05:00', '2026-02-01'],
  ['2026-02-01T00:30:00+0100', '2026-01-31'],
])('the spend of %s is of the day %s in UTC, as in filters of the service', (date, day) => {
  const properties = { date, transactionAmount: { currency: 'USD', value: '1' } };
  expect(spendOf({ properties } as unknown as Transaction)?.day).toBe(day);
});
