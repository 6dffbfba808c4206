import { createHash } from 'node:crypto';
import type { Finding, SourceLocation } from '../../core/findings/finding.js';
import { codeFrame } from '../../core/text/code-frame.js';
import { visibleHtml } from '../../core/text/visible.js';
import { pageScript, pageStyle } from './html-assets.js';
import { placeOf, type Report, reportable, summaryLine } from './report.js';
import { secretPlaces } from './text.js';

const labels = { error: 'error', warning: 'warning', info: 'info', unknown: 'unknown' } as const;
type Group = keyof typeof labels;

/**
 * A self-contained page: searchable, filtered by severity, readable without scripts and in print.
 * Its content security policy allows only its own style and script, so a malicious name in a
 * configuration stays text.
 */
export function htmlReport(report: Report): string {
  const findings = reportable(report.findings);
  const policy = `default-src 'none'; style-src 'sha256-${digest(pageStyle)}'; script-src 'sha256-${digest(pageScript)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Castellan: ${headline(report)}</title>
<style>${pageStyle}</style>
</head>
<body>
<header>
<h1>${headline(report)}</h1>
<p>${visibleHtml(summaryLine(report))}</p>
</header>
<main>
${findings.length === 0 ? '<p class="clear">No findings.</p>' : filters(findings) + list(findings, report)}
</main>
<footer>castellan ${visibleHtml(report.version)}</footer>
<script>${pageScript}</script>
</body>
</html>
`;
}

function headline({ summary }: Report): string {
  if (summary.errors > 0)
    return `${String(summary.errors)} ${summary.errors === 1 ? 'error' : 'errors'} to correct`;
  return summary.warnings > 0
    ? `Passes, with ${String(summary.warnings)} ${summary.warnings === 1 ? 'warning' : 'warnings'}`
    : 'All clear';
}

function groupOf({ verdict, severity }: Finding): Group {
  return verdict === 'unknown' ? 'unknown' : severity;
}

function filters(findings: readonly Finding[]): string {
  const boxes = (Object.keys(labels) as Group[])
    .map(
      (group) => [group, findings.filter((finding) => groupOf(finding) === group).length] as const,
    )
    .filter(([, number]) => number > 0)
    .map(
      ([group, number]) =>
        `<label class="${group}"><input type="checkbox" value="${group}" checked> ${labels[group]} <b>${String(number)}</b></label>`,
    );
  return `<form id="filters" role="search"><input id="search" type="search" placeholder="Search findings" aria-label="Search findings">${boxes.join('')}<output id="shown"></output></form>\n`;
}

function list(findings: readonly Finding[], report: Report): string {
  const hidden = secretPlaces(report.findings);
  return `<ol id="findings">\n${findings.map((finding) => item(finding, report, hidden)).join('\n')}\n</ol>`;
}

function item(finding: Finding, report: Report, hidden: readonly SourceLocation[]): string {
  const rule = report.rules.get(finding.ruleId);
  const title =
    rule === undefined
      ? visibleHtml(finding.ruleId)
      : `<a href="${visibleHtml(rule.helpUri)}" title="${visibleHtml(rule.title)}">${visibleHtml(finding.ruleId)}</a>`;
  const subject = (finding.path ?? []).join('.');
  const also = [finding.constructPath, finding.terraformAddress, finding.liveId].filter(
    (each) => each !== undefined,
  );
  return [
    `<li class="${groupOf(finding)}" data-group="${groupOf(finding)}" id="f-${visibleHtml(finding.fingerprint)}">`,
    `<p class="where"><span class="badge">${labels[groupOf(finding)]}</span> <code>${visibleHtml(placeOf(finding))}</code>${subject === '' ? '' : ` <span class="subject">${visibleHtml(subject)}</span>`}</p>`,
    `<p class="message">${visibleHtml(finding.message)}</p>`,
    ...frameOf(finding, report, hidden),
    ...(finding.fix ? [`<p class="fix">${visibleHtml(finding.fix.description)}</p>`] : []),
    `<p class="rule">${title}${also.map((each) => ` · <code>${visibleHtml(each)}</code>`).join('')}</p>`,
    '</li>',
  ].join('\n');
}

/** The source lines around a location, with secrets masked. */
function frameOf(
  { location }: Finding,
  { sources }: Report,
  hidden: readonly SourceLocation[],
): readonly string[] {
  const source = location === undefined ? undefined : sources?.get(location.file);
  if (location === undefined || source === undefined) return [];
  const lines = codeFrame(source, location, hidden).split('\n');
  return [`<pre tabindex="0"><code>${lines.map(visibleHtml).join('\n')}</code></pre>`];
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
