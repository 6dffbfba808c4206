import type { Finding } from '../../core/findings/finding.js';
import { fitComment, escapeMarkdown } from './comment.js';
import { planPicture } from './plan-picture.js';
import {
  groupOf,
  messageWithAddress,
  placeText,
  type Report,
  withoutPasses,
  summaryLine,
} from './report.js';

/** The marker by which a bot finds its own comment again. */
export const commentMarker = '<!-- castellan-check -->';

const headings = {
  error: 'Errors',
  warning: 'Warnings',
  info: 'Information',
  unknown: 'Not judged',
  unchanged: 'Unchanged',
} as const;

/**
 * Markdown for a pull-request comment: the verdict, a table per severity and one of what the base
 * has too, shortened with a count if they are too long, and the plan's diagram.
 */
export function markdownReport(report: Report): string {
  const findings = withoutPasses(report.findings);
  const { errors, warnings, unknown } = report.summary;
  const verdict =
    errors > 0
      ? 'Castellan: changes needed'
      : warnings > 0
        ? 'Castellan: passes, with warnings'
        : unknown > 0
          ? `Castellan: passes, with ${String(unknown)} not judged`
          : 'Castellan: all clear';
  const sections = (Object.keys(headings) as (keyof typeof headings)[]).flatMap((heading) =>
    sectionLines(heading, findings, report),
  );
  const text = [commentMarker, `### ${verdict}`, '', ...sections];
  const picture = report.plan === undefined ? '' : `\n${planPicture(report.plan)}`;
  const footer = `_${summaryLine(report)}_\n`;
  return `${fitComment(text, picture, 'findings are in the full report')}\n${footer}`;
}

function sectionLines(
  heading: keyof typeof headings,
  findings: readonly Finding[],
  report: Report,
): string[] {
  const members = findings.filter((finding) => groupOf(finding) === heading);
  if (members.length === 0) return [];
  return [
    `#### ${headings[heading]} (${String(members.length)})`,
    '',
    '| where | what | rule |',
    '|---|---|---|',
    ...members.map((finding) => tableRow(finding, report)),
    '',
  ];
}

function tableRow(finding: Finding, report: Report): string {
  const rule = report.rules.get(finding.ruleId);
  const place = placeText(finding);
  const link =
    rule === undefined ? `\`${finding.ruleId}\`` : `[\`${finding.ruleId}\`](${rule.helpUri})`;
  const advice = finding.fix ? ` _Fix: ${escapeMarkdown(finding.fix.description)}_` : '';
  return `| \`${place.replace(/[|`]/g, '')}\` | ${escapeMarkdown(place === finding.terraformAddress ? finding.message : messageWithAddress(finding))}${advice} | ${link} |`;
}
