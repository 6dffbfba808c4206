import type { Finding, SourceLocation } from '../../core/findings/finding.js';
import { codeFrame } from '../../core/text/code-frame.js';
import { visible } from '../../core/text/visible.js';
import { placeOf, type Report, reportable, summaryLine } from './report.js';

const colors = { error: '31', warning: '33', info: '36', unknown: '35', dim: '2', bold: '1' } as const;

/** The report for people: each finding with the lines it is about, and one line that sums up. */
export function textReport({ findings, summary, sources }: Report, color: 'color' | 'plain' = 'plain'): string {
  const paint = (text: string, name: keyof typeof colors): string => (color === 'color' ? `\u001b[${colors[name]}m${text}\u001b[0m` : text);
  const hidden = secretPlaces(findings);
  const blocks = reportable(findings).map((finding) => {
    const since = finding.change === undefined ? '' : ` (${finding.change})`;
    const { location, ruleId, message } = finding;
    const kind = finding.verdict === 'unknown' ? 'unknown' : finding.severity;
    const source = location === undefined ? undefined : sources?.get(location.file);
    const frame = location === undefined || source === undefined ? [] : [indent(codeFrame(source, location, hidden))];
    const fix = finding.fix === undefined ? [] : [`  ${paint('fix:', 'dim')} ${visible(finding.fix.description)}`];
    const held = finding.environments === undefined ? '' : ` in ${finding.environments.join(', ')}`;
    return [
      `${paint(placeOf(finding), 'bold')} ${paint(kind, kind)} ${ruleId}${held}${since}`,
      `  ${visible(message)}`,
      ...frame,
      ...fix,
    ].join('\n');
  });
  return `${[...blocks, summaryLine(summary)].join('\n\n')}\n`;
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

/** The places that no report may quote. */
export function secretPlaces(findings: readonly Finding[]): readonly SourceLocation[] {
  return findings.flatMap(({ ruleId, location }) => (ruleId === 'secret-literal' && location !== undefined ? [location] : []));
}
