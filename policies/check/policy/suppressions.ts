import { appendAll } from '../../../core/values/append.js';
import { defaultEnvironment } from '../../../core/project/environment-folder.js';
import type { Finding } from '../../../core/findings/finding.js';
import type { SourceText } from '../../../core/source/source-text.js';
import { didYouMean, nearest } from '../../../core/text/nearest.js';
import { makeFinding } from '../../engine/finding-maker.js';
import type { ReportDescriptor } from '../../engine/rule.js';
import { valueAt } from '../../engine/schema-validation.js';
import type { LoadedStack } from '../../model/loaded-stack.js';
import {
  suppressionExpired,
  suppressionIncomplete,
  suppressionUnused,
} from '../../rules/policy-rules.js';
import type { LoadedPolicy } from './load-policy.js';
import { type Suppression, suppressionComments } from './suppression-comments.js';

/** The remaining and the accepted findings. */
export interface SuppressionResult {
  /** Those that nothing accepts, and those about the suppressions themselves. */
  readonly findings: readonly Finding[];
  readonly suppressedFindings: readonly Finding[];
  /** The suppression that accepts each of them. */
  readonly acceptedBy: ReadonlyMap<Finding, Suppression>;
  /** The suppressions that accept a finding. */
  readonly usedSuppressions: readonly Suppression[];
  /** The suppressions that accept nothing here. */
  readonly unusedSuppressions: readonly Suppression[];
}

/** What a policy demands of suppressions. */
export interface SuppressionLimits {
  /** The last day until which one may run. @default no limit */
  readonly latest?: string | undefined;
  /** That period as written, such as `90d`. */
  readonly longest?: string | undefined;
  /** Owners in CODEOWNERS, one of which owns the file of the suppression. @default anybody */
  readonly approvedBy?: readonly string[] | undefined;
  /** The owners of a file. */
  readonly ownersOf: (file: string) => readonly string[];
}

/** The context of suppressions. */
export interface SuppressionContext {
  readonly now: Date;
  /** The ids of all rules that exist: a suppression of another one is a mistake. */
  readonly ruleIds: readonly string[];
  /** The declared value that a finding is about. */
  readonly valueOf: (finding: Finding) => unknown;
  /** Whether a rule had its input. If it had none, none of its suppressions counts as unused. */
  readonly ruleHadInput: (ruleId: string) => boolean;
  /** The checked stacks; suppressions for others cannot be judged. @default any */
  readonly stackNames?: ReadonlySet<string>;
  /** The rules that nothing accepts. @default none */
  readonly lockedRules?: ReadonlySet<string>;
  /** What the policy demands of suppressions. @default nothing */
  readonly limits?: SuppressionLimits;
  /** Whether the base of a change knows the suppression of a finding. @default yes */
  readonly isKnownAtBase?: (suppression: Suppression, finding: Finding) => boolean;
  /** The environment that was checked. */
  readonly environment: string;
  /** The other environments: a suppression that may be for them is never reported as unused. */
  readonly otherEnvironments: readonly string[];
}

/**
 * All suppressions in the sources and the policy.
 *
 * @param overlays the environment of each overlay among the sources: a comment in it applies to
 *   that environment.
 */
export async function suppressionsOf(
  sources: ReadonlyMap<string, SourceText>,
  policy: LoadedPolicy,
  overlays: ReadonlyMap<string, string> = new Map(),
): Promise<readonly Suppression[]> {
  const policySuppressions = (policy.config.suppressions ?? []).map((each, index): Suppression => {
    const location = policy.locate(['suppressions', index]) ?? {
      file: policy.file ?? '',
      line: 1,
      column: 1,
    };
    return { ...each, location };
  });
  const comments: Suppression[] = [];
  for (const source of sources.values()) {
    const environment = overlays.get(source.file);
    const suppressions = await suppressionComments(source);
    comments.push(
      ...(environment === undefined
        ? suppressions
        : suppressions.map((each) => ({ ...each, environments: [environment] }))),
    );
  }
  return [...comments, ...policySuppressions];
}

/** Finds the declared value that a finding is about. */
export function valueFinder(stacks: readonly LoadedStack[]): (finding: Finding) => unknown {
  return ({ path = [], stack, environments }) =>
    stacks
      .filter(
        ({ environment = defaultEnvironment }) =>
          environments === undefined || environments.includes(environment),
      )
      .filter(
        ({ config }) =>
          stack === undefined || (config as { readonly stack?: unknown } | null)?.stack === stack,
      )
      .map(({ config }) => valueAt(config, path))
      .find((value) => value !== undefined);
}

/**
 * Whether findings of a rule can be accepted: not those about the files themselves or about
 * suppressions.
 */
export function canBeSuppressed(ruleId: string): boolean {
  return !/^(config-|suppression-|baseline-|policy-)/.test(ruleId);
}

/**
 * Removes the accepted findings. A suppression without a reason, or after its last day, accepts
 * nothing. Such suppressions, and unused ones, are findings themselves.
 */
export function suppress(
  findings: readonly Finding[],
  suppressions: readonly Suppression[],
  {
    now,
    ruleIds,
    valueOf,
    ruleHadInput,
    stackNames,
    environment,
    otherEnvironments,
    lockedRules,
    limits,
    isKnownAtBase = () => true,
  }: SuppressionContext,
): SuppressionResult {
  const today = now.toISOString().slice(0, 10);
  const suppressionFindings: Finding[] = [];
  const active: Suppression[] = [];
  const usedSuppressions = new Set<Suppression>();
  for (const each of suppressions) {
    if (each.environments?.includes(environment) === false) continue;
    const problem = problemOf(each, { today, ruleIds, lockedRules, limits });
    if (problem !== undefined) suppressionFindings.push(problem.finding);
    if (problem === undefined || problem.applies) active.push(each);
  }
  const [remaining, suppressedFindings]: [Finding[], Finding[]] = [[], []];
  const acceptedBy = new Map<Finding, Suppression>();
  for (const finding of findings) {
    const covering = canBeSuppressed(finding.ruleId)
      ? active.filter((each) => covers(each, finding, valueOf))
      : [];
    const accepting = covering.find((each) => isKnownAtBase(each, finding));
    for (const each of covering)
      if (each === accepting || !isKnownAtBase(each, finding)) usedSuppressions.add(each);
    if (accepting === undefined) remaining.push(finding);
    else {
      suppressedFindings.push(finding);
      acceptedBy.set(finding, accepting);
    }
  }
  const isJudgedHere = ({ rule, stack }: Suppression): boolean =>
    ruleHadInput(rule) &&
    (stack === undefined || stackNames === undefined || stackNames.has(stack));
  const unusedSuppressions = active.filter(
    (each) => !usedSuppressions.has(each) && isJudgedHere(each),
  );
  const isOnlyHere = ({
    environments = [environment, ...otherEnvironments],
  }: Suppression): boolean => environments.every((each) => each === environment);
  appendAll(suppressionFindings, unusedSuppressionFindings(unusedSuppressions.filter(isOnlyHere)));
  return {
    findings: [...remaining, ...suppressionFindings],
    suppressedFindings,
    acceptedBy,
    usedSuppressions: [...usedSuppressions],
    unusedSuppressions,
  };
}

/** The findings about unused suppressions. */
export function unusedSuppressionFindings(unused: readonly Suppression[]): readonly Finding[] {
  return unused.map((each) =>
    suppressionFinding(suppressionUnused, each, {
      messageId: 'unused',
      parameters: { given: each.rule },
    }),
  );
}

function problemOf(
  each: Suppression,
  {
    today,
    ruleIds,
    lockedRules,
    limits,
  }: Pick<SuppressionContext, 'ruleIds' | 'lockedRules' | 'limits'> & { readonly today: string },
): { readonly finding: Finding; readonly applies: boolean } | undefined {
  const { rule, reason, owner, until } = each;
  const incomplete = (messageId: string, parameters: Record<string, unknown> = {}): Finding =>
    suppressionFinding(suppressionIncomplete, each, {
      messageId,
      parameters: { given: rule, ...parameters },
    });
  if (rule === '') return { finding: incomplete('rule'), applies: false };
  if (!ruleIds.includes(rule))
    return {
      finding: incomplete('noSuchRule', { hint: didYouMean(nearest(rule, ruleIds)) }),
      applies: false,
    };
  if (lockedRules?.has(rule) === true) return { finding: incomplete('locked'), applies: false };
  const hasReason = reason !== undefined && reason.trim() !== '';
  const hasOwner = owner !== undefined && owner.trim() !== '';
  const parts = [
    hasReason ? '' : 'reason="…"',
    hasOwner ? '' : 'owner=…',
    until === undefined ? 'until=YYYY-MM-DD' : '',
  ];
  const missing = parts.filter((part) => part !== '').join(' ');
  if (!hasReason) return { finding: incomplete('reason', { missing }), applies: false };
  if (until !== undefined && !isDay(until))
    return { finding: incomplete('until', { until }), applies: false };
  if (until !== undefined && until < today)
    return {
      finding: suppressionFinding(suppressionExpired, each, {
        messageId: 'expired',
        parameters: { given: rule, until },
      }),
      applies: false,
    };
  if (limits?.latest !== undefined && until !== undefined && until > limits.latest)
    return { finding: incomplete('tooLong', { until, ...limits }), applies: false };
  const { file } = each.location;
  if (limits !== undefined && !isApproved(file, limits)) {
    const parameters = {
      owners: (limits.approvedBy ?? []).join(' or ') || 'nobody',
      file,
      has: limits.ownersOf(file).join(', ') || 'no one',
    };
    return { finding: incomplete('approval', parameters), applies: false };
  }
  if (!hasOwner) return { finding: incomplete('owner', { missing }), applies: true };
  if (until === undefined)
    return { finding: incomplete('noEnd'), applies: limits?.latest === undefined };
  return undefined;
}

/**
 * Whether CODEOWNERS asks for the review of an owner that a policy names. The code host lets any
 * one owner of a file approve, so no other may be among them.
 */
export function isApproved(
  file: string,
  { approvedBy, ownersOf }: Pick<SuppressionLimits, 'approvedBy' | 'ownersOf'>,
): boolean {
  if (approvedBy === undefined) return true;
  const owners = ownersOf(file);
  return owners.length > 0 && owners.every((each) => approvedBy.includes(each));
}

/** Whether a text is an existing date: YYYY-MM-DD. */
export function isDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true
  );
}

function covers(
  each: Suppression,
  finding: Finding,
  valueOf: (finding: Finding) => unknown,
): boolean {
  if (each.rule !== finding.ruleId) return false;
  if (each.line !== undefined) {
    const isBeside =
      finding.location?.file === each.location.file && finding.location.line === each.line;
    return (
      isBeside && (each.valueText === undefined || each.valueText === String(valueOf(finding)))
    );
  }
  if (each.stack !== undefined && each.stack !== finding.stack) return false;
  if (each.fingerprint !== undefined && each.fingerprint !== finding.fingerprint) return false;
  if (each.path !== undefined && !`${(finding.path ?? []).join('.')}.`.startsWith(`${each.path}.`))
    return false;
  return (
    each.value === undefined || JSON.stringify(each.value) === JSON.stringify(valueOf(finding))
  );
}

function suppressionFinding(
  rule: Parameters<typeof makeFinding>[0],
  { location }: Suppression,
  report: ReportDescriptor,
): Finding {
  return makeFinding(
    rule,
    report,
    {
      path: ['suppressions', `${location.file}:${String(report.parameters?.['given'])}`],
      origin: {},
    },
    () => location,
  );
}
