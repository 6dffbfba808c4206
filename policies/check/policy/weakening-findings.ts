import { join } from 'node:path';
import type { Finding, SourceLocation } from '../../../core/findings/finding.js';
import { defaultEnvironment } from '../../../core/project/environment-folder.js';
import { type Locate, makeFinding } from '../../engine/finding-maker.js';
import { policyWeakened } from '../../rules/policy-rules.js';
import { applyPolicy } from './applied-policy.js';
import { type Baseline, BaselineEntries } from './baseline.js';
import type { PackConfig } from '../../../kinds/policy/schema.js';
import type { PackChange } from '../../packs/load-packs.js';
import type { LoadedPolicy } from './load-policy.js';
import type { PolicyAtBase } from './policy-at-base.js';
import { isApproved } from './suppressions.js';
import type { Suppression } from './suppression-comments.js';
import {
  type KnownRule,
  type PolicyTargets,
  type Weakening,
  weakenedRules,
} from './weakened-rules.js';

/** The change, as far as it may weaken the check. */
export interface PolicyChange {
  /** The policy of the change, in contrast to that of the base. */
  readonly policy: LoadedPolicy;
  /** The rules of the catalogue and of the packs. */
  readonly rules: readonly KnownRule[];
  readonly targets: PolicyTargets;
  /** The packs of the base whose files the change touches, by name. */
  readonly changedPacks: ReadonlyMap<string, PackChange>;
  readonly newSuppressions: readonly NewSuppression[];
  /** The baselines of the change: also those of environments that it does not have yet. */
  readonly baselines: readonly EnvironmentBaseline[];
  /** The checked environment, if it has an overlay. */
  readonly environment: string | undefined;
}

/** The baseline of an environment and its path. */
export interface EnvironmentBaseline {
  readonly baseline: Baseline;
  readonly file: string;
  readonly environment: string | undefined;
}

/** A suppression that the base does not have, or not for as long. */
export interface NewSuppression {
  readonly suppression: Suppression;
  /** The last day that the base has. */
  readonly untilAtBase?: string | undefined;
}

/**
 * What a change weakens in the check: each is a finding that nothing in the change accepts. Where
 * the base's policy names owners whose approval CODEOWNERS asks for, it is only a remark.
 */
export function weakeningFindings(change: PolicyChange, base: PolicyAtBase): readonly Finding[] {
  const { policy } = change;
  const startOfPolicy = {
    file: policy.file ?? base.policyAtMergeBase.file ?? '',
    line: 1,
    column: 1,
  };
  const locate: Locate = (path, at) => policy.locate(path, at) ?? startOfPolicy;
  const { applySeverity } = applyPolicy(base.policy.config, [], {
    stack: undefined,
    environment: change.environment ?? defaultEnvironment,
  });
  const report = (weakening: Weakening, location?: SourceLocation): readonly Finding[] => {
    const { messageId, path, weakened } = weakening;
    const parameters = { ...weakening.parameters, base: base.ref };
    const subject = { path: [], origin: {} };
    const finding = makeFinding(
      policyWeakened,
      { messageId, path, parameters, at: 'key' },
      subject,
      location === undefined ? locate : () => location,
    );
    return [applySeverity(withApproval({ ...finding, weakened }, base))].flatMap(
      (judged) => judged ?? [],
    );
  };
  return [
    ...(base.isPolicyOutsideRepository
      ? []
      : policyChanges(change, base).flatMap((each) => report(each, each.location))),
    ...change.newSuppressions.flatMap(({ suppression, untilAtBase }) => {
      const { rule, until, location } = suppression;
      const path = ['suppressions', location.file, rule, String(location.line)];
      const messageId = untilAtBase === undefined ? 'suppression' : 'longer';
      const parameters = { given: rule, now: until ?? 'ever', before: untilAtBase };
      return report({ weakened: 'suppression', messageId, path, parameters }, location);
    }),
    ...change.baselines
      .flatMap((baseline) => baselineChange(baseline, base))
      .flatMap(([each, location]) => report(each, location)),
  ];
}

/** Lowers a finding to information where the base asks owners for approval of its file. */
export function withApproval(finding: Finding, { policy, ownersOf }: PolicyAtBase): Finding {
  const { approvedBy } = policy.config.suppressionLimits ?? {};
  const file = finding.location?.file ?? '';
  if (approvedBy === undefined || !isApproved(file, { approvedBy, ownersOf })) return finding;
  return {
    ...finding,
    severity: 'info',
    message: `${finding.message}; CODEOWNERS asks for the review of ${ownersOf(file).join(' or ')}`,
  };
}

function policyChanges(
  { policy, rules, targets, changedPacks }: PolicyChange,
  { policyAtMergeBase }: PolicyAtBase,
): readonly Weakening[] {
  if (policyAtMergeBase.file !== undefined && policy.file !== policyAtMergeBase.file) {
    const messageId = policy.file === undefined ? 'gone' : 'moved';
    const parameters = {
      given: policyAtMergeBase.file,
      now: policy.file,
      before: policyAtMergeBase.file,
    };
    return [{ weakened: 'policy-moved', messageId, path: [], parameters }];
  }
  const excludedFiles = policyAtMergeBase.files.filter((file) => !policy.files.includes(file));
  return [
    ...excludedFiles.map((given): Weakening => ({
      weakened: 'include',
      messageId: 'include',
      path: ['include'],
      parameters: { given },
    })),
    ...weakenedRules(policy.config, policyAtMergeBase.config, rules, targets),
    ...packChanges(policy, policyAtMergeBase, changedPacks),
  ];
}

function packChanges(
  { config }: LoadedPolicy,
  { config: configBefore }: LoadedPolicy,
  changed: ReadonlyMap<string, PackChange>,
): readonly Weakening[] {
  return (configBefore.packs ?? []).flatMap((pack): readonly Weakening[] => {
    const given = pack.package ?? pack.file ?? '';
    const index = (config.packs ?? []).findIndex(
      (each) => each.package === pack.package && each.file === pack.file,
    );
    const packNow = config.packs?.[index];
    const weakening = (messageId: string): readonly Weakening[] => [
      {
        weakened: 'pack',
        messageId,
        path: index === -1 ? ['packs'] : ['packs', index],
        parameters: { given },
      },
    ];
    if (packNow === undefined) return weakening('packRemoved');
    // a pack that was not pinned may be pinned
    const packBefore = pack.integrity === undefined ? { ...pack, ...pinOf(packNow) } : pack;
    const texts = [packNow, packBefore].map((each) => JSON.stringify(Object.entries(each).sort()));
    if (texts[0] !== texts[1]) return weakening('packSettings');
    const change = changed.get(given);
    if (change === undefined) return [];
    const { file, decidesInstalledPackages } = change;
    // where it changed, so that the owners of that file count
    return weakening(decidesInstalledPackages ? 'packPackages' : 'packRules').map((each) => ({
      ...each,
      parameters: { ...each.parameters, file },
      location: { file, line: 1, column: 1 },
    }));
  });
}

function pinOf({ integrity }: PackConfig): Pick<PackConfig, 'integrity'> {
  return integrity === undefined ? {} : { integrity };
}

function baselineChange(
  { baseline, file, environment }: EnvironmentBaseline,
  base: PolicyAtBase,
): readonly (readonly [Weakening, SourceLocation])[] {
  const entriesBefore = new BaselineEntries(base.baselineOf(environment)?.findings ?? []);
  const addedEntries = baseline.findings.filter((entry) => entriesBefore.find(entry) === undefined);
  if (addedEntries.length === 0) return [];
  const names = addedEntries.slice(0, 3).map(({ ruleId, path }) => join(ruleId, path));
  const parameters = {
    count: addedEntries.length === 1 ? '1 finding' : `${String(addedEntries.length)} findings`,
    given: addedEntries.length > 3 ? `${names.join(', ')}, …` : names.join(', '),
  };
  const path = ['baseline', file];
  const location = { file, line: 1, column: 1 };
  return [[{ weakened: 'baseline', messageId: 'baseline', path, parameters }, location]];
}

/** The entries of a baseline that count: those of the base, or approved ones. */
export function trustedBaseline(
  current: { readonly baseline: Baseline; readonly file: string } | undefined,
  base: PolicyAtBase,
  environment: string | undefined,
): typeof current {
  if (current === undefined) return undefined;
  const { approvedBy } = base.policy.config.suppressionLimits ?? {};
  if (approvedBy !== undefined && isApproved(current.file, { ...base, approvedBy })) return current;
  const entriesBefore = new BaselineEntries(base.baselineOf(environment)?.findings ?? []);
  const findings = current.baseline.findings.filter(
    (entry) => entriesBefore.find(entry) !== undefined,
  );
  return { file: current.file, baseline: { version: 1, findings } };
}
