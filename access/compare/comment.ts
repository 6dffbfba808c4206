import type { Finding } from '../../core/findings/finding.js';
import { accessDoorChanged } from '../../policies/rules/access/access-door-changed.js';
import { accessWidened } from '../../policies/rules/access/access-widened.js';
import { fitComment, escapeMarkdown } from '../../policies/reporters/comment.js';
import { changesCurrentAccess } from './compare.js';
import { type AccessComparison, environmentComparisons } from './comparison.js';
import { changeDetails, hasEffect, proofDetails } from './details.js';
import {
  appTitle,
  comparisonMermaid,
  environmentsText,
  unchangedEnvironmentsText,
} from './report.js';

/** The marker by which a bot recognizes its own comment. */
export const accessCommentMarker = '<!-- castellan-access -->';
/** The largest picture of a comment, in characters: hosts refuse pictures of 50,000. */
const maxDiagramCharacters = 20_000;

/** A comparison as a comment on a pull request. */
export function comparisonMarkdown(comparison: AccessComparison): string {
  const { findings, ref } = comparison;
  const comparisons = environmentComparisons(comparison);
  const changed = comparisons.flatMap((each) =>
    each.changes.filter((change) => hasEffect(change, each)).map((change) => ({ change, each })),
  );
  const lines = [accessCommentMarker, `### Who gets in, compared with ${escapeMarkdown(ref)}`, ''];
  const unchanged = unchangedEnvironmentsText(comparison);
  if (unchanged !== undefined)
    lines.push(
      `No one gains or loses access${escapeMarkdown(unchanged)} (proved for all possible people).`,
      '',
    );
  const reasons = new Set<string>();
  for (const { change, each } of changed) {
    lines.push(
      `**${escapeMarkdown(appTitle(change, each))}**`,
      '',
      '| | who | why |',
      '|---|---|---|',
    );
    for (const { sign, who, why } of [
      ...proofDetails(change, each),
      ...changeDetails(change, each),
    ]) {
      lines.push(`| ${sign} | ${escapeMarkdown(who)} | ${escapeMarkdown(why)} |`);
      if (why !== '') reasons.add(why);
    }
    lines.push('');
  }
  const otherFindings = findings.filter((finding) => !isInTables(finding));
  if (otherFindings.length > 0) {
    lines.push('| finding | rule |', '|---|---|');
    for (const finding of otherFindings) {
      const { message, ruleId, severity } = finding;
      const text = `${withoutReason(message, reasons)}${environmentsText(finding)}`;
      lines.push(`| ${severity}: ${escapeMarkdown(text)} | \`${ruleId}\` |`);
    }
    lines.push('');
  }
  const picture = comparisonMermaid(comparison).trimEnd();
  const diagram = [
    '<details><summary>The changed chains</summary>',
    '',
    '```mermaid',
    picture,
    '```',
    '',
    '</details>',
    '',
  ];
  const appendix =
    picture.length > maxDiagramCharacters
      ? ['The changed chains are too many for a picture here: `--format mermaid` draws them.', '']
      : diagram;
  return fitComment(
    lines,
    comparisons.some(({ changes }) => changes.some(changesCurrentAccess))
      ? appendix.join('\n')
      : '',
    'lines are in the full answer of `castellan access`',
  );
}

/** Whether a finding, which fails nothing, says what the table of its app says. */
function isInTables({ severity, ruleId, messageId }: Finding): boolean {
  const isOfProof =
    ruleId === accessWidened.id && (messageId === 'possible' || messageId === 'perhaps');
  return severity === 'info' && (ruleId === accessDoorChanged.id || isOfProof);
}

/** A message without the reason at its end, where a table states it. */
function withoutReason(message: string, reasons: ReadonlySet<string>): string {
  const statedReason = [...reasons].find((reason) => message.endsWith(`: ${reason}`));
  return statedReason === undefined ? message : message.slice(0, -`: ${statedReason}`.length);
}
