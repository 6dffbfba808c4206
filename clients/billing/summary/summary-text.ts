import type { SpendGroup, SpendSummary } from './spend-summary.js';

/**
 * A summary for the terminal: what was spent, by product family, section and month, each with its
 * bar.
 */
export function renderSummaryText(summary: SpendSummary, width = 80): string {
  const blocks = [
    `${summary.transactions} transactions`,
    ...summary.totals.map((group) => `total ${money(group)}${pendingOf(summary, group)}`),
    '',
    ...block('By product family', summary.byProductFamily, width),
    ...block('By section', summary.bySection, width),
    ...block('By month', summary.byMonth, width),
  ];
  return `${blocks.join('\n').trimEnd()}\n`;
}

/** An amount with at least two decimals, followed by its currency. */
export function money({ amount, currency }: Pick<SpendGroup, 'amount' | 'currency'>): string {
  return `${amount.toFixed(Math.max(2, amount.decimalPlaces()))} ${currency}`;
}

function pendingOf(summary: SpendSummary, { currency }: SpendGroup): string {
  const pending = summary.pending.find((group) => group.currency === currency);
  return pending === undefined ? '' : `, of it ${money(pending)} not yet billed`;
}

function block(title: string, groups: readonly SpendGroup[], width: number): string[] {
  if (groups.length === 0) return [];
  const names = Math.min(32, Math.max(...groups.map(({ name }) => name.length)));
  const amounts = Math.max(...groups.map((group) => money(group).length));
  // Two blanks before the name, two behind it, one before the bar
  const room = Math.max(2, width - names - amounts - 5);
  const largest = (currency: string): number =>
    Math.max(
      ...groups
        .filter((each) => each.currency === currency)
        .map(({ amount }) => Math.abs(amount.toNumber())),
    );
  const rows = groups.map((group) => {
    const share = Math.abs(group.amount.toNumber()) / (largest(group.currency) || 1);
    // Refunds get a hollow bar.
    const bar = (group.amount.isNegative() ? '░' : '█').repeat(Math.round(share * room));
    return `  ${group.name.slice(0, 32).padEnd(names)}  ${money(group).padStart(amounts)} ${bar}`.trimEnd();
  });
  return [title, ...rows, ''];
}

/** A summary as data for programs; amounts are texts of exact decimals. */
export function summaryData(summary: SpendSummary): Record<string, unknown> {
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
