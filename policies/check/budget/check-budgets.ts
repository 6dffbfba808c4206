import { Decimal } from 'decimal.js';
import { fingerprintOf } from '../../../core/findings/fingerprint.js';
import type { Finding } from '../../../core/findings/finding.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { Budget } from './budget.js';

const ruleId = 'billing-budget';

/** The spend of one transaction. */
export interface BudgetedSpend {
  readonly amount: Decimal;
  readonly currency: string;
  /** The product family; `(none)` if the transaction has none. */
  readonly family: string;
  /** The display name of the invoice section; `(none)` if the transaction has none. */
  readonly section: string;
  /** `2026-01-31`; `(none)` if the transaction has no date: it is of no month then. */
  readonly day: string;
}

/** Checks spend against budgets, transaction by transaction. */
export interface BudgetTracker {
  add(spend: BudgetedSpend): void;
  /**
   * Returns a finding for each budget that is exceeded or that the forecast exceeds, and one with
   * the verdict `unknown` for each that counts no transaction.
   */
  findings(): readonly Finding[];
}

// decimal.js rounds sums to 20 digits by default
const ExactDecimal = Decimal.clone({ precision: 60 });

/** Creates a tracker, whose memory grows only with the number of budgets and months. */
export function trackBudgets(budgets: readonly Budget[]): BudgetTracker {
  const totals = budgets.map(() => new Map<string, Decimal>());
  let lastDay = '';
  return {
    add({ amount, currency, family, section, day }) {
      const hasDate = /^\d/.test(day);
      if (hasDate && day > lastDay) lastDay = day;
      budgets.forEach((budget, index) => {
        if (budget.period === 'month' && !hasDate) return;
        if (budget.currency !== currency) return;
        if (budget.productFamily !== undefined && budget.productFamily !== family) return;
        if (budget.section !== undefined && budget.section !== section) return;
        const period = budget.period === 'month' ? day.slice(0, 7) : 'total';
        totals[index]?.set(period, (totals[index].get(period) ?? new ExactDecimal(0)).add(amount));
      });
    },
    findings: () =>
      budgets.flatMap((budget, index) =>
        findingsOf(budget, totals[index] ?? new Map<string, Decimal>(), lastDay),
      ),
  };
}

function findingsOf(
  budget: Budget,
  totals: ReadonlyMap<string, Decimal>,
  lastDay: string,
): readonly Finding[] {
  if (totals.size === 0) return [unmatchedFinding(budget)];
  const limit = new ExactDecimal(budget.amount);
  return [...totals].sort().flatMap(([period, amount]): Finding[] => {
    if (amount.gt(limit)) return [findingOf(budget, 'spent', period, amount, limit)];
    const expected =
      budget.forecast && period === lastDay.slice(0, 7) ? forecast(amount, lastDay) : undefined;
    return expected?.gt(limit) === true
      ? [findingOf(budget, 'forecast', period, expected, limit)]
      : [];
  });
}

/**
 * The projected total of the current month at the present rate; the current month is that of the
 * last transaction.
 */
function forecast(amount: Decimal, lastDay: string): Decimal {
  const [year = 0, month = 1, day = 1] = lastDay.split('-').map(Number);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return amount.mul(days).div(day).toDecimalPlaces(2);
}

function findingOf(
  budget: Budget,
  messageId: 'spent' | 'forecast',
  period: string,
  amount: Decimal,
  limit: Decimal,
): Finding {
  const [amountText, allowed] = [amount, limit].map(
    (each) => `${each.toFixed(Math.max(2, each.decimalPlaces()))} ${budget.currency}`,
  ) as [string, string];
  const when = period === 'total' ? '' : ` in ${period}`;
  const message =
    messageId === 'spent'
      ? `the budget "${budget.name}" is passed${when}: ${amountText} of ${allowed} were spent`
      : `the budget "${budget.name}" will be passed${when}: at this pace ${amountText} of ${allowed} are spent at the end of the month`;
  return {
    ruleId,
    messageId,
    parameters: {
      budget: budget.name,
      period,
      amount: amount.toFixed(),
      limit: limit.toFixed(),
      currency: budget.currency,
    },
    verdict: 'fail',
    severity: 'error',
    message,
    location: budget.location,
    path: ['budgets', budget.name],
    fingerprint: fingerprintOf(ruleId, [budget.name, period, messageId]),
  };
}

/** The finding for a budget that counts nothing: a misspelt family, or the default currency. */
function unmatchedFinding({
  name,
  currency,
  period,
  productFamily,
  section,
  location,
}: Budget): Finding {
  const conditions = [
    `in ${currency}`,
    ...(productFamily === undefined ? [] : [`of the product family "${productFamily}"`]),
    ...(section === undefined ? [] : [`of the section "${section}"`]),
  ];
  return {
    ruleId,
    messageId: 'unmatched',
    parameters: { budget: name, period, currency, ...omitUndefined({ productFamily, section }) },
    verdict: 'unknown',
    severity: 'warning',
    message: `the budget "${name}" counts no transaction: none${period === 'month' ? ' with a date' : ''} is ${conditions.join(' and ')}`,
    location,
    path: ['budgets', name],
    fingerprint: fingerprintOf(ruleId, [name, 'unmatched']),
  };
}
