import { appendAll } from '../../core/values/append.js';
import { dirname, resolve } from 'node:path';
import type { Finding } from '../../core/findings/finding.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import { diskFiles, type FileAccess } from '../../core/source/file-access.js';
import { readSource } from '../../core/source/read-source.js';
import type { SourceText } from '../../core/source/source-text.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import packageJson from '../../package.json';
import type { Rule } from '../engine/rule.js';
import type { LoadedStack } from '../model/loaded-stack.js';
import { loadConfig, type LoadResult } from '../model/load-config.js';
import type { LoadedPack } from '../packs/load-packs.js';
import { applyPolicy } from './policy/applied-policy.js';
import { policyFindings } from './policy/policy-findings.js';
import { type LoadedPolicy, loadPolicy } from './policy/load-policy.js';
import type { PolicyAtBase } from './policy/policy-at-base.js';
import { misspeltScopeFindings } from './policy/misspelt-scopes.js';
import { countFindings, secretLocationsIn } from '../reporters/report.js';
import { rules as catalogue } from '../rules/index.js';
import { acceptFindings } from './accepted-findings.js';
import type { BaseRevision } from './base-revision.js';
import {
  byLocation,
  type CheckReport,
  countDeclarations,
  reportedRules,
  type RunCheckOptions,
} from './check-report.js';
import { type AdditionalInputsResult, checkAdditionalInputs } from './additional-inputs.js';
import { unreportedSecrets } from './unreported-secrets.js';
import { stackNameOf, checkWithPolicy, type StackContext } from './stack-checks.js';

export { exitCodeOf, reportedRules } from './check-report.js';
export type { CheckReport, RunCheckOptions } from './check-report.js';

/**
 * Loads and checks configurations with the policy beside them, and returns the data of a report.
 *
 * @example
 * const { findings, summary } = await runCheck({
 *   paths: ['castellan.yaml'],
 *   cwd: process.cwd(),
 *   env: process.env,
 * });
 */
export async function runCheck(options: RunCheckOptions): Promise<CheckReport> {
  const startSeconds = process.uptime(); // node loads a module for performance.now()
  const inputs = await loadInputs(options);
  const results = await judgeInputs(inputs, options).finally(() => closeOwnPacks(inputs, options));
  const report = await createReport(inputs, results, options);
  return {
    ...report,
    summary: {
      ...report.summary,
      milliseconds: Math.round((process.uptime() - startSeconds) * 1000),
    },
  };
}

/** The configurations, the policy beside them, and the rules of both. */
interface Inputs {
  readonly cwd: string;
  readonly files: FileAccess;
  readonly now: Date;
  /** The configurations as they are now, in contrast to those at the base commit. */
  readonly head: LoadResult;
  /** The texts of the configurations and of the policy, by path. */
  readonly sources: ReadonlyMap<string, SourceText>;
  /** The policy beside the configurations. */
  readonly ownPolicy: LoadedPolicy;
  /** The policy at the base commit, if there is one. */
  readonly basePolicy: PolicyAtBase | undefined;
  /** The one of these two policies that judges the findings. */
  readonly policy: LoadedPolicy;
  /** The packs of the policy that judges. */
  readonly packs: readonly LoadedPack[];
  /** The rules of the catalogue and of these packs. */
  readonly rules: readonly Rule[];
  readonly stackNames: ReadonlySet<string>;
}

/** Access to the files to check; with a base, git says which belong to the repository. */
export async function filesToCheck({
  files,
  base,
  baseFiles,
  cwd = process.cwd(),
}: RunCheckOptions): Promise<{
  readonly files: FileAccess;
  readonly baseFiles: RunCheckOptions['baseFiles'];
}> {
  if (files !== undefined) return { files, baseFiles };
  if (base === undefined) return { files: diskFiles, baseFiles };
  const { workTreeFiles } = await import('../../core/source/work-tree-files.js');
  const workTree = workTreeFiles(cwd, base);
  return { files: workTree, baseFiles: baseFiles ?? workTree.baseFiles };
}

async function loadInputs(options: RunCheckOptions): Promise<Inputs> {
  const { cwd = process.cwd(), now = new Date() } = options;
  const { files, baseFiles } = await filesToCheck(options);
  const head = await loadConfig({ ...options, files });
  const { stacks } = head;
  const sources = new Map<string, SourceText>(head.sources);
  const configFiles = stacks.flatMap((stack) => stack.files.slice(0, 1));
  const basePolicy = await loadPolicyAtBase({ ...options, cwd, baseFiles }, configFiles);
  const ownPolicy = loadPolicy({
    cwd,
    files,
    sources,
    file: options.policy,
    configFiles,
    // a change that gives the base's policy another name is a finding
    misnamed: basePolicy?.policy.file === undefined ? 'refused' : 'ignored',
  });
  const policy = basePolicy?.isPolicyOutsideRepository === false ? basePolicy.policy : ownPolicy;
  const start = (): Promise<readonly LoadedPack[]> =>
    basePolicy?.isPolicyOutsideRepository === false
      ? startPacksAtBase(basePolicy, cwd)
      : startPacks(policy, cwd);
  const packs = await (options.packsOf?.(policy, start) ?? start());
  const rules = [...catalogue, ...packs.flatMap((pack) => pack.rules)];
  return {
    cwd,
    files,
    now,
    head,
    sources,
    ownPolicy,
    basePolicy,
    policy,
    packs,
    rules,
    stackNames: new Set(stacks.flatMap((stack) => stackNameOf(stack) ?? [])),
  };
}

/** The policy at the base commit; its module is loaded only for a comparison. */
async function loadPolicyAtBase(
  options: RunCheckOptions & { readonly cwd: string },
  configFiles: readonly string[],
): Promise<PolicyAtBase | undefined> {
  if (options.base === undefined) return undefined;
  const { policyAtBase } = await import('./policy/policy-at-base.js');
  return policyAtBase(options, options.base, configFiles);
}

async function startPacksAtBase(
  basePolicy: PolicyAtBase,
  cwd: string,
): Promise<readonly LoadedPack[]> {
  if ((basePolicy.policy.config.packs ?? []).length === 0) return [];
  const { packsAtBase } = await import('./policy/packs-at-base.js');
  return packsAtBase(
    basePolicy,
    cwd,
    catalogue.map(({ id }) => id),
  );
}

/** Shared packs are closed by their owner. */
async function closeOwnPacks({ packs }: Inputs, { packsOf }: RunCheckOptions): Promise<void> {
  if (packsOf === undefined) await Promise.all(packs.map((pack) => pack.close()));
}

/** All findings, before suppressions and the baseline. */
interface CheckResults extends Pick<
  AdditionalInputsResult,
  'resourceCount' | 'plan' | 'notes' | 'unjudgedTypes'
> {
  readonly findings: readonly Finding[];
  /** The configurations at the base commit; undefined if no base was requested. */
  readonly base: BaseRevision | undefined;
}

async function judgeInputs(inputs: Inputs, options: RunCheckOptions): Promise<CheckResults> {
  const { cwd, files, head, ownPolicy, policy, packs, now, stackNames } = inputs;
  const { stacks } = head;
  const { env, environment, live, manifest, source, drawsPlan, paths } = options;
  const allFindings = [...head.findings, ...ownPolicy.findings, ...ownPolicyFindings(inputs)];
  const context: StackContext = { policy, packs, env, now, environment };
  const base = await loadBaseRevision(inputs, options, context);
  appendAll(allFindings, (await base?.findingsOfRemovedStacks(head, files)) ?? []);
  const contextOf = (stack: LoadedStack): StackContext => ({
    ...context,
    base: base?.stackIndexOf(stack),
  });
  const findingsOf = new Map<LoadedStack, readonly Finding[]>();
  for (const stack of stacks) findingsOf.set(stack, await checkWithPolicy(stack, contextOf(stack)));
  const { findings, ...rest } = await checkAdditionalInputs(options, {
    ...context,
    cwd,
    files,
    manifest,
    source,
    drawsPlan,
    live,
    stacks,
    findingsOf,
    contextOf,
  });
  appendAll(allFindings, findings);
  appendAll(allFindings, await runAccessTests(inputs, options, base));
  // a scope may name a stack that was left out
  if (options.isSelected === undefined)
    appendAll(
      allFindings,
      misspeltScopeFindings(ownPolicy, { cwd, files, paths, stacks, stackNames, environment }),
    );
  return { ...rest, findings: allFindings, base };
}

/** The mistakes of the policy beside the configurations; rules of packs that it adds do not run. */
function ownPolicyFindings({ ownPolicy, policy, rules }: Inputs): readonly Finding[] {
  const findings = policyFindings(ownPolicy, rules);
  const hasOtherPacks =
    JSON.stringify(ownPolicy.config.packs ?? []) !== JSON.stringify(policy.config.packs ?? []);
  return hasOtherPacks ? findings.filter(({ messageId }) => messageId !== 'noSuchRule') : findings;
}

async function loadBaseRevision(
  { cwd, head, rules, basePolicy }: Inputs,
  options: RunCheckOptions,
  context: StackContext,
): Promise<BaseRevision | undefined> {
  if (basePolicy === undefined) return undefined;
  const { loadBase } = await import('./base-revision.js');
  return loadBase(
    { ...options, cwd, ruleIds: rules.map(({ id }) => id), head },
    basePolicy,
    context,
  );
}

async function runAccessTests(
  { policy, rules, head, basePolicy }: Inputs,
  { accessTests, accessTestsAtBase, environment = defaultEnvironment }: RunCheckOptions,
  base: BaseRevision | undefined,
): Promise<readonly Finding[]> {
  const { applySeverity } = applyPolicy(policy.config, rules, { stack: undefined, environment });
  const findings = (await accessTests?.(head.stacks)) ?? [];
  const expectedHere = new Set(findings.map(({ fingerprint }) => fingerprint));
  const findingsAtBase =
    base === undefined || basePolicy === undefined
      ? []
      : ((await accessTestsAtBase?.(head.stacks, {
          ref: basePolicy.ref,
          stacks: base.stacks,
          files: basePolicy.mergeBase,
        })) ?? []);
  const removed = findingsAtBase.filter(({ fingerprint }) => !expectedHere.has(fingerprint));
  return [...findings, ...(await withApprovals(removed, basePolicy))].flatMap(
    (finding) => applySeverity(finding) ?? [],
  );
}

/** Lowers findings about files whose owners approve what a change weakens. */
async function withApprovals(
  findings: readonly Finding[],
  basePolicy: PolicyAtBase | undefined,
): Promise<readonly Finding[]> {
  if (findings.length === 0 || basePolicy === undefined) return findings;
  const { withApproval } = await import('./policy/weakening-findings.js');
  return findings.map((finding) => withApproval(finding, basePolicy));
}

/** The findings after suppressions and the baseline, with counts of everything. */
async function createReport(
  inputs: Inputs,
  results: CheckResults,
  options: RunCheckOptions,
): Promise<CheckReport> {
  const { cwd, files, now, head, sources, ownPolicy, policy, basePolicy, packs, rules } = inputs;
  const { base, plan, resourceCount, unjudgedTypes, notes } = results;
  const { stacks } = head;
  const ruleHadInput = ruleInputTest(options);
  const acceptance = await acceptFindings(results.findings, {
    stacks,
    stackNames: inputs.stackNames,
    sources: head.sources,
    policy: ownPolicy,
    judgingPolicy: policy,
    rules,
    now,
    cwd,
    files,
    ruleHadInput,
    baseline: options.baseline,
    markChange: (finding) => base?.markChange(finding) ?? finding,
    base:
      basePolicy === undefined || base === undefined
        ? undefined
        : { basePolicy, suppressions: base.suppressions, packs },
  });
  const { environment, environments, unsuppressed, suppressedFindings, baselinedFindings } =
    acceptance;
  const withEnvironment = environmentMarker(environments, options.environment ?? environment);
  const findings = acceptance.findings.map(withEnvironment).sort(byLocation);
  return {
    findings,
    sources: withLocatedSources(sources, findings, { cwd, files }),
    inputs: [options.plan, options.state].filter(
      (file) => file !== undefined && file !== '-',
    ) as readonly string[],
    ...omitUndefined({ plan }),
    stacks,
    policy,
    hiddenSecrets: [
      ...secretLocationsIn([...suppressedFindings, ...unsuppressed]),
      ...stacks.flatMap((stack) => unreportedSecrets(stack, { ...options, policy, now })),
    ],
    policyFile: policy.file,
    base: basePolicy?.isPolicyOutsideRepository === true ? undefined : options.base,
    resourceCount,
    unjudgedTypes,
    unjudged: [...unjudgedTypes.values()].reduce((sum, count) => sum + count, 0),
    notes,
    skippedPaths: head.skippedPaths,
    suppressed: suppressedFindings.map(withEnvironment),
    usedSuppressions: acceptance.usedSuppressions,
    unusedSuppressions: acceptance.unusedSuppressions,
    unsuppressed: unsuppressed.map(withEnvironment),
    baselined: baselinedFindings.map(withEnvironment),
    baselineFile: acceptance.baselineFile,
    environment,
    environments,
    ruleHadInput,
    rules: reportedRules(rules),
    version: packageJson.version,
    summary: {
      files: head.sources.size,
      resources: stacks.reduce((sum, { config }) => sum + countDeclarations(config), resourceCount),
      rules: rules.length,
      ...countFindings(findings),
      suppressed: suppressedFindings.length,
      ...(baselinedFindings.length !== 0 && { baselined: baselinedFindings.length }),
      ...(base !== undefined &&
        countChanges(findings, base.countFixed([...unsuppressed, ...suppressedFindings]))),
      milliseconds: 0,
    },
  };
}

/** A function that adds the checked environment to a finding, if there are several. */
function environmentMarker(
  environments: readonly string[],
  checked = defaultEnvironment,
): (finding: Finding) => Finding {
  return (finding) =>
    environments.length === 0 || finding.environments !== undefined
      ? finding
      : { ...finding, environments: [checked] };
}

/** The texts of all locations, including files that only a manifest names. */
function withLocatedSources(
  sources: ReadonlyMap<string, SourceText>,
  findings: readonly Finding[],
  { cwd, files }: { readonly cwd: string; readonly files: FileAccess },
): ReadonlyMap<string, SourceText> {
  const all = new Map(sources);
  for (const { location } of findings) {
    if (
      location === undefined ||
      all.has(location.file) ||
      files.stat(resolve(cwd, location.file)).kind !== 'file'
    )
      continue;
    const result = readSource(resolve(cwd, location.file), files, location.file);
    if ('source' in result) all.set(location.file, result.source);
  }
  return all;
}

function countChanges(
  findings: readonly Finding[],
  fixed: number,
): { readonly unchanged: number; readonly fixed: number } {
  return { unchanged: findings.filter(({ change }) => change === 'unchanged').length, fixed };
}

/** A function that says by the id of a rule whether these options have its input. */
function ruleInputTest({ live, plan, state, base }: RunCheckOptions): (ruleId: string) => boolean {
  return (id) => {
    if (id.startsWith('access-')) return false; // `castellan access --base` runs these
    if (id.startsWith('live-')) return live !== undefined;
    if (id.startsWith('plan-')) return plan !== undefined || state !== undefined;
    return id.startsWith('change-') ? base !== undefined : true;
  };
}

/** Starts the packs of a policy. */
export async function startPacks(
  policy: LoadedPolicy,
  cwd: string,
): Promise<readonly LoadedPack[]> {
  const packs = policy.config.packs ?? [];
  if (packs.length === 0 || policy.file === undefined) return [];
  const { loadPacks } = await import('../packs/load-packs.js');
  const reservedIds = catalogue.map(({ id }) => id);
  return loadPacks(packs, resolve(cwd, dirname(policy.file)), reservedIds);
}
