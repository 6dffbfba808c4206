import type { Finding, Severity, SourceLocation } from '../../core/findings/finding.js';
import type { SourceText } from '../../core/source/source-text.js';
import { codeFrame } from '../../core/text/code-frame.js';
import {
  wrapLines,
  terminalLink,
  plainOutput,
  styled,
  type TerminalOutput,
} from '../../core/text/terminal.js';
import { escapeControlCharacters } from '../../core/text/control-characters.js';
import {
  placeText,
  type Report,
  allSecretLocations,
  withoutPasses,
  summaryLine,
} from './report.js';

/**
 * The report for people: each finding with its source lines, and one summary line. On a terminal it
 * fits the width and has colours.
 */
export function textReport(report: Report, screen: TerminalOutput = plainOutput): string {
  const { findings, sources, rules } = report;
  const secrets = allSecretLocations(report);
  const reportableFindings = withoutPasses(findings);
  // many findings share a message
  const messages = new Map<string, string>();
  const messageOf = (message: string): string => {
    const text = messages.get(message) ?? escapeControlCharacters(message);
    messages.set(message, text);
    return text;
  };
  const blocks = reportableFindings.map((finding) => {
    const change = finding.change === undefined ? '' : ` (${finding.change})`;
    const { location, ruleId, message } = finding;
    const kind = kindOf(finding);
    const source = location === undefined ? undefined : sources?.get(location.file);
    const rule = terminalLink(styled(ruleId, 'bold', screen), rules.get(ruleId)?.helpUri, screen);
    const scope =
      finding.environments === undefined ? '' : ` in ${finding.environments.join(', ')}`;
    const place = placeText(finding);
    const address = escapeControlCharacters(finding.terraformAddress ?? place);
    const ofAddress = address === place ? '' : ` of ${address}`;
    const head = `${styled(place, 'bold', screen)} ${styled(kind, kind, screen)} ${rule}${ofAddress}${scope}${change}`;
    const isShown = location !== undefined && source !== undefined;
    const frame = isShown ? [findingFrame(source, finding, secrets, screen)] : [];
    return [
      wrapLines(`${head}\n  ${messageOf(message)}`, screen),
      ...frame,
      ...(finding.fix === undefined
        ? []
        : [
            wrapLines(
              `  ${styled('fix:', 'dim', screen)} ${escapeControlCharacters(finding.fix.description)}`,
              screen,
            ),
          ]),
    ].join('\n');
  });
  const fixable = reportableFindings.filter(({ fix }) => fix !== undefined).length;
  const advice =
    fixable > 0 && screen.columns !== undefined
      ? [wrapLines(`${String(fixable)} can be fixed by castellan fix`, screen)]
      : [];
  return `${[...blocks, ...advice, wrapLines(styled(summaryLine(report), 'bold', screen), screen)].join('\n\n')}\n`;
}

function kindOf({ verdict, severity }: Finding): Severity | 'unknown' {
  return verdict === 'unknown' ? 'unknown' : severity;
}

/** The finding's source lines, indented by four; the marker has the colour of the severity. */
export function findingFrame(
  source: SourceText,
  finding: Finding,
  secrets: readonly SourceLocation[],
  screen: TerminalOutput,
): string {
  const { location } = finding;
  if (location === undefined) return '';
  const columns = screen.columns === undefined ? undefined : screen.columns - 4;
  return codeFrame(source, location, secrets, columns)
    .replace(/^([> ] *\d* \|)(.*)$/gm, (_line, gutter: string, text: string) => {
      // a line without a number holds the marker
      const content = /\d/.test(gutter) ? text : styled(text, kindOf(finding), screen);
      return gutter.startsWith('>')
        ? styled('>', kindOf(finding), screen) + styled(gutter.slice(1), 'bold', screen) + content
        : styled(gutter, 'dim', screen) + content;
    })
    .replace(/^/gm, '    ');
}
