import type { Finding } from '../../core/findings/finding.js';
import { markdownReport } from './markdown.js';
import {
  groupOf,
  messageWithAddress,
  pathInRepository,
  type Report,
  withoutPasses,
} from './report.js';

/** The most annotations per level that GitHub shows for a step; the job summary has all findings. */
const annotationsPerLevel = 10;

const levels = { error: 'error', warning: 'warning', info: 'notice', unknown: 'notice' } as const;

/** The text that the GitHub reporter prints, and the text for the file in `GITHUB_STEP_SUMMARY`. */
export interface GithubReport {
  readonly annotations: string;
  readonly jobSummary: string;
}

/**
 * Workflow commands that annotate the lines of findings, up to GitHub's limit per level, without
 * those that the base of a change has too; and a job summary with all findings.
 */
export function githubReport(report: Report): GithubReport {
  const counts = { error: 0, warning: 0, notice: 0 };
  let omitted = 0;
  const lines: string[] = [];
  for (const finding of withoutPasses(report.findings)) {
    const group = groupOf(finding);
    if (group === 'unchanged') continue;
    const level = levels[group];
    if (
      counts[level] < annotationsPerLevel - 1 ||
      (counts[level] === annotationsPerLevel - 1 && level !== 'notice')
    ) {
      counts[level]++;
      lines.push(annotation(level, finding, report));
    } else omitted++;
  }
  // one notice less than GitHub shows was written, so that this one is shown
  if (omitted > 0)
    lines.push(`::notice title=castellan::${String(omitted)} more findings are in the job summary`);
  return {
    annotations: lines.map((line) => `${line}\n`).join(''),
    jobSummary: markdownReport(report),
  };
}

function annotation(level: string, finding: Finding, report: Report): string {
  const { location, ruleId, fix } = finding;
  const message = messageWithAddress(finding);
  const properties: Record<string, string> = { title: ruleId };
  if (location) {
    Object.assign(properties, {
      file: pathInRepository(location.file, report),
      line: String(location.line),
      col: String(location.column),
    });
    if (location.endLine !== undefined) properties['endLine'] = String(location.endLine);
    if (location.endColumn !== undefined && location.endLine === location.line)
      properties['endColumn'] = String(location.endColumn);
  }
  const list = Object.entries(properties)
    .map(([name, value]) => `${name}=${escapeProperty(value)}`)
    .join(',');
  return `::${level} ${list}::${escapeData(fix ? `${message} (fix: ${fix.description})` : message)}`;
}

function escapeData(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
