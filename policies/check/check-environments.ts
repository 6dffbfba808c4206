import { dirname, resolve } from 'node:path';
import { cacheListings } from '../../core/source/file-access.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import type { Finding } from '../../core/findings/finding.js';
import { unusedSuppressionFindings } from './policy/suppressions.js';
import type { Suppression } from './policy/suppression-comments.js';
import { environmentsOfStacks, overlayPath } from '../model/environments.js';
import { findConfigs } from '../model/find-configs.js';
import type { LoadedPack } from '../packs/load-packs.js';
import { countFindings } from '../reporters/report.js';
import { mergeUnsetVariables } from './unset-variables.js';
import { byLocation, type CheckReport, type RunCheckOptions } from './check-report.js';
import { filesToCheck, runCheck } from './run-check.js';

/**
 * Checks the configurations in each of their environments, unless one is named or there is a plan,
 * a state or a live service, which belong to one environment.
 *
 * @returns one report per environment, the one without an overlay first.
 */
export async function checkEnvironments(
  runOptions: RunCheckOptions,
): Promise<readonly CheckReport[]> {
  const { environment, plan, state, live } = runOptions;
  const { files, baseFiles } = await filesToCheck(runOptions);
  const options = { ...runOptions, files: cacheListings(files), baseFiles };
  if (environment !== undefined) return [await checkEnvironment(options)];
  if (plan !== undefined || state !== undefined || live !== undefined)
    return [await runCheck(options)];
  const { packsOf, close: closePacks } = sharedPacks(options);
  try {
    const reports = [await runCheck({ ...options, packsOf })];
    const { stacks = [], environments = [] } = reports[0] ?? {};
    const workingFolder = { cwd: options.cwd ?? process.cwd(), files: options.files };
    for (const name of environments) {
      const stacksWithOverlay = stacks.filter(
        (stack) =>
          stack.environment === undefined &&
          environmentsOfStacks([stack], workingFolder).includes(name),
      );
      const paths = [...new Set(stacksWithOverlay.flatMap(({ files }) => files.slice(0, 1)))];
      if (paths.length > 0)
        reports.push(await runCheck({ ...options, packsOf, environment: name, paths }));
    }
    return reports;
  } finally {
    await closePacks();
  }
}

/**
 * Checks the configurations that are part of an environment: those with its overlay, here or at the
 * base of a change; a note says which are not. Where none has one, the check says that there is no
 * such environment.
 */
export async function checkEnvironment(runOptions: RunCheckOptions): Promise<CheckReport> {
  const { environment } = runOptions;
  if (environment === undefined) return runCheck(runOptions);
  const options = { ...runOptions, ...(await filesToCheck(runOptions)) };
  const {
    paths,
    cwd = process.cwd(),
    files,
    base,
    baseFiles,
    isSelected,
    recursive = true,
  } = options;
  const versions = base === undefined ? [files] : [files, baseFiles?.() ?? files];
  const hasOverlay = (file: string): boolean =>
    environment === defaultEnvironment ||
    versions.some(
      (each) => each.stat(resolve(cwd, overlayPath(file, environment))).kind !== 'missing',
    );
  const { configs } = findConfigs(paths, { cwd, files, recursive });
  const configsWithoutOverlay = configs.filter(
    (each) => each.environment === undefined && !hasOverlay(each.file),
  );
  if (configsWithoutOverlay.length === 0 || configsWithoutOverlay.length === configs.length)
    return runCheck(options);
  const leftOutFiles = new Set(configsWithoutOverlay.map(({ file }) => file));
  const report = await runCheck({
    ...options,
    isSelected: (file) => !leftOutFiles.has(file) && isSelected?.(file) !== false,
  });
  const notes = [...leftOutFiles].map(
    (file) =>
      `${file} is left out: ${overlayPath(file, environment)} does not exist, and only with it the stack is part of the environment ${environment} (version: 1 is enough)`,
  );
  return { ...report, notes: [...report.notes, ...notes] };
}

/**
 * Merges the reports of several environments: a finding that occurs in several of them appears once
 * and names them.
 */
export function mergeReports(reports: readonly CheckReport[]): CheckReport {
  const [first, ...others] = reports;
  if (first === undefined) throw new RangeError('there is no report to merge');
  if (others.length === 0) {
    const findings = mergeUnsetVariables(first.findings);
    return { ...first, findings, summary: { ...first.summary, ...countFindings(findings) } };
  }
  const sources = new Map(reports.flatMap((report) => [...(report.sources ?? [])]));
  const suppressed = mergeAcrossEnvironments(reports.map((report) => report.suppressed));
  const unused = unusedEverywhere(reports);
  const lists = reports.map(({ findings }) => findings);
  const findings = mergeUnsetVariables(
    [...mergeAcrossEnvironments([...lists, unusedSuppressionFindings(unused)])].sort(byLocation),
  );
  const sum = (count: (report: CheckReport) => number | undefined): number =>
    reports.reduce((total, report) => total + (count(report) ?? 0), 0);
  const baselined = mergeAcrossEnvironments(reports.map((report) => report.baselined));
  return {
    ...first,
    findings,
    sources,
    suppressed,
    baselined,
    hiddenSecrets: reports.flatMap(({ hiddenSecrets = [] }) => hiddenSecrets),
    stacks: reports.flatMap(({ stacks }) => stacks),
    notes: [...new Set(reports.flatMap(({ notes }) => notes))],
    usedSuppressions: reports.flatMap(({ usedSuppressions }) => usedSuppressions),
    unusedSuppressions: unused,
    unsuppressed: mergeAcrossEnvironments(reports.map(({ unsuppressed }) => unsuppressed)),
    rules: new Map(reports.flatMap(({ rules }) => [...rules])),
    summary: {
      ...first.summary,
      files: sources.size,
      resources: sum(({ summary }) => summary.resources),
      ...countFindings(findings),
      suppressed: suppressed.length,
      ...(baselined.length !== 0 && { baselined: baselined.length }),
      ...(first.summary.unchanged !== undefined && {
        unchanged: findings.filter(({ change }) => change === 'unchanged').length,
        fixed: sum(({ summary }) => summary.fixed),
      }),
      milliseconds: sum(({ summary }) => summary.milliseconds),
    },
  };
}

/** The suppressions that no environment needs. */
function unusedEverywhere(reports: readonly CheckReport[]): readonly Suppression[] {
  const usedKeys = new Set(
    reports.flatMap(({ usedSuppressions }) => usedSuppressions.map(keyOfSuppression)),
  );
  const unused = new Map<string, Suppression>();
  for (const { unusedSuppressions } of reports)
    for (const each of unusedSuppressions)
      if (!usedKeys.has(keyOfSuppression(each))) unused.set(keyOfSuppression(each), each);
  return [...unused.values()];
}

function keyOfSuppression({ location, rule }: Suppression): string {
  return `${location.file}:${String(location.line)}:${String(location.column)} ${rule}`;
}

/** The findings of several environments, with equal ones merged. */
export function mergeAcrossEnvironments(
  lists: readonly (readonly Finding[])[],
): readonly Finding[] {
  const byFingerprint = new Map<string, Finding>();
  for (const finding of lists.flat()) {
    const key = findingKey(finding);
    const merged = byFingerprint.get(key);
    const environments = [
      ...new Set([...(merged?.environments ?? []), ...(finding.environments ?? [])]),
    ];
    byFingerprint.set(key, {
      ...(merged ?? finding),
      ...(environments.length !== 0 && { environments: environments.sort(defaultFirst) }),
    });
  }
  return [...byFingerprint.values()];
}

function findingKey({
  fingerprint,
  verdict,
  severity,
  message,
  stack,
  location,
  change,
}: Finding): string {
  return JSON.stringify([
    fingerprint,
    verdict,
    severity,
    message,
    stack,
    location?.file,
    location?.line,
    location?.column,
    change,
  ]);
}

function defaultFirst(left: string, right: string): number {
  if (left === right) return 0;
  return left === defaultEnvironment || (right !== defaultEnvironment && left < right) ? -1 : 1;
}

/** Packs that are started once for all environments. */
function sharedPacks(options: RunCheckOptions): {
  readonly packsOf: NonNullable<RunCheckOptions['packsOf']>;
  readonly close: () => Promise<void>;
} {
  if (options.packsOf !== undefined)
    return { packsOf: options.packsOf, close: () => Promise.resolve() };
  const packsByFolder = new Map<string, Promise<readonly LoadedPack[]>>();
  const cwd = options.cwd ?? process.cwd();
  return {
    packsOf(policy, start) {
      const key = policy.file === undefined ? '' : resolve(cwd, dirname(policy.file));
      const packs = packsByFolder.get(key) ?? start();
      packsByFolder.set(key, packs);
      return packs;
    },
    async close() {
      const starts = await Promise.allSettled(packsByFolder.values());
      await Promise.all(
        starts.flatMap((each) =>
          each.status === 'fulfilled' ? each.value.map((pack) => pack.close()) : [],
        ),
      );
    },
  };
}
