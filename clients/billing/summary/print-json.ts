import type { SpendGroup, SpendSummary } from './summarize.js';

/** A summary as data for programs; amounts are texts of exact decimals. */
export function summaryData(summary: SpendSummary): Record<string, unknown> {
  const groups = (list: readonly SpendGroup[]): unknown[] => list.map((group) => ({ ...group, amount: group.amount.toFixed() }));
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
