import { exitCodes } from '../../core/findings/exit-code.js';
import type { Finding } from '../../core/findings/finding.js';
import { mermaidText } from '../../core/graph/text-formats.js';
import { escapeControlCharacters } from '../../core/text/control-characters.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { commentOf, inline } from '../../policies/reporters/comment.js';
import { placeOf } from '../../policies/reporters/report.js';
import type { ChangeProof, ProofExample, ProofSide } from '../prove/proof.js';
import { sideText } from '../prove/proof-text.js';
import { plural } from '../answer/text.js';
import type { AccessTarget } from '../answer/visit.js';
import { cloudDifferences, type CloudDifference } from '../decide/cloud-differences.js';
import type { AccessModel } from '../model.js';
import { type AppChange, isChanged } from './compare.js';
import { newControllers } from './findings.js';

/** The data of a comparison, independent of the format. */
export interface AccessComparison {
  /** What is compared with: `origin/main`. */
  readonly ref: string;
  /** The sign-in layer that answers. */
  readonly target: AccessTarget;
  readonly changes: readonly AppChange[];
  /** What each change does to all possible people, known or not. */
  readonly proofs: ReadonlyMap<AppChange, ChangeProof>;
  readonly findings: readonly Finding[];
  /** How many findings suppressions and the baseline accept. */
  readonly accepted: number;
  readonly head: AccessModel;
  readonly base: AccessModel;
}

/** The exit code of a comparison, as that of `check`. */
export function exitCodeOf({ findings }: AccessComparison): number {
  return findings.some(({ severity }) => severity !== 'info')
    ? exitCodes.findings
    : exitCodes.clean;
}

/** The marker by which a bot recognizes its own comment. */
export const accessCommentMarker = '<!-- castellan-access -->';
/** Longer lists of people are printed only on request. */
const listLimit = 10_000;
/** The largest picture of a comment, in characters: hosts refuse pictures of 50,000. */
const maxDiagramCharacters = 20_000;

/** A comparison as JSON. @param listed whether all people are listed, regardless of their number */
export function comparisonData(comparison: AccessComparison, listed: boolean): object {
  const { ref, changes, findings, accepted, head, base } = comparison;
  return {
    version: 1,
    base: ref,
    apps: changes.map((change) => {
      const {
        name,
        stack,
        gained,
        lost,
        stillIn,
        unknown,
        publicGained,
        publicLost,
        anyoneGained,
        anyoneLost,
        reasons,
      } = change;
      const people = (personIndexes: Iterable<number>, count: number) =>
        listed || count <= listLimit
          ? [...personIndexes].map((personIndex) => ({
              person: nameAt(personIndex, head),
              provider: 'directory',
            }))
          : [];
      const differences = differencesOf(change, comparison);
      return {
        app: name,
        stack,
        gained: people(gained, gained.count),
        lost: people(lost, lost.count),
        publicGained,
        publicLost,
        anyoneGained,
        anyoneLost,
        counts: {
          gained: gained.count,
          lost: lost.count,
          unknown,
          ...omitUndefined({ kept: stillIn }),
        },
        reasons: reasons.map(({ change: what, why, way, count, examples }) => ({
          change: what,
          why,
          way,
          count,
          examples: examples.map((personIndex) => nameAt(personIndex, head)),
        })),
        controllersGained: newControllers(change, head, base).map(({ who, by }) => ({ who, by })),
        controllersLost: newControllers(
          { ...change, head: change.base, base: change.head },
          base,
          head,
        ).map(({ who, by }) => ({
          who,
          by,
        })),
        ...(differences.length !== 0 && { differences }),
        ...proofData(comparison.proofs.get(change)),
      };
    }),
    findings,
    ...(accepted !== 0 && { accepted }),
  };
}

function proofData(proof: ChangeProof | undefined): object {
  if (proof === undefined) return {};
  const side = ({ by: _by, ...data }: ProofSide): object => data;
  return { proof: { gain: side(proof.gain), loss: side(proof.loss) } };
}

/** Whether a change makes a difference, for somebody known or for anybody who may exist. */
function matters(change: AppChange, { proofs }: AccessComparison): boolean {
  const proof = proofs.get(change);
  return isChanged(change) || proof?.gain.verdict !== 'none' || proof.loss.verdict !== 'none';
}

/** What a change does to all possible people, in words. */
function proofDetails(change: AppChange, { proofs }: AccessComparison): Detail[] {
  const proof = proofs.get(change);
  if (proof === undefined) return [];
  return (['gain', 'loss'] as const).flatMap((direction): Detail[] => {
    const side = proof[direction];
    if (direction === 'loss' && side.verdict === 'none') return [];
    const { who, why } = sideText(side);
    const sign = direction === 'gain' ? 'new' : 'lost';
    return [{ sign, who, why, text: `${who}${why === '' ? '' : ` (${why})`}` }];
  });
}

/**
 * A comparison as text.
 *
 * @param linkTo the address at which an example is shown, where there is one
 */
export function comparisonText(
  comparison: AccessComparison,
  listed: boolean,
  linkTo?: (app: string, example: ProofExample) => string | undefined,
): string {
  const { changes, findings, accepted, ref } = comparison;
  const changed = changes.filter((change) => matters(change, comparison));
  const lines = changed.flatMap((change) => [
    change.name,
    ...proofDetails(change, comparison).map(({ sign, text }) => `  ${sign}: ${text}`),
    ...exampleLinks(change, comparison, linkTo).map((link) => `    try it: ${link}`),
    ...details(change, comparison).map(({ sign, text }) => `  ${sign} ${text}`),
    ...describePeople(change, comparison, listed),
  ]);
  if (changed.length === 0)
    lines.push(
      `no one gains or loses access, compared with ${ref} (proved for all possible people)`,
    );
  for (const finding of findings)
    lines.push(`${placeOf(finding)}: ${finding.severity}: ${finding.message} (${finding.ruleId})`);
  if (accepted > 0)
    lines.push(
      `${plural(accepted, 'finding is', 'findings are')} accepted by suppressions or the baseline`,
    );
  return `${lines.map(escapeControlCharacters).join('\n')}\n`;
}

function exampleLinks(
  change: AppChange,
  { proofs }: AccessComparison,
  linkTo: Parameters<typeof comparisonText>[2],
): readonly string[] {
  const proof = proofs.get(change);
  return [proof?.gain, proof?.loss].flatMap((side) =>
    side?.example === undefined ? [] : (linkTo?.(change.name, side.example) ?? []),
  );
}

/** A comparison as a comment on a pull request. */
export function comparisonMarkdown(comparison: AccessComparison): string {
  const { changes, findings, ref } = comparison;
  const changed = changes.filter((change) => matters(change, comparison));
  const lines = [accessCommentMarker, `### Who gets in, compared with ${inline(ref)}`, ''];
  if (changed.length === 0)
    lines.push('No one gains or loses access (proved for all possible people).', '');
  for (const change of changed) {
    lines.push(`**${inline(change.name)}**`, '', '| | who | why |', '|---|---|---|');
    for (const { sign, who, why } of [
      ...proofDetails(change, comparison),
      ...details(change, comparison),
    ])
      lines.push(`| ${sign} | ${inline(who)} | ${inline(why)} |`);
    lines.push('');
  }
  if (findings.length > 0) {
    lines.push('| finding | rule |', '|---|---|');
    for (const { message, ruleId, severity } of findings)
      lines.push(`| ${severity}: ${inline(message)} | \`${ruleId}\` |`);
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
  const behind =
    picture.length > maxDiagramCharacters
      ? ['The changed chains are too many for a picture here: `--format mermaid` draws them.', '']
      : diagram;
  return commentOf(
    lines,
    changes.some(isChanged) ? behind.join('\n') : '',
    'lines are in the full answer of `castellan access`',
  );
}

/** The changed chains as a Mermaid flowchart: people, groups, app. */
export function comparisonMermaid({ changes }: AccessComparison): string {
  const lines = ['flowchart LR'];
  const ids = new Map<string, string>();
  const node = (text: string, shape: readonly [string, string]): string => {
    const known = ids.get(text);
    if (known !== undefined) return known;
    const id = `n${String(ids.size)}`;
    ids.set(text, id);
    lines.push(`  ${id}${shape[0]}"${mermaidText(escapeControlCharacters(text))}"${shape[1]}`);
    return id;
  };
  for (const change of changes.filter(isChanged)) {
    const app = node(`app ${change.name}`, ['[', ']']);
    for (const { change: what, why, way, count } of change.reasons) {
      const people = node(
        `${what === 'gained' ? '+' : '-'} ${plural(count, 'person', 'people')}: ${why}`,
        ['([', '])'],
      );
      const arrow = what === 'gained' ? '-->' : '-.-x';
      let from = people;
      for (const group of way) {
        const next = node(`group ${group}`, ['{{', '}}']);
        lines.push(`  ${from} ${arrow} ${next}`);
        from = next;
      }
      lines.push(`  ${from} ${arrow} ${app}`);
    }
    for (const path of change.publicGained)
      lines.push(
        `  ${node('+ a browser without a session', ['([', '])'])} -->|"${mermaidText(path)}"| ${app}`,
      );
    for (const provider of change.anyoneGained)
      lines.push(`  ${node(`+ anyone at ${provider}`, ['([', '])'])} --> ${app}`);
  }
  return `${lines.join('\n')}\n`;
}

interface Detail {
  readonly sign: '+' | '-' | '?' | '=' | 'new' | 'lost';
  readonly who: string;
  readonly why: string;
  readonly text: string;
}

/** Possible differences in the cloud for an app after the change, where that is the target. */
function differencesOf(
  { head }: AppChange,
  { target }: AccessComparison,
): readonly CloudDifference[] {
  return target === 'azure' && head !== undefined ? cloudDifferences(head) : [];
}

function details(change: AppChange, comparison: AccessComparison): Detail[] {
  const { head, base } = comparison;
  const detail = (sign: Detail['sign'], who: string, why: string): Detail => ({
    sign,
    who,
    why,
    text: why === '' ? who : `${who}: ${why}`,
  });
  const list: Detail[] = [];
  for (const { change: what, why, count, examples } of change.reasons) {
    const names = examples.map((personIndex) => nameAt(personIndex, head)).join(', ');
    const more = count > examples.length ? ', …' : '';
    list.push(
      detail(
        what === 'gained' ? '+' : '-',
        `${plural(count, 'person', 'people')} (${names}${more})`,
        why,
      ),
    );
  }
  for (const path of change.publicGained)
    list.push(
      detail(
        '+',
        'a browser without a session',
        path === '/*' ? 'is open to everyone now' : `${path} becomes public`,
      ),
    );
  for (const path of change.publicLost)
    list.push(
      detail(
        '-',
        'a browser without a session',
        `${path === '/*' ? 'the app' : path} is not public any more`,
      ),
    );
  for (const provider of change.anyoneGained)
    list.push(detail('+', `anyone with an account at ${provider}`, 'the provider is offered now'));
  for (const provider of change.anyoneLost)
    list.push(
      detail('-', `anyone with an account at ${provider}`, 'the provider is not offered any more'),
    );
  if (change.unknown > 0)
    list.push(detail('?', plural(change.unknown, 'person', 'people'), 'cannot be determined'));
  for (const { who, by } of newControllers(change, head, base))
    list.push(detail('+', who, `can let others in: ${by}`));
  for (const { who, by } of newControllers(
    { ...change, head: change.base, base: change.head },
    base,
    head,
  ))
    list.push(detail('-', who, `can not let others in any more: ${by}`));
  if (change.stillIn !== undefined && change.stillIn > 0)
    list.push(detail('=', plural(change.stillIn, 'person', 'people'), 'as before'));
  for (const { what } of differencesOf(change, comparison))
    list.push(detail('?', 'in the cloud', what));
  return list;
}

function describePeople(
  { gained, lost }: AppChange,
  { head }: AccessComparison,
  listed: boolean,
): string[] {
  if (!listed) return [];
  return [
    ...[...gained].map((personIndex) => `    + ${nameAt(personIndex, head)}`),
    ...[...lost].map((personIndex) => `    - ${nameAt(personIndex, head)}`),
  ];
}

function nameAt(personIndex: number, { memberships }: AccessModel): string {
  const { body, id } = memberships.person(personIndex);
  return body.userPrincipalName ?? id;
}
