import { resolve } from 'node:path';
import type { Finding } from '../../core/findings/finding.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import type { FileAccess } from '../../core/source/file-access.js';
import type { SourceText } from '../../core/source/source-text.js';
import { applyBaseline } from '../configuration/baseline.js';
import type { LoadedPolicy } from '../configuration/load-policy.js';
import { readBaseline } from '../configuration/read-baseline.js';
import { suppress, type SuppressionResult, suppressionsOf, valueFinder } from '../configuration/suppress.js';
import { environmentsOfStacks, overlayPath } from '../model/environments.js';
import type { LoadedStack } from '../model/loaded-stack.js';

/** What findings are accepted by. */
export interface AcceptContext {
  readonly stacks: readonly LoadedStack[];
  readonly stackNames: ReadonlySet<string>;
  /** The texts with comments that accept findings. */
  readonly sources: ReadonlyMap<string, SourceText>;
  readonly policy: LoadedPolicy;
  readonly ruleIds: readonly string[];
  readonly now: Date;
  readonly cwd: string;
  readonly files: FileAccess;
  /** The baseline that was asked for, or `none`. */
  readonly baseline?: string | undefined;
  /** Whether a rule had what it looks at: else nothing of it is unused or stale. */
  readonly isJudged: (ruleId: string) => boolean;
  /** Marks what is left after suppressions, before the baseline is looked at. @default as it is */
  readonly mark?: (finding: Finding) => Finding;
}

/** What is left of findings, and what accepted the others. */
export interface Accepted extends SuppressionResult {
  /** Those that no suppression accepts, before the baseline. */
  readonly unbaselined: readonly Finding[];
  readonly baselined: number;
  readonly baselineFile: string | undefined;
  /** The environment whose overlay is laid over, and all that there are. */
  readonly environment: string | undefined;
  readonly environments: readonly string[];
}

/** Takes out the findings that suppressions and the baseline accept. */
export async function accept(findings: readonly Finding[], context: AcceptContext): Promise<Accepted> {
  const { stacks, stackNames, sources, policy, ruleIds, now, cwd, files, isJudged, mark = (finding) => finding } = context;
  const { environments, overlays } = overlaysOf(stacks, { cwd, files });
  const environment = stacks.find((stack) => stack.environment !== undefined)?.environment;
  const accepted = suppress(findings, await suppressionsOf(sources, policy, overlays), {
    ...{ now, ruleIds, valueOf: valueFinder(stacks), isJudged, stackNames },
    environment: environment ?? defaultEnvironment,
    otherEnvironments: [defaultEnvironment, ...environments].filter((each) => each !== (environment ?? defaultEnvironment)),
  });
  const unbaselined = accepted.findings.map(mark);
  const { baseline: declared } = policy.config;
  const baseline = readBaseline(context.baseline, { cwd, files, policyFile: policy.file, declared, environment });
  const exists = (file: string): boolean => files.look(resolve(cwd, file)).kind !== 'missing';
  const based = baseline && applyBaseline(unbaselined, { ...baseline, checked: new Set(sources.keys()), isJudged, exists });
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

/** The environments of stacks, and the environment of each overlay that is laid over one. */
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
