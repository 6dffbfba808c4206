import { escapeHtml } from '../../../core/text/escape-html.js';
import { formatMoney } from './summary-text.js';
import type { SpendGroup, SpendSummary } from './spend-summary.js';

/** Sizes in pixels: the picture, a row, the names left of the bars, the amounts right of them. */
const [width, rowHeight, nameWidth, amountWidth] = [960, 26, 240, 190];

/**
 * A summary as an SVG picture: bars by product family, section and month; no scripts, no fonts to
 * load.
 */
export function renderSummarySvg(summary: SpendSummary): string {
  const parts: string[] = [];
  let top = 36;
  const title = summary.totals.map(formatMoney).join(', ') || 'nothing';
  parts.push(
    text(
      16,
      28,
      `${summary.transactions} transactions, ${title}`,
      'font-size="18" font-weight="600"',
    ),
  );
  for (const [heading, groups] of [
    ['By product family', summary.byProductFamily],
    ['By section', summary.bySection],
    ['By month', summary.byMonth],
  ] as const) {
    parts.push(text(16, top + 30, heading, 'font-size="14" font-weight="600"'));
    top += 40;
    for (const group of groups) {
      parts.push(bar(group, groups, top));
      top += rowHeight;
    }
  }
  const height = top + 24;
  const label = `Spend: ${escapeHtml(title)}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}"`,
    ` font-family="system-ui, sans-serif">${style}<rect class="paper" width="100%" height="100%" fill="#ffffff"/>${parts.join('')}</svg>\n`,
  ].join('');
}

/** The colours of dark pages, which override the attributes. */
const style = `<style>@media(prefers-color-scheme:dark){.paper{fill:#151b23}text{fill:#f0f6fc}.amount{fill:#9198a1}.spent{fill:#4493f8}.refunded{fill:#d29922}}</style>`;

function bar(group: SpendGroup, groups: readonly SpendGroup[], top: number): string {
  const sameCurrency = groups.filter(({ currency }) => currency === group.currency);
  const largest = Math.max(...sameCurrency.map(({ amount }) => Math.abs(amount.toNumber()))) || 1;
  const length = Math.round(
    (Math.abs(group.amount.toNumber()) / largest) * (width - nameWidth - amountWidth),
  );
  const fill = group.amount.isNegative()
    ? 'class="refunded" fill="#9a6700"'
    : 'class="spent" fill="#0969da"';
  return [
    text(nameWidth - 10, top + 17, group.name, 'font-size="13" text-anchor="end"'),
    `<rect x="${nameWidth}" y="${top + 4}" width="${Math.max(1, length)}" height="${rowHeight - 8}" rx="3" ${fill}/>`,
    text(
      nameWidth + length + 8,
      top + 17,
      formatMoney(group),
      'class="amount" font-size="12" fill="#57606a"',
    ),
  ].join('');
}

function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${x}" y="${y}" ${attributes}>${escapeHtml(content)}</text>`;
}
