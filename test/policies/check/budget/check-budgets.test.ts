import { Decimal } from 'decimal.js';
import { parseBudgets } from '../../../../policies/check/budget/budget.js';
import { trackBudgets } from '../../../../policies/check/budget/check-budgets.js';

describe('budgets', () => {
  it('count a transaction without a date in the total, and in no month', () => {
    const tracker = trackBudgets(
      parseBudgets(
        'budgets:\n  - { name: all, amount: 10 }\n  - { name: each, amount: 7, period: month }\n',
        'budget.yaml',
      ),
    );
    for (const [day, amount] of [
      ['2026-01-31', 5],
      ['(none)', 8],
    ] as const)
      tracker.add({
        day,
        amount: new Decimal(amount),
        currency: 'USD',
        family: 'Compute',
        section: 'Shop',
      });
    expect(tracker.findings().map(({ message }) => message)).toEqual([
      'the budget "all" is passed: 13.00 USD of 10.00 USD were spent',
    ]);
  });
});
