import type { SpendGroup, SpendSummary } from './spend-summary.js';

/**
 * A summary for the terminal: what was spent, by product family, section and month, each with its
 * bar.
 */
export function renderSummaryText(summary: SpendSummary, width = 80): string {
  const lines = [
    `${summary.transactions} transactions`,
    ...summary.totals.map((group) => `total ${formatMoney(group)}${pendingOf(summary, group)}`),
    '',
    ...tableLines('By product family', summary.byProductFamily, width),
    ...tableLines('By section', summary.bySection, width),
    ...tableLines('By month', summary.byMonth, width),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** An amount with at least two decimals, followed by its currency. */
export function formatMoney({ amount, currency }: Pick<SpendGroup, 'amount' | 'currency'>): string {
  return `${amount.toFixed(Math.max(2, amount.decimalPlaces()))} ${currency}`;
}

/** The part of a total that is not yet billed; empty if there is none. */
function pendingOf(summary: SpendSummary, { currency }: SpendGroup): string {
  const pending = summary.pending.find((group) => group.currency === currency);
  return pending === undefined ? '' : `, of which ${formatMoney(pending)} not yet billed`;
}

/** The longest name that is shown, in characters; longer ones are cut. */
const maxNameWidth = 32;

/** The lines of one table: a title, and a row with a bar for each group. */
function tableLines(title: string, groups: readonly SpendGroup[], width: number): string[] {
  if (groups.length === 0) return [];
  const nameWidth = Math.min(maxNameWidth, Math.max(...groups.map(({ name }) => name.length)));
  const amountWidth = Math.max(...groups.map((group) => formatMoney(group).length));
  // Two blanks before the name, two after it, one before the bar.
  const barWidth = Math.max(2, width - nameWidth - amountWidth - 5);
  const largestAmount = (currency: string): number =>
    Math.max(
      ...groups
        .filter((each) => each.currency === currency)
        .map(({ amount }) => Math.abs(amount.toNumber())),
    );
  const rows = groups.map((group) => {
    const share = Math.abs(group.amount.toNumber()) / (largestAmount(group.currency) || 1);
    // Refunds get a hollow bar.
    const bar = (group.amount.isNegative() ? '░' : '█').repeat(Math.round(share * barWidth));
    return `  ${group.name.slice(0, maxNameWidth).padEnd(nameWidth)}  ${formatMoney(group).padStart(amountWidth)} ${bar}`.trimEnd();
  });
  return [title, ...rows, ''];
}
