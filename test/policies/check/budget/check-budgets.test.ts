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

  it('report those that count no transaction, and say why', () => {
    const tracker = trackBudgets(
      parseBudgets(
        [
          'budgets:',
          '  - { name: all, amount: 10 }',
          '  - { name: euros, amount: 10, currency: EUR }',
          '  - { name: typo, amount: 10, productFamily: Compote, section: Shop, period: month }',
        ].join('\n'),
        'budget.yaml',
      ),
    );
    tracker.add({
      day: '2026-01-31',
      amount: new Decimal(0),
      currency: 'USD',
      family: 'Compute',
      section: 'Shop',
    });
    expect(
      tracker.findings().map(({ verdict, severity, message }) => [verdict, severity, message]),
    ).toEqual([
      ['unknown', 'warning', 'the budget "euros" counts no transaction: none is in EUR'],
      [
        'unknown',
        'warning',
        'the budget "typo" counts no transaction: none with a date is in USD and of the product family "Compote" and of the section "Shop"',
      ],
    ]);
  });

  it('print amounts with all decimals that they differ in', () => {
    const tracker = trackBudgets(parseBudgets('budgets: [{ amount: 0.296 }]', 'budget.yaml'));
    tracker.add({
      day: '2026-01-31',
      amount: new Decimal('0.299'),
      currency: 'USD',
      family: 'Compute',
      section: 'Shop',
    });
    expect(tracker.findings().map(({ message }) => message)).toEqual([
      'the budget "budget 1" is passed: 0.299 USD of 0.296 USD were spent',
    ]);
  });
});
