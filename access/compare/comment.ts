import type { Finding } from '../../core/findings/finding.js';
import { accessDoorChanged } from '../../policies/rules/access/access-door-changed.js';
import { accessWidened } from '../../policies/rules/access/access-widened.js';
import { fitComment, escapeMarkdown } from '../../policies/reporters/comment.js';
import { changesCurrentAccess } from './compare.js';
import type { AccessComparison } from './comparison.js';
import { changeDetails, hasEffect, proofDetails } from './details.js';
import { appTitle, comparisonMermaid } from './report.js';

/** The marker by which a bot recognizes its own comment. */
export const accessCommentMarker = '<!-- castellan-access -->';
/** The largest picture of a comment, in characters: hosts refuse pictures of 50,000. */
const maxDiagramCharacters = 20_000;

/** A comparison as a comment on a pull request. */
export function comparisonMarkdown(comparison: AccessComparison): string {
  const { changes, findings, ref } = comparison;
  const changed = changes.filter((change) => hasEffect(change, comparison));
  const lines = [accessCommentMarker, `### Who gets in, compared with ${escapeMarkdown(ref)}`, ''];
  if (changed.length === 0)
    lines.push('No one gains or loses access (proved for all possible people).', '');
  const reasons = new Set<string>();
  for (const change of changed) {
    lines.push(
      `**${escapeMarkdown(appTitle(change, changes))}**`,
      '',
      '| | who | why |',
      '|---|---|---|',
    );
    for (const { sign, who, why } of [
      ...proofDetails(change, comparison),
      ...changeDetails(change, comparison),
    ]) {
      lines.push(`| ${sign} | ${escapeMarkdown(who)} | ${escapeMarkdown(why)} |`);
      if (why !== '') reasons.add(why);
    }
    lines.push('');
  }
  const otherFindings = findings.filter((finding) => !isInTables(finding));
  if (otherFindings.length > 0) {
    lines.push('| finding | rule |', '|---|---|');
    for (const { message, ruleId, severity } of otherFindings)
      lines.push(
        `| ${severity}: ${escapeMarkdown(withoutReason(message, reasons))} | \`${ruleId}\` |`,
      );
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
    changes.some(changesCurrentAccess) ? appendix.join('\n') : '',
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
