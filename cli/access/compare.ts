import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  appliedIds,
  appliedModel,
  type AppliedResource,
  scopeOfAppliedStacks,
} from '../../access/stack/applied-apps.js';
import { withAppliedObjects } from '../../access/stack/applied-directory.js';
import { proveChanges } from '../../access/prove/change-proof.js';
import { compareAccess } from '../../access/compare/compare.js';
import { accessFindings } from '../../access/compare/findings.js';
import type { AccessComparison } from '../../access/compare/comparison.js';
import type { AccessTarget } from '../../access/answer/visit.js';
import { scopeOfStacks } from '../../access/directory/directory-scope.js';
import { accessModel } from '../../access/model.js';
import { mergeBaseFiles } from '../../core/source/git-files.js';
import type { SourceText } from '../../core/source/source-text.js';
import { diskFiles } from '../../core/source/file-access.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import type { Finding } from '../../core/findings/finding.js';
import { type AcceptContext, acceptFindings } from '../../policies/check/accepted-findings.js';
import { mergeAcrossEnvironments } from '../../policies/check/check-environments.js';
import type { CheckReport } from '../../policies/check/run-check.js';
import { policyAtBase } from '../../policies/check/policy/policy-at-base.js';
import { suppressionsOf } from '../../policies/check/policy/suppressions.js';
import { BaselineEntries, baselineOf } from '../../policies/check/policy/baseline.js';
import {
  baselinePath,
  baselineText,
  withPathsFromCurrentFolder,
  parseBaseline,
} from '../../policies/check/policy/read-baseline.js';
import { environmentsOfStacks } from '../../policies/model/environments.js';
import { loadConfig } from '../../policies/model/load-config.js';
import type { ApplyOptions } from '../apply/options.js';
import type { StackPlan } from '../apply/plan-stacks.js';
import type { CliIo } from '../command.js';
import { changeFile } from '../files.js';
import { loadAccessStacks, type CheckedStacks, resolveConfig } from './access-stacks.js';
import { type PeopleFlags, loadDirectorySnapshot } from './people.js';
import { printText } from '../format.js';

/** The base whose policy, suppressions and baseline judge a change. */
type TrustedBase = NonNullable<AcceptContext['base']>;

/** The two states to compare. */
export interface CompareOptions extends PeopleFlags {
  /** A commit, branch or tag. */
  readonly ref: string;
  readonly paths: readonly string[];
  readonly target: AccessTarget;
  /** The baseline of accepted findings, or `none`. @default that of `check` */
  readonly baseline?: string | undefined;
  /** The policy file. @default the one that `check` finds */
  readonly policy?: string | undefined;
  readonly writeBaseline?: boolean | undefined;
  /** The limit of work for each proof, in steps. */
  readonly effort?: number | undefined;
  /** Whether only stacks with an overlay of the environment are compared. @default false */
  readonly isAdditional?: boolean;
}

/**
 * Compares as {@link compareWithBase} does, in the environment without an overlay and in each other
 * one: a change may let in people of one environment only.
 */
export async function compareEnvironmentsWithBase(
  options: CompareOptions,
  checkedStacks: CheckedStacks,
  io: CliIo,
): Promise<AccessComparison> {
  const comparison = await compareWithBase(options, checkedStacks, io);
  const { environments } = checkedStacks.report;
  const baseEnvironments = environmentsOfStacks(
    checkedStacks.stacks.map(({ loaded }) => loaded),
    { cwd: io.cwd, files: checkedStacks.baseFiles?.() ?? mergeBaseFiles(io.cwd, options.ref) },
  );
  for (const removed of baseEnvironments.filter((each) => !environments.includes(each)))
    printText(
      io.stderr,
      `castellan: environment ${removed} has no overlay any more, so it is not compared\n`,
    );
  if (environments.length === 0) return comparison;
  const otherEnvironments: AccessComparison[] = [];
  for (const environment of environments) {
    const loaded = await loadAccessStacks(
      { ...options, environment, base: options.ref, reportsSkippedPaths: false },
      io,
    );
    const other = await compareWithBase(
      { ...options, environment, isAdditional: true },
      loaded,
      io,
    );
    otherEnvironments.push({ ...other, environment });
  }
  const comparisons = [comparison, ...otherEnvironments];
  const merged = (listOf: (each: AccessComparison) => readonly Finding[]): readonly Finding[] =>
    mergeAcrossEnvironments(
      comparisons.map((each) => {
        const { environment = defaultEnvironment } = each;
        return listOf(each).map((finding) => ({ ...finding, environments: [environment] }));
      }),
    );
  return {
    ...comparison,
    otherEnvironments,
    findings: merged(({ findings }) => findings),
    accepted: merged(({ accepted }) => accepted),
  };
}

/**
 * Compares who gets in now with who got in at the commit where the branch started, for the same
 * people.
 *
 * @throws CAS7004 when git doesn't know the commit, or this is no repository.
 */
export async function compareWithBase(
  {
    ref,
    target,
    paths,
    baseline,
    policy,
    writeBaseline,
    effort,
    isAdditional = false,
    ...peopleFlags
  }: CompareOptions,
  checkedStacks: CheckedStacks,
  io: CliIo,
): Promise<AccessComparison> {
  const { stacks } = checkedStacks;
  const files = checkedStacks.baseFiles?.() ?? mergeBaseFiles(io.cwd, ref);
  const { stacks: baseStacks, sources: sourcesBefore } = await loadConfig({
    paths,
    environment: peopleFlags.environment,
    cwd: io.cwd,
    files,
  });
  const configs = baseStacks.map(({ config }) => resolveConfig(config, io.env, target));
  const directory = await loadDirectorySnapshot(
    { ...peopleFlags, additionalScope: scopeOfStacks(configs) },
    stacks,
    io,
  );
  const now = Date.now();
  const head = accessModel(
    stacks.map(({ config }) => config),
    directory,
    { now },
  );
  const models = {
    ref,
    target,
    head,
    base: accessModel(configs, directory, { now, reuseFrom: head }),
  };
  const basePolicy = await policyAtBase(
    { paths, baseline, policy, cwd: io.cwd, env: io.env, baseFiles: () => files },
    ref,
    checkedStacks.report.stacks.flatMap((stack) => stack.files.slice(0, 1)),
  );
  const trust: TrustedBase = {
    basePolicy,
    packs: [],
    suppressions: {
      all: await suppressionsOf(sourcesBefore, basePolicy.policyAtMergeBase),
      sources: sourcesBefore,
      accepts: () => undefined, // a base has no change of access that it could accept
    },
  };
  const { environment } = peopleFlags;
  const environmentStacks = [...stacks.map(({ loaded }) => loaded), ...baseStacks].filter(
    (stack) => stack.environment === environment,
  );
  return compareModels(
    models,
    checkedStacks,
    {
      environment,
      baseline,
      writeBaseline,
      effort,
      now,
      trust,
      ...(isAdditional && {
        onlyStacks: new Set(environmentStacks.map(({ config }) => config.stack)),
      }),
    },
    io,
  );
}

/** Compares who gets in now with who gets in after a plan is applied, for the same people. */
export async function compareWithApplied(
  plans: readonly StackPlan[],
  {
    from,
    target,
    paths,
    environment,
  }: Pick<ApplyOptions, 'target' | 'paths' | 'environment'> & { readonly from: string },
  io: CliIo,
): Promise<AccessComparison> {
  const checkedStacks = await loadAccessStacks({ paths, environment, target }, io);
  const stacks = checkedStacks.stacks.filter(({ config }) =>
    plans.some(({ stack }) => stack.name === config.stack),
  );
  const applied = stacks.map(({ config }) => ({
    config,
    resources: appliedResources(plans.find(({ stack }) => stack.name === config.stack)),
  }));
  const people = await loadDirectorySnapshot(
    { from, environment, additionalScope: scopeOfAppliedStacks(applied) },
    stacks,
    io,
  );
  const directory = withAppliedObjects(
    people,
    applied.flatMap(({ resources }) => resources),
  );
  const now = Date.now();
  const idsByStack = new Map(
    applied.map(({ config, resources }) => [config.stack, appliedIds(resources)]),
  );
  const configs = stacks.map(({ config }) => config);
  const head = accessModel(configs, directory, { now, applied: idsByStack });
  const base = appliedModel(applied, directory, head, now);
  const models = { ref: 'what is applied', target, head, base };
  return compareModels(models, checkedStacks, { environment, now }, io);
}

/** The present versions of the stacks that a plan would change. */
function appliedResources(plan: StackPlan | undefined): AppliedResource[] {
  return (plan?.plan.resource_changes ?? []).flatMap(
    ({ mode, type, name, change: { before, actions } }) =>
      mode !== 'managed' || before === null
        ? []
        : [{ type, name, values: before, isKept: !actions.includes('delete') }],
  );
}

async function compareModels(
  models: Pick<AccessComparison, 'ref' | 'target' | 'head' | 'base'>,
  { report }: CheckedStacks,
  {
    environment,
    baseline,
    writeBaseline = false,
    effort,
    now,
    trust,
    onlyStacks,
  }: Pick<CompareOptions, 'environment' | 'baseline' | 'writeBaseline' | 'effort'> & {
    readonly now: number;
    readonly trust?: TrustedBase;
    /** The names of the stacks to compare. @default all */
    readonly onlyStacks?: ReadonlySet<string>;
  },
  io: CliIo,
): Promise<AccessComparison> {
  const changes = compareAccess(models.head, models.base).filter(
    ({ stack }) => onlyStacks?.has(stack) !== false,
  );
  const { policy: ownPolicy, stacks, sources = new Map<string, SourceText>() } = report;
  const policy =
    trust === undefined || trust.basePolicy.isPolicyOutsideRepository
      ? ownPolicy
      : trust.basePolicy.policy;
  const proofs = proveChanges(changes, models.head, models.base, {
    now,
    effort,
    target: models.target,
  });
  const changeFindings = accessFindings(changes, {
    ...models,
    policy,
    stacks,
    environment,
    proofs,
  });
  const { findings, unsuppressed } = await acceptFindings(changeFindings, {
    stacks,
    stackNames: new Set(stacks.map(({ config }) => config.stack)),
    sources,
    policy: ownPolicy,
    judgingPolicy: policy,
    base: trust,
    rules: [...report.rules.values()],
    now: new Date(),
    cwd: io.cwd,
    files: diskFiles,
    baseline,
    // findings about a change disappear with the next one, so their suppressions do not count as
    // unused
    ruleHadInput: () => false,
  });
  const changeFindingSet = new Set(changeFindings);
  const unaccepted = unsuppressed.filter((each) => changeFindingSet.has(each));
  // where an additional environment has nothing to accept, it needs no baseline
  if (writeBaseline && (onlyStacks === undefined || unaccepted.length > 0))
    addToBaseline(unaccepted, report, baseline, io);
  const remaining = writeBaseline
    ? []
    : findings.filter((each) => changeFindingSet.has(each) || each.ruleId === 'policy-weakened');
  const remainingSet = new Set(remaining);
  return {
    ...models,
    changes,
    proofs,
    findings: remaining,
    accepted: changeFindings.filter((each) => !remainingSet.has(each)),
  };
}

/** Adds findings to those that the baseline accepts. */
function addToBaseline(
  findings: readonly Finding[],
  { policy, environment }: CheckReport,
  baseline: string | undefined,
  io: CliIo,
): void {
  const file =
    baseline ??
    baselinePath({ policyFile: policy.file, declaredFile: policy.config.baseline, environment });
  const path = resolve(io.cwd, file);
  const knownEntries = existsSync(path)
    ? withPathsFromCurrentFolder(parseBaseline(readFileSync(path, 'utf8')), file, {
        cwd: io.cwd,
        files: diskFiles,
      }).findings
    : [];
  const known = new BaselineEntries(knownEntries);
  const addedEntries = baselineOf(findings).findings.filter(
    (entry) => known.find(entry) === undefined,
  );
  changeFile(io, file, baselineText([...knownEntries, ...addedEntries], file, io.cwd));
  printText(
    io.stderr,
    `${file}: ${String(addedEntries.length)} ${addedEntries.length === 1 ? 'finding' : 'findings'} added\n`,
  );
}
