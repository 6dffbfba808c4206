import { dirname, relative, resolve } from 'node:path';
import { isCastellanError } from '../../core/errors/castellan-error.js';
import type { Finding } from '../../core/findings/finding.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import { type FileAccess, repositoryOf } from '../../core/source/file-access.js';
import type { SourceText } from '../../core/source/source-text.js';
import { codeOwners } from '../../core/source/code-owners.js';
import type { LoadedPack, PackChange } from '../packs/load-packs.js';
import { applyBaseline } from './policy/baseline.js';
import type { BaseSuppressions, SuppressionChanges } from './policy/suppression-changes.js';
import type { PolicyAtBase } from './policy/policy-at-base.js';
import type { KnownRule } from './policy/weakened-rules.js';
import type { Suppression } from './policy/suppression-comments.js';
import type { LoadedPolicy } from './policy/load-policy.js';
import {
  baselineEnvironment,
  type BaselineSearch,
  baselinePath,
  readBaseline,
} from './policy/read-baseline.js';
import type { EnvironmentBaseline } from './policy/weakening-findings.js';
import {
  suppress,
  type SuppressionLimits,
  type SuppressionResult,
  suppressionsOf,
  valueFinder,
} from './policy/suppressions.js';
import { environmentsOfStacks, overlayPath, type WorkingFolder } from '../model/environments.js';
import type { LoadedStack } from '../model/loaded-stack.js';

/** The inputs that decide which findings are accepted. */
export interface AcceptContext {
  /** The stacks as they are now, not those of the base. */
  readonly stacks: readonly LoadedStack[];
  readonly stackNames: ReadonlySet<string>;
  /** The texts whose comments accept findings. */
  readonly sources: ReadonlyMap<string, SourceText>;
  /** The policy beside the configurations, with its suppressions and its baseline. */
  readonly policy: LoadedPolicy;
  /** The policy that judges the change and limits suppressions. @default `policy` */
  readonly judgingPolicy?: LoadedPolicy;
  /** The rules of the catalogue and of the packs. */
  readonly rules: readonly KnownRule[];
  readonly now: Date;
  readonly cwd: string;
  readonly files: FileAccess;
  /** The requested baseline file, or `none`. */
  readonly baseline?: string | undefined;
  /**
   * Whether a rule had its input. If it had none, none of its suppressions counts as unused, and
   * none of its baseline entries as stale.
   */
  readonly ruleHadInput: (ruleId: string) => boolean;
  /** The base of a change: only what it accepts is accepted. */
  readonly base?:
    | {
        readonly basePolicy: PolicyAtBase;
        readonly suppressions: BaseSuppressions;
        /** The packs of the base. */
        readonly packs: readonly LoadedPack[];
      }
    | undefined;
  /** Marks a finding as new or existing. @default leaves it unchanged */
  readonly markChange?: (finding: Finding) => Finding;
}

/** The findings that nothing accepts, and what accepted the others. */
export interface AcceptanceResult extends SuppressionResult {
  /** The findings without a suppression, including those in the baseline. */
  readonly unsuppressed: readonly Finding[];
  /** The findings that the baseline accepts. */
  readonly baselinedFindings: readonly Finding[];
  /** The baseline that was applied; undefined if there is none. */
  readonly baselineFile: string | undefined;
  /** The environment of this check, and all environments of the configurations. */
  readonly environment: string | undefined;
  readonly environments: readonly string[];
}

/** Removes the findings that suppressions and the baseline accept. */
export async function acceptFindings(
  findings: readonly Finding[],
  context: AcceptContext,
): Promise<AcceptanceResult> {
  const {
    stacks,
    stackNames,
    sources,
    policy,
    judgingPolicy = policy,
    rules,
    now,
    cwd,
    files,
    ruleHadInput,
    base,
    markChange = (finding) => finding,
  } = context;
  const { environments, overlays } = overlaysOf(stacks, { cwd, files });
  const environment = stacks.find((stack) => stack.environment !== undefined)?.environment;
  const suppressions = await suppressionsOf(sources, policy, overlays);
  const suppressionChanges =
    base && (await compareSuppressionsWithBase({ all: suppressions, sources }, base, now));
  const { baseline: declaredBaseline } = policy.config;
  const baselineSearch = { cwd, files, policyFile: policy.file, declaredFile: declaredBaseline };
  const ownBaseline = readBaseline(context.baseline, { ...baselineSearch, environment });
  const weakeningModule = base && (await import('./policy/weakening-findings.js'));
  const weakeningFindings =
    base === undefined
      ? []
      : weakeningModule?.weakeningFindings(
          {
            policy,
            rules,
            targets: { stacks: [...stackNames], environments },
            changedPacks: changedPacks(base.packs, cwd),
            newSuppressions: suppressionChanges?.added ?? [],
            baselines: [
              ...(ownBaseline === undefined ? [] : [{ ...ownBaseline, environment }]),
              // the other environments have a check of their own
              ...(context.baseline === undefined
                ? futureBaselines(baselineSearch, [...environments, environment])
                : []),
            ],
            environment,
          },
          base.basePolicy,
        );
  const suppressionResult = suppress([...findings, ...(weakeningFindings ?? [])], suppressions, {
    now,
    ruleIds: rules.map(({ id }) => id),
    valueOf: valueFinder(stacks),
    ruleHadInput,
    stackNames,
    lockedRules: new Set(judgingPolicy.config.locked),
    limits: suppressionLimitsOf(judgingPolicy, context),
    isKnownAtBase: (suppression, finding) =>
      suppressionChanges?.accepts(suppression, finding) ?? true,
    environment: environment ?? defaultEnvironment,
    otherEnvironments: [defaultEnvironment, ...environments].filter(
      (each) => each !== (environment ?? defaultEnvironment),
    ),
  });
  const unsuppressed = suppressionResult.findings.map(markChange);
  const baseline =
    base === undefined
      ? ownBaseline
      : weakeningModule?.trustedBaseline(ownBaseline, base.basePolicy, environment);
  const exists = (file: string): boolean => files.stat(resolve(cwd, file)).kind !== 'missing';
  // the path of a configuration may be given as an absolute one
  const pathOf = (file: string): string => relative(cwd, resolve(cwd, file));
  const afterBaseline =
    baseline &&
    applyBaseline(unsuppressed, {
      ...baseline,
      checkedFiles: new Set([...sources.keys()].map(pathOf)),
      pathOf,
      ruleHadInput,
      exists,
      locked: new Set(judgingPolicy.config.locked),
    });
  return {
    ...suppressionResult,
    findings: afterBaseline?.findings ?? unsuppressed,
    unsuppressed,
    baselinedFindings: afterBaseline?.baselinedFindings ?? [],
    baselineFile: baseline?.file,
    environment,
    environments,
  };
}

/** The baselines of environments that do not exist yet, which would accept findings later. */
function futureBaselines(
  search: Omit<BaselineSearch, 'environment'>,
  environments: readonly (string | undefined)[],
): readonly EnvironmentBaseline[] {
  const { cwd, files } = search;
  const defaultFile = baselinePath(search);
  const folder = resolve(cwd, dirname(defaultFile));
  if (files.stat(folder).kind !== 'folder') return [];
  return [...files.list(folder)].flatMap((name) => {
    const environment = baselineEnvironment(defaultFile)(name);
    if (environment === undefined || environments.includes(environment)) return [];
    const baseline = readableBaseline({ ...search, environment });
    return baseline === undefined ? [] : [{ ...baseline, environment }];
  });
}

/** A baseline; undefined for a file that only has the name of one, and accepts nothing. */
function readableBaseline(options: BaselineSearch): ReturnType<typeof readBaseline> {
  try {
    return readBaseline(undefined, options);
  } catch (error) {
    if (isCastellanError(error)) return undefined;
    throw error;
  }
}

function changedPacks(packs: readonly LoadedPack[], cwd: string): ReadonlyMap<string, PackChange> {
  return new Map(
    packs.flatMap(({ name, changedIn }) =>
      changedIn === undefined
        ? []
        : [[name, { ...changedIn, file: relative(cwd, changedIn.file) }] as const],
    ),
  );
}

async function compareSuppressionsWithBase(
  current: { readonly all: readonly Suppression[]; readonly sources: AcceptContext['sources'] },
  { basePolicy, suppressions }: NonNullable<AcceptContext['base']>,
  date: Date,
): Promise<SuppressionChanges> {
  const { compareSuppressions } = await import('./policy/suppression-changes.js');
  return compareSuppressions(current, suppressions, basePolicy, date.toISOString().slice(0, 10));
}

const millisecondsPerDay = 86_400_000;

/** What the judging policy demands of suppressions. */
export function suppressionLimitsOf(
  { config }: LoadedPolicy,
  { now, cwd, files, base }: Pick<AcceptContext, 'now' | 'cwd' | 'files' | 'base'>,
): SuppressionLimits | undefined {
  const { longest, approvedBy } = config.suppressionLimits ?? {};
  if (longest === undefined && approvedBy === undefined) return undefined;
  const days = longest === undefined ? undefined : parseInt(longest, 10);
  const end = days === undefined ? undefined : new Date(now.getTime() + days * millisecondsPerDay);
  const root = repositoryOf(cwd, files) ?? cwd;
  const owners = approvedBy === undefined ? undefined : codeOwners(root, files);
  return {
    longest,
    latest: end?.toISOString().slice(0, 10),
    approvedBy,
    ownersOf: base?.basePolicy.ownersOf ?? ((file) => owners?.(resolve(cwd, file)) ?? []),
  };
}

/** The environments of stacks, and the environment of each applied overlay. */
function overlaysOf(
  stacks: readonly LoadedStack[],
  workingFolder: WorkingFolder,
): { readonly environments: readonly string[]; readonly overlays: ReadonlyMap<string, string> } {
  const overlays = new Map<string, string>();
  for (const {
    files: [base = ''],
    environment,
  } of stacks)
    if (environment !== undefined) overlays.set(overlayPath(base, environment), environment);
  return { environments: environmentsOfStacks(stacks, workingFolder), overlays };
}
