import { escapeHtml } from '../../../core/text/escape-html.js';
import { money } from './summary-text.js';
import type { SpendGroup, SpendSummary } from './spend-summary.js';

const [width, row, left, right] = [960, 26, 240, 190];

/**
 * A summary as an SVG picture: bars by product family, section and month; no scripts, no fonts to
 * load.
 */
export function renderSummarySvg(summary: SpendSummary): string {
  const parts: string[] = [];
  let top = 36;
  const title = summary.totals.map(money).join(', ') || 'nothing';
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
      top += row;
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

/**
 * The picture as a page: a heading, the picture at a readable size, and the same amounts as tables.
 */
export function renderSummaryPage(summary: SpendSummary): string {
  const title = `${summary.transactions} transactions, ${summary.totals.map(money).join(', ') || 'nothing'}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Spend: ${escapeHtml(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<h1>Spend</h1>
<p>${escapeHtml(title)}</p>
<figure tabindex="0" role="group" aria-label="Spend as bars">${renderSummarySvg(summary)}</figure>
${table('By product family', summary.byProductFamily)}
${table('By section', summary.bySection)}
${table('By month', summary.byMonth)}
</main>
</body>
</html>
`;
}

const pageStyle = `
:root{color-scheme:light dark}
body{margin:0;font:16px/1.5 system-ui,sans-serif}
main{max-width:62rem;margin:0 auto;padding:1rem}
figure{margin:0 0 1.5rem;overflow-x:auto}
figure svg{min-width:40rem;width:100%;height:auto;border-radius:8px}
table{width:100%;border-collapse:collapse;margin:0 0 1.5rem}
caption{text-align:left;font-weight:600;padding:.4rem 0}
th,td{text-align:left;padding:.3rem .5rem .3rem 0;border-top:1px solid #8884;overflow-wrap:anywhere}
td{text-align:right;white-space:nowrap}
th{font-weight:400}
`;

function table(caption: string, groups: readonly SpendGroup[]): string {
  const rows = groups.map(
    (group) =>
      `<tr><th scope="row">${escapeHtml(group.name)}</th><td>${escapeHtml(money(group))}</td></tr>`,
  );
  return `<table><caption>${caption}</caption>${rows.join('')}</table>`;
}

function bar(group: SpendGroup, groups: readonly SpendGroup[], top: number): string {
  const same = groups.filter(({ currency }) => currency === group.currency);
  const largest = Math.max(...same.map(({ amount }) => Math.abs(amount.toNumber()))) || 1;
  const length = Math.round((Math.abs(group.amount.toNumber()) / largest) * (width - left - right));
  const fill = group.amount.isNegative()
    ? 'class="refunded" fill="#9a6700"'
    : 'class="spent" fill="#0969da"';
  return [
    text(left - 10, top + 17, group.name, 'font-size="13" text-anchor="end"'),
    `<rect x="${left}" y="${top + 4}" width="${Math.max(1, length)}" height="${row - 8}" rx="3" ${fill}/>`,
    text(left + length + 8, top + 17, money(group), 'class="amount" font-size="12" fill="#57606a"'),
  ].join('');
}

function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${x}" y="${y}" ${attributes}>${escapeHtml(content)}</text>`;
}
