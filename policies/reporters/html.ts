import { createHash } from 'node:crypto';
import type { Finding, SourceLocation } from '../../core/findings/finding.js';
import { codeFrame } from '../../core/text/code-frame.js';
import { escapeHtmlLine } from '../../core/text/control-characters.js';
import { pageScript, pageStyle } from './html-assets.js';
import {
  groupOf,
  placeText,
  type Report,
  type ReportGroup,
  allSecretLocations,
  summaryLine,
  withoutPasses,
} from './report.js';

/** The groups of findings in the order of the page. */
const groups: readonly ReportGroup[] = ['error', 'warning', 'info', 'unknown', 'unchanged'];

/**
 * A self-contained page: errors first, equal findings in one card, searchable, filtered by
 * severity, readable without scripts and in print. Its content security policy allows only its own
 * style and script, so a malicious name in a configuration stays text.
 */
export function htmlReport(report: Report): string {
  const findings = withoutPasses(report.findings);
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
<p>${escapeHtmlLine(summaryLine(report))}</p>
</header>
<main>
${findings.length === 0 ? '<p class="clear">No findings.</p>' : filterForm(findings) + findingList(findings, report)}
</main>
<footer>castellan ${escapeHtmlLine(report.version)}</footer>
<script>${pageScript}</script>
</body>
</html>
`;
}

function headline({ summary }: Report): string {
  if (summary.errors > 0)
    return `${String(summary.errors)} ${summary.errors === 1 ? 'error' : 'errors'} to correct`;
  if (summary.warnings > 0)
    return `Passes, with ${String(summary.warnings)} ${summary.warnings === 1 ? 'warning' : 'warnings'}`;
  return summary.unknown > 0 ? `Passes, with ${String(summary.unknown)} unknown` : 'All clear';
}

function filterForm(findings: readonly Finding[]): string {
  const boxes = groups
    .map(
      (group) => [group, findings.filter((finding) => groupOf(finding) === group).length] as const,
    )
    .filter(([, count]) => count > 0)
    .map(
      ([group, count]) =>
        `<label class="${group}"><input type="checkbox" value="${group}" checked> ${group} <b>${String(count)}</b></label>`,
    );
  return `<form id="filters" role="search"><input id="search" type="search" placeholder="Search findings" aria-label="Search findings">${boxes.join('')}<output id="shown"></output></form>\n`;
}

function findingList(findings: readonly Finding[], report: Report): string {
  const secrets = allSecretLocations(report);
  const cards = new Map<string, Finding[]>();
  for (const group of groups)
    for (const finding of findings.filter((each) => groupOf(each) === group)) {
      const key = JSON.stringify([group, finding.ruleId, finding.message]);
      cards.set(key, [...(cards.get(key) ?? []), finding]);
    }
  return `<ol id="findings">\n${[...cards.values()].map((equalFindings) => findingCard(equalFindings, report, secrets)).join('\n')}\n</ol>`;
}

/** Findings that say the same of several places: the first in full, the others folded. */
function findingCard(
  [finding, ...otherFindings]: readonly Finding[],
  report: Report,
  secrets: readonly SourceLocation[],
): string {
  if (finding === undefined) return '';
  const rule = report.rules.get(finding.ruleId);
  const title =
    rule === undefined
      ? escapeHtmlLine(finding.ruleId)
      : `<a href="${escapeHtmlLine(rule.helpUri)}" title="${escapeHtmlLine(rule.title)}">${escapeHtmlLine(finding.ruleId)}</a>`;
  const times =
    otherFindings.length === 0
      ? ''
      : ` <span class="times">${String(otherFindings.length + 1)} places</span>`;
  return [
    `<li class="${groupOf(finding)}" data-group="${groupOf(finding)}" id="f-${escapeHtmlLine(finding.fingerprint)}">`,
    `<p class="head"><span class="badge">${groupOf(finding)}</span> <span class="message">${escapeHtmlLine(finding.message)}</span>${times}</p>`,
    ...placeHtml(finding, report, secrets),
    ...(otherFindings.length === 0
      ? []
      : [
          `<details><summary>${otherFindings.length === 1 ? 'the other place' : `the other ${String(otherFindings.length)} places`}</summary>`,
          ...otherFindings.flatMap((other) => [
            `<div id="f-${escapeHtmlLine(other.fingerprint)}">`,
            ...placeHtml(other, report, secrets),
            '</div>',
          ]),
          '</details>',
        ]),
    `<p class="rule">${title}${rule === undefined ? '' : `: ${escapeHtmlLine(rule.title)}`}</p>`,
    '</li>',
  ].join('\n');
}

/** Where a finding is, what corrects it there, and the lines around it. */
function placeHtml(
  finding: Finding,
  report: Report,
  secrets: readonly SourceLocation[],
): readonly string[] {
  const otherPlaces = [finding.constructPath, finding.terraformAddress, finding.liveId].flatMap(
    (each) => (each === undefined ? [] : [` · <code>${escapeHtmlLine(each)}</code>`]),
  );
  const subject = (finding.path ?? []).join('.');
  return [
    `<p class="where"><code>${escapeHtmlLine(placeText(finding))}</code>${subject === '' ? '' : ` <span class="subject">${escapeHtmlLine(subject)}</span>`}${otherPlaces.join('')}</p>`,
    ...(finding.fix ? [`<p class="fix">${escapeHtmlLine(finding.fix.description)}</p>`] : []),
    ...frameOf(finding, report, secrets),
  ];
}

/**
 * The source lines around a location, with secrets masked. The place is marked in its line, which
 * is broken where the screen ends: what is marked is always in sight.
 */
function frameOf(
  { location }: Finding,
  { sources }: Report,
  secrets: readonly SourceLocation[],
): readonly string[] {
  const source = location === undefined ? undefined : sources?.get(location.file);
  if (location === undefined || source === undefined) return [];
  const lines = codeFrame(source, location, secrets).split('\n');
  const caretIndex = lines.findIndex((line) => /^ +\| +\^+$/.test(line));
  const [start, end] = [lines[caretIndex]?.indexOf('^') ?? 0, lines[caretIndex]?.length ?? 0];
  const htmlLines = lines.flatMap((line, index) => {
    if (index === caretIndex) return [];
    const bar = line.indexOf('|') + 2; // a space is behind it
    const isTarget = index === caretIndex - 1;
    const code = isTarget
      ? `${escapeHtmlLine(line.slice(bar, start))}<mark>${escapeHtmlLine(line.slice(start, end))}</mark>${escapeHtmlLine(line.slice(end))}`
      : escapeHtmlLine(line.slice(bar));
    return [
      `<span class="number">${escapeHtmlLine(line.slice(0, bar - 2).trimEnd())}</span><code>${code}</code>`,
    ];
  });
  return [`<div class="frame">${htmlLines.join('\n')}</div>`];
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
