import { isAbsolute, join } from 'node:path';
import type { Finding, Severity, SourceLocation } from '../../core/findings/finding.js';
import type { Graph } from '../../core/graph/graph.js';
import type { SourceText } from '../../core/source/source-text.js';
import { escapeControlCharacters } from '../../core/text/control-characters.js';
import { secretRuleIds } from '../rules/declaration/app-secret-in-env.js';

/** The counts of a run. */
export interface ReportSummary {
  /** Files of configurations that were read, with overlays and includes. */
  readonly files: number;
  /** Declarations: groups, apps, eventhouses, … */
  readonly resources: number;
  /** Rules that ran. */
  readonly rules: number;
  /** Findings of verdict `fail` and severity `error`, without those that the base has too. */
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  /** Findings that suppressions accept; they are not among the errors and warnings. */
  readonly suppressed: number;
  /** Findings in the baseline. */
  readonly baselined?: number;
  /** Compared with a base: findings that it has too. */
  readonly unchanged?: number;
  /** Compared with a base: its findings that are gone. */
  readonly fixed?: number;
  /** Findings that cannot be decided before apply. */
  readonly unknown: number;
  /** Wall time. */
  readonly milliseconds: number;
}

/** The information about a rule that reporters use. */
export interface ReportedRule {
  readonly id: string;
  readonly title: string;
  /** Why the rule exists, in a sentence; a rule in JavaScript may lack it. */
  readonly why?: string | undefined;
  /** Its own severity; a policy may give its findings another. */
  readonly severity: Severity;
  /** The page that explains it. */
  readonly helpUri: string;
}

/** A finished run: the only input of every reporter. */
export interface Report {
  readonly findings: readonly Finding[];
  readonly summary: ReportSummary;
  /** The rules of the findings by id; the findings of a missing rule show only its id. */
  readonly rules: ReadonlyMap<string, ReportedRule>;
  /** The version of Castellan that ran. */
  readonly version: string;
  /** The texts of all locations, for code frames. */
  readonly sources?: ReadonlyMap<string, SourceText>;
  /**
   * The places of secrets that are not among the findings, because these are accepted or their rule
   * is off. No code frame shows them.
   */
  readonly hiddenSecrets?: readonly SourceLocation[];
  /** The policy that judged; undefined if there is none. */
  readonly policyFile?: string | undefined;
  /**
   * The commit or branch that a change was compared with, whose policy judged; undefined for a
   * policy from outside of the repository.
   */
  readonly base?: string | undefined;
  /** How many resources of a plan or state no rule judges. @default 0 */
  readonly unjudged?: number;
  /** The names of the checked plan and state. */
  readonly inputs?: readonly string[];
  /** The diagram of the checked plan, if requested. */
  readonly plan?: Graph;
  /**
   * The path of the current folder in its repository, for formats that hosts of repositories read.
   *
   * @default the current folder is that of the repository
   */
  readonly folderInRepository?: string;
}

/** The path of a file in the repository, from its path in the current folder. */
export function pathInRepository(
  file: string,
  { folderInRepository = '' }: Pick<Report, 'folderInRepository'>,
): string {
  return folderInRepository === '' || isAbsolute(file)
    ? file
    : join(folderInRepository, file).replaceAll('\\', '/');
}

/** Counts findings by severity. */
export function countFindings(
  findings: readonly Finding[],
): Pick<ReportSummary, 'errors' | 'warnings' | 'infos' | 'unknown'> {
  const counts = { errors: 0, warnings: 0, infos: 0, unknown: 0 };
  for (const { verdict, severity, change, further = 0 } of findings) {
    if (change === 'unchanged') continue;
    if (verdict === 'unknown') counts.unknown += 1 + further;
    else if (verdict === 'fail')
      counts[severity === 'error' ? 'errors' : severity === 'warning' ? 'warnings' : 'infos']++;
  }
  return counts;
}

/** Findings about mistakes and unknowns: all but `pass`. */
export function withoutPasses(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ verdict }) => verdict !== 'pass');
}

/** The part of a report that a finding is listed in; only errors and warnings fail a check. */
export type ReportGroup = Severity | 'unknown' | 'unchanged';

/** The part for a finding: its severity, unless the base has it too or it is not judged. */
export function groupOf({ verdict, severity, change }: Finding): ReportGroup {
  if (change === 'unchanged') return 'unchanged';
  return verdict === 'unknown' ? 'unknown' : severity;
}

/** `src/castellan.yaml:12:7`, or another name of the place if the finding has no source. */
export function placeText(finding: Finding): string {
  const { location } = finding;
  if (location)
    return `${escapeControlCharacters(location.file)}:${String(location.line)}:${String(location.column)}`;
  return escapeControlCharacters(
    finding.constructPath ??
      finding.terraformAddress ??
      finding.liveId ??
      (finding.path ?? []).join('.'),
  );
}

/**
 * The message, and the resource of a plan or a state that it is about, for formats whose place of a
 * finding is a line or nothing.
 */
export function messageWithAddress({ message, terraformAddress }: Finding): string {
  return terraformAddress === undefined ? message : `${terraformAddress}: ${message}`;
}

/** The last line of a run: all counts in one sentence, and the policy that judged. */
export function summaryLine({
  summary,
  policyFile,
  base,
  unjudged = 0,
}: Pick<Report, 'summary' | 'policyFile' | 'base' | 'unjudged'>): string {
  const { files, resources, rules, errors, warnings, infos, suppressed } = summary;
  const { baselined = 0, unchanged, fixed, unknown, milliseconds } = summary;
  const baseText = base === undefined ? '' : ` of ${base}`;
  const policy = policyFile === undefined ? 'no policy' : `policy ${policyFile}`;
  const parts = [
    countText(errors, 'error'),
    countText(warnings, 'warning'),
    ...(infos > 0 ? [countText(infos, 'info')] : []),
    `${String(suppressed)} suppressed`,
    ...(baselined > 0 ? [`${String(baselined)} in the baseline`] : []),
    ...(unchanged === undefined
      ? []
      : [`${String(unchanged)} unchanged`, `${String(fixed ?? 0)} fixed`]),
    `${String(unknown)} unknown`,
    ...(unjudged > 0 ? [`${countText(unjudged, 'resource')} that no rule judges`] : []),
  ];
  return `${countText(files, 'file')}, ${countText(resources, 'resource')}, ${countText(rules, 'rule')}: ${parts.join(', ')} (${(milliseconds / 1000).toFixed(2)} s), ${escapeControlCharacters(`${policy}${baseText}`)}`;
}

function countText(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** Locations of secrets, which no report may quote. */
export function allSecretLocations({
  findings,
  hiddenSecrets = [],
}: Pick<Report, 'findings' | 'hiddenSecrets'>): readonly SourceLocation[] {
  return [...hiddenSecrets, ...secretLocationsIn(findings)];
}

/** The locations of the findings that are about a secret. */
export function secretLocationsIn(findings: readonly Finding[]): readonly SourceLocation[] {
  return findings.flatMap(({ ruleId, location }) =>
    secretRuleIds.has(ruleId) && location !== undefined ? [location] : [],
  );
}
