import { escapeHtml } from '../../../core/text/escape-html.js';
import type { SpendGroup, SpendSummary } from './spend-summary.js';
import { renderSummarySvg } from './summary-svg.js';
import { formatMoney } from './summary-text.js';

/**
 * A summary as an HTML page: a heading, the bars at a readable size, and the same amounts as tables.
 */
export function renderSummaryPage(summary: SpendSummary): string {
  const title = `${summary.transactions} transactions, ${summary.totals.map(formatMoney).join(', ') || 'nothing'}`;
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
      `<tr><th scope="row">${escapeHtml(group.name)}</th><td>${escapeHtml(formatMoney(group))}</td></tr>`,
  );
  return `<table><caption>${caption}</caption>${rows.join('')}</table>`;
}
