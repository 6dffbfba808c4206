import { Decimal } from 'decimal.js';
import type { Transaction } from '../transaction.js';

/** Exact decimals: sums of a million amounts are never rounded. */
export const Money = Decimal.clone({ precision: 60, toExpNeg: -50, toExpPos: 50 });
/** An exact sum. */
export type MoneyValue = InstanceType<typeof Money>;

/** What was spent under one heading, in one currency. */
export interface SpendGroup {
  /**
   * The product family, the section or the month (`2026-01`); `(none)` where transactions name
   * none.
   */
  readonly name: string;
  readonly currency: string;
  readonly amount: MoneyValue;
  /** The number of its transactions. */
  readonly transactions: number;
}

/** Spend by product family, by section and by month. Currencies are never added to each other. */
export interface SpendSummary {
  /** The number of all transactions, also of those without an amount. */
  readonly transactions: number;
  /** One group for each currency. */
  readonly totals: readonly SpendGroup[];
  readonly byProductFamily: readonly SpendGroup[];
  /** By the section of the invoice. */
  readonly bySection: readonly SpendGroup[];
  readonly byMonth: readonly SpendGroup[];
  /** What is not yet billed, as part of the totals: one group for each currency. */
  readonly pending: readonly SpendGroup[];
}

/** The fields of a transaction that the sums use. */
export interface Spend {
  readonly amount: MoneyValue;
  readonly currency: string;
  /** The product family, or `(none)`. */
  readonly family: string;
  /** The display name of the section of the invoice, or `(none)`. */
  readonly section: string;
  /** `2026-01-31` in UTC, or `(none)`. */
  readonly day: string;
  /** Whether no invoice has it yet. */
  readonly pending: boolean;
}

const none = '(none)';

/** The amount of a transaction and what it was spent on; undefined if it has no amount. */
export function spendOf({ properties }: Transaction): Spend | undefined {
  const { transactionAmount, date, invoice, productFamily, invoiceSectionDisplayName } = properties;
  if (transactionAmount === undefined) return undefined;
  return {
    amount: new Money(transactionAmount.value),
    currency: transactionAmount.currency,
    family: productFamily ?? none,
    section: invoiceSectionDisplayName ?? none,
    day: date === undefined ? none : dayInUtc(date),
    pending: invoice?.toLowerCase() === 'pending',
  };
}

/** The day of an ISO 8601 date, which is in UTC if it has no offset. */
function dayInUtc(date: string): string {
  const hasOffset = /[+-]\d{2}:?\d{2}$/.test(date);
  return (hasOffset ? new Date(date).toISOString() : date).slice(0, 10);
}

/**
 * Sums up a stream of transactions. Memory grows only with the number of product families, sections
 * and months.
 *
 * @param onSpend called for each transaction with an amount, for example to check budgets in the same pass.
 */
export async function summarize(
  transactions: AsyncIterable<Transaction>,
  onSpend?: (spend: Spend) => void,
): Promise<SpendSummary> {
  const [totals, families, sections, months, pending] = [
    new Sums(),
    new Sums(),
    new Sums(),
    new Sums(),
    new Sums(),
  ];
  let count = 0;
  for await (const transaction of transactions) {
    count += 1;
    const spend = spendOf(transaction);
    if (spend === undefined) continue;
    totals.add('total', spend);
    families.add(spend.family, spend);
    sections.add(spend.section, spend);
    months.add(spend.day === none ? none : spend.day.slice(0, 7), spend);
    if (spend.pending) pending.add('pending', spend);
    onSpend?.(spend);
  }
  return {
    transactions: count,
    totals: totals.sortedByName(),
    byProductFamily: families.sortedByAmount(),
    bySection: sections.sortedByAmount(),
    byMonth: months.sortedByName(),
    pending: pending.sortedByName(),
  };
}

/** A summary as JSON for programs; amounts are texts of exact decimals. */
export function summaryToJson(summary: SpendSummary): Record<string, unknown> {
  const groups = (list: readonly SpendGroup[]): unknown[] =>
    list.map((group) => ({ ...group, amount: group.amount.toFixed() }));
  const { transactions, totals, byProductFamily, bySection, byMonth, pending } = summary;
  return {
    transactions,
    totals: groups(totals),
    byProductFamily: groups(byProductFamily),
    bySection: groups(bySection),
    byMonth: groups(byMonth),
    pending: groups(pending),
  };
}

class Sums {
  private readonly groups = new Map<
    string,
    { name: string; currency: string; amount: MoneyValue; transactions: number }
  >();

  add(name: string, { currency, amount }: Spend): void {
    const key = JSON.stringify([name, currency]);
    const group = this.groups.get(key);
    if (!group) this.groups.set(key, { name, currency, amount, transactions: 1 });
    else {
      group.amount = group.amount.add(amount);
      group.transactions += 1;
    }
  }

  sortedByName(): SpendGroup[] {
    return [...this.groups.values()].sort(
      (a, b) => compare(a.name, b.name) || compare(a.currency, b.currency),
    );
  }

  sortedByAmount(): SpendGroup[] {
    return this.sortedByName().sort(
      (a, b) => compare(a.currency, b.currency) || b.amount.cmp(a.amount),
    );
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
