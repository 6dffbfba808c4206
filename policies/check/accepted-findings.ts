import { resolve } from 'node:path';
import type { Finding } from '../../core/findings/finding.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import type { FileAccess } from '../../core/source/file-access.js';
import type { SourceText } from '../../core/source/source-text.js';
import { applyBaseline } from './policy/baseline.js';
import type { LoadedPolicy } from './policy/load-policy.js';
import { readBaseline } from './policy/read-baseline.js';
import {
  suppress,
  type SuppressionResult,
  suppressionsOf,
  valueFinder,
} from './policy/suppress.js';
import { environmentsOfStacks, overlayPath } from '../model/environments.js';
import type { LoadedStack } from '../model/loaded-stack.js';

/** The inputs that decide which findings are accepted. */
export interface AcceptContext {
  readonly stacks: readonly LoadedStack[];
  readonly stackNames: ReadonlySet<string>;
  /** The texts whose comments accept findings. */
  readonly sources: ReadonlyMap<string, SourceText>;
  readonly policy: LoadedPolicy;
  readonly ruleIds: readonly string[];
  readonly now: Date;
  readonly cwd: string;
  readonly files: FileAccess;
  /** The requested baseline file, or `none`. */
  readonly baseline?: string | undefined;
  /**
   * Whether a rule had its input; otherwise its suppressions are not unused and its baseline
   * entries not stale.
   */
  readonly isJudged: (ruleId: string) => boolean;
  /** Marks findings after suppressions, before the baseline. @default unchanged */
  readonly mark?: (finding: Finding) => Finding;
}

/** The remaining findings, and what accepted the others. */
export interface Accepted extends SuppressionResult {
  /** The findings without suppression, before the baseline. */
  readonly unbaselined: readonly Finding[];
  readonly baselined: number;
  readonly baselineFile: string | undefined;
  /** The environment of this check, and all environments of the configurations. */
  readonly environment: string | undefined;
  readonly environments: readonly string[];
}

/** Removes the findings that suppressions and the baseline accept. */
export async function acceptFindings(
  findings: readonly Finding[],
  context: AcceptContext,
): Promise<Accepted> {
  const {
    stacks,
    stackNames,
    sources,
    policy,
    ruleIds,
    now,
    cwd,
    files,
    isJudged,
    mark = (finding) => finding,
  } = context;
  const { environments, overlays } = overlaysOf(stacks, { cwd, files });
  const environment = stacks.find((stack) => stack.environment !== undefined)?.environment;
  const accepted = suppress(findings, await suppressionsOf(sources, policy, overlays), {
    now,
    ruleIds,
    valueOf: valueFinder(stacks),
    isJudged,
    stackNames,
    environment: environment ?? defaultEnvironment,
    otherEnvironments: [defaultEnvironment, ...environments].filter(
      (each) => each !== (environment ?? defaultEnvironment),
    ),
  });
  const unbaselined = accepted.findings.map(mark);
  const { baseline: declared } = policy.config;
  const baseline = readBaseline(context.baseline, {
    cwd,
    files,
    policyFile: policy.file,
    declared,
    environment,
  });
  const exists = (file: string): boolean => files.look(resolve(cwd, file)).kind !== 'missing';
  const based =
    baseline &&
    applyBaseline(unbaselined, { ...baseline, checked: new Set(sources.keys()), isJudged, exists });
  return {
    ...accepted,
    findings: based?.findings ?? unbaselined,
    unbaselined,
    baselined: based?.baselined ?? 0,
    baselineFile: baseline?.file,
    environment,
    environments,
  };
}

/** The environments of stacks, and the environment of each applied overlay. */
function overlaysOf(
  stacks: readonly LoadedStack[],
  look: { readonly cwd: string; readonly files: FileAccess },
): { readonly environments: readonly string[]; readonly overlays: ReadonlyMap<string, string> } {
  const overlays = new Map<string, string>();
  for (const {
    files: [base = ''],
    environment,
  } of stacks)
    if (environment !== undefined) overlays.set(overlayPath(base, environment), environment);
  return { environments: environmentsOfStacks(stacks, look), overlays };
}
