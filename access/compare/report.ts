import type { Finding } from '../../core/findings/finding.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import { escapeMermaid } from '../../core/graph/text-formats.js';
import { escapeControlCharacters } from '../../core/text/control-characters.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { placeText } from '../../policies/reporters/report.js';
import { countNoun, maxListedPeople } from '../answer/report.js';
import type { ChangeProof, ProofExample, DirectionProof } from '../prove/proof.js';
import { type AppChange, changesCurrentAccess } from './compare.js';
import { type AccessComparison, environmentComparisons } from './comparison.js';
import {
  changeDetails,
  cloudDifferencesOfChange,
  hasEffect,
  personName,
  proofDetails,
} from './details.js';
import { controllerChanges } from './controller-changes.js';

/**
 * A comparison as JSON.
 *
 * @param listsAllPeople whether lists of more than {@link maxListedPeople} are printed, too
 */
export function comparisonData(comparison: AccessComparison, listsAllPeople = false): object {
  const { ref, findings, accepted } = comparison;
  return {
    version: 1,
    base: ref,
    apps: environmentComparisons(comparison).flatMap((each) =>
      each.changes.map((change) => changeData(change, each, listsAllPeople)),
    ),
    findings,
    ...(accepted.length !== 0 && { accepted: accepted.length }),
  };
}

function changeData(
  change: AppChange,
  comparison: AccessComparison,
  listsAllPeople: boolean,
): object {
  const { head, environment } = comparison;
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
          person: personName(personIndex, head),
          provider: 'directory',
        }))
      : [];
  const differences = cloudDifferencesOfChange(change, comparison);
  const controllers = controllerChanges(change, comparison);
  return {
    app: name,
    stack,
    ...omitUndefined({ environment }),
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
      examples: examples.map((personIndex) => personName(personIndex, head)),
    })),
    controllersGained: controllers.gained.map(({ who, by }) => ({ who, by })),
    controllersLost: controllers.lost.map(({ who, by }) => ({ who, by })),
    ...(differences.length !== 0 && { differences }),
    ...proofData(comparison.proofs.get(change)),
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
  const { findings, ref, accepted } = comparison;
  const lines = environmentComparisons(comparison).flatMap((each) =>
    each.changes
      .filter((change) => hasEffect(change, each))
      .flatMap((change) => [
        appTitle(change, each),
        ...proofDetails(change, each).map(({ sign, text }) => `  ${sign}: ${text}`),
        ...exampleLinks(change, each, each.environment === undefined ? linkTo : undefined).map(
          (link) => `    try it: ${link}`,
        ),
        ...changeDetails(change, each).map(({ sign, text }) => `  ${sign} ${text}`),
        ...describePeople(change, each, listsAllPeople),
      ]),
  );
  const unchanged = unchangedEnvironmentsText(comparison);
  if (unchanged !== undefined)
    lines.push(
      `no one gains or loses access, compared with ${ref}${unchanged} (proved for all possible people)`,
    );
  for (const finding of findings)
    lines.push(
      `${placeText(finding)}: ${finding.severity}: ${finding.message} (${finding.ruleId})${environmentsText(finding)}`,
    );
  if (accepted.length > 0)
    lines.push(
      `${countNoun(accepted.length, 'finding is', 'findings are')} accepted by suppressions or the baseline`,
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

/**
 * The name of an app, with its stack where apps of several stacks have the name, and with its
 * environment where several are compared.
 */
export function appTitle(
  { name, stack }: AppChange,
  { changes, environment }: Pick<AccessComparison, 'changes' | 'environment'>,
): string {
  const isShared = changes.some((each) => each.name === name && each.stack !== stack);
  const place = environment === undefined ? '' : ` in ${environment}`;
  return `${isShared ? `${name} (stack ${stack})` : name}${place}`;
}

/**
 * Where a change has no effect: `, in default, prod`; empty if there is only one environment.
 *
 * @returns undefined if it has effects everywhere
 */
export function unchangedEnvironmentsText(comparison: AccessComparison): string | undefined {
  const unchanged = environmentComparisons(comparison).filter(
    (each) => !each.changes.some((change) => hasEffect(change, each)),
  );
  if (unchanged.length === 0) return undefined;
  if ((comparison.otherEnvironments ?? []).length === 0) return '';
  const names = unchanged.map(({ environment = defaultEnvironment }) => environment);
  return `, in ${names.join(', ')}`;
}

/** The environments of a finding, where several are compared: ` in prod`. */
export function environmentsText({ environments }: Finding): string {
  return environments === undefined ? '' : ` in ${environments.join(', ')}`;
}

/** The changed chains as a Mermaid flowchart: people, groups, app. */
export function comparisonMermaid(comparison: AccessComparison): string {
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
  const changed = environmentComparisons(comparison).flatMap((each) =>
    each.changes
      .filter(changesCurrentAccess)
      .map((change) => ({ change, title: appTitle(change, each) })),
  );
  for (const { change, title } of changed) {
    const app = node(`app ${title}`, ['[', ']']);
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
    ...[...gained].map((personIndex) => `    + ${personName(personIndex, head)}`),
    ...[...lost].map((personIndex) => `    - ${personName(personIndex, head)}`),
  ];
}
