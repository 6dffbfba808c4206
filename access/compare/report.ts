import { escapeMermaid } from '../../core/graph/text-formats.js';
import { escapeControlCharacters } from '../../core/text/control-characters.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { placeText } from '../../policies/reporters/report.js';
import { countNoun, maxListedPeople } from '../answer/report.js';
import type { ChangeProof, ProofExample, DirectionProof } from '../prove/proof.js';
import { type AppChange, changesCurrentAccess } from './compare.js';
import type { AccessComparison } from './comparison.js';
import { changeDetails, differencesOf, hasEffect, nameAt, proofDetails } from './details.js';
import { controllerChanges } from './controller-changes.js';

/**
 * A comparison as JSON.
 *
 * @param listsAllPeople whether lists of more than {@link maxListedPeople} are printed, too
 */
export function comparisonData(comparison: AccessComparison, listsAllPeople = false): object {
  const { ref, changes, findings, acceptedCount, head } = comparison;
  return {
    version: 1,
    base: ref,
    apps: changes.map((change) => {
      const {
        name,
        stack,
        gained,
        lost,
        keptCount,
        unknownCount,
        publicGained,
        publicLost,
        outsideAccessGained,
        outsideAccessLost,
        reasons,
      } = change;
      const people = (personIndexes: Iterable<number>, count: number) =>
        listsAllPeople || count <= maxListedPeople
          ? [...personIndexes].map((personIndex) => ({
              person: nameAt(personIndex, head),
              provider: 'directory',
            }))
          : [];
      const differences = differencesOf(change, comparison);
      const controllers = controllerChanges(change, comparison);
      return {
        app: name,
        stack,
        gained: people(gained, gained.count),
        lost: people(lost, lost.count),
        publicGained,
        publicLost,
        anyoneGained: outsideAccessGained.map(({ provider }) => provider),
        anyoneLost: outsideAccessLost.map(({ provider }) => provider),
        counts: {
          gained: gained.count,
          lost: lost.count,
          unknown: unknownCount,
          ...omitUndefined({ kept: keptCount }),
        },
        reasons: reasons.map(({ direction, why, way, count, examples }) => ({
          change: direction,
          why,
          way,
          count,
          examples: examples.map((personIndex) => nameAt(personIndex, head)),
        })),
        controllersGained: controllers.gained.map(({ who, by }) => ({ who, by })),
        controllersLost: controllers.lost.map(({ who, by }) => ({ who, by })),
        ...(differences.length !== 0 && { differences }),
        ...proofData(comparison.proofs.get(change)),
      };
    }),
    findings,
    ...(acceptedCount !== 0 && { accepted: acceptedCount }),
  };
}

function proofData(proof: ChangeProof | undefined): object {
  if (proof === undefined) return {};
  const withoutAdmittedBy = ({ admittedBy: _by, ...data }: DirectionProof): object => data;
  return { proof: { gain: withoutAdmittedBy(proof.gain), loss: withoutAdmittedBy(proof.loss) } };
}

/**
 * A comparison as text.
 *
 * @param linkTo the address at which an example is shown, where there is one
 */
export function comparisonText(
  comparison: AccessComparison,
  listsAllPeople = false,
  linkTo?: (app: string, example: ProofExample) => string | undefined,
): string {
  const { changes, findings, acceptedCount, ref } = comparison;
  const changed = changes.filter((change) => hasEffect(change, comparison));
  const lines = changed.flatMap((change) => [
    appTitle(change, changes),
    ...proofDetails(change, comparison).map(({ sign, text }) => `  ${sign}: ${text}`),
    ...exampleLinks(change, comparison, linkTo).map((link) => `    try it: ${link}`),
    ...changeDetails(change, comparison).map(({ sign, text }) => `  ${sign} ${text}`),
    ...describePeople(change, comparison, listsAllPeople),
  ]);
  if (changed.length === 0)
    lines.push(
      `no one gains or loses access, compared with ${ref} (proved for all possible people)`,
    );
  for (const finding of findings)
    lines.push(
      `${placeText(finding)}: ${finding.severity}: ${finding.message} (${finding.ruleId})`,
    );
  if (acceptedCount > 0)
    lines.push(
      `${countNoun(acceptedCount, 'finding is', 'findings are')} accepted by suppressions or the baseline`,
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

/** The name of an app, with its stack where apps of several stacks have the name. */
export function appTitle({ name, stack }: AppChange, changes: readonly AppChange[]): string {
  const isShared = changes.some((each) => each.name === name && each.stack !== stack);
  return isShared ? `${name} (stack ${stack})` : name;
}

/** The changed chains as a Mermaid flowchart: people, groups, app. */
export function comparisonMermaid({ changes }: AccessComparison): string {
  const lines = ['flowchart LR'];
  const ids = new Map<string, string>();
  const node = (text: string, shape: readonly [string, string]): string => {
    const knownId = ids.get(text);
    if (knownId !== undefined) return knownId;
    const id = `n${String(ids.size)}`;
    ids.set(text, id);
    lines.push(`  ${id}${shape[0]}"${escapeMermaid(escapeControlCharacters(text))}"${shape[1]}`);
    return id;
  };
  for (const change of changes.filter(changesCurrentAccess)) {
    const app = node(`app ${appTitle(change, changes)}`, ['[', ']']);
    for (const { direction, why, way, count } of change.reasons) {
      const people = node(
        `${direction === 'gained' ? '+' : '-'} ${countNoun(count, 'person', 'people')}: ${why}`,
        ['([', '])'],
      );
      const arrow = direction === 'gained' ? '-->' : '-.-x';
      let from = people;
      for (const group of way) {
        const next = node(`group ${group}`, ['{{', '}}']);
        lines.push(`  ${from} ${arrow} ${next}`);
        from = next;
      }
      lines.push(`  ${from} ${arrow} ${app}`);
    }
    for (const [sign, arrow, paths, anyone] of [
      ['+', '-->', change.publicGained, change.outsideAccessGained],
      ['-', '-.-x', change.publicLost, change.outsideAccessLost],
    ] as const) {
      for (const path of paths)
        lines.push(
          `  ${node(`${sign} a browser without a session`, ['([', '])'])} ${arrow}|"${escapeMermaid(path)}"| ${app}`,
        );
      for (const { provider } of anyone)
        lines.push(`  ${node(`${sign} anyone at ${provider}`, ['([', '])'])} ${arrow} ${app}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function describePeople(
  { gained, lost }: AppChange,
  { head }: AccessComparison,
  listsAllPeople: boolean,
): string[] {
  if (!listsAllPeople) return [];
  return [
    ...[...gained].map((personIndex) => `    + ${nameAt(personIndex, head)}`),
    ...[...lost].map((personIndex) => `    - ${nameAt(personIndex, head)}`),
  ];
}
