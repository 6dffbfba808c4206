import { documentationUrl } from '../../core/text/documentation-url.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import type { Finding } from '../../core/findings/finding.js';
import type { FileAccess } from '../../core/source/file-access.js';
import type { MergeBaseFiles } from '../../core/source/git-files.js';
import type { LoadOptions, SkippedPath } from '../model/load-config.js';
import type { LoadedStack } from '../model/loaded-stack.js';
import type { LoadedPack } from '../packs/load-packs.js';
import { unsetVariablesWithoutSecrets } from './unset-variables.js';
import type { LoadedPolicy } from './policy/load-policy.js';
import type { Suppression } from './policy/suppression-comments.js';
import type { Report, ReportedRule } from '../reporters/report.js';
import { sections } from '../../kinds/stack/schema.js';
import type { LiveReader } from '../model/live-reader.js';
import type { Rule } from '../engine/rule.js';

/** Where to find the pages of the rules. */
const rulePages = `${documentationUrl}/rules`;

/** The base of a change, as far as its access tests need it. */
export interface AccessTestBase {
  /** The commit or branch, as it was given. */
  readonly ref: string;
  readonly stacks: readonly LoadedStack[];
  readonly files: FileAccess;
}

/** What to check, and with which inputs. */
export interface RunCheckOptions extends LoadOptions {
  /** The environment for `${env:NAME}`, usually `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The current time, for date checks. @default now */
  readonly now?: Date;
  /** The policy file. @default castellan.policy.yaml in the folder or beside a configuration */
  readonly policy?: string | undefined;
  /** The baseline file, or `none`. @default castellan.baseline.json in the folder, if it exists */
  readonly baseline?: string | undefined;
  /** A plan in the form of `terraform show -json`, checked together with the configurations. */
  readonly plan?: string | undefined;
  /** Whether the report contains a diagram of the plan. @default false */
  readonly drawsPlan?: boolean;
  /**
   * A state, in the form of `terraform show -json` or Terraform's own file, checked together with
   * the configurations.
   */
  readonly state?: string | undefined;
  /** The folder of `.tf` files from which the plan or state was made, to find its lines. */
  readonly source?: string | undefined;
  /** The source manifest of the plan or state. @default the one beside it, or in `cdktf.out` */
  readonly manifest?: string | undefined;
  /** Reads the live directory, to compare its groups with the declared ones. */
  readonly live?: LiveReader | undefined;
  /**
   * A commit, branch or tag to compare with: existing findings do not fail the check, and dangerous
   * changes are findings.
   */
  readonly base?: string | undefined;
  /** Reads the files of the base for several checks. @default read by this check */
  readonly baseFiles?: (() => MergeBaseFiles) | undefined;
  /** Runs the access tests beside the configurations. */
  readonly accessTests?:
    ((stacks: readonly LoadedStack[]) => Promise<readonly Finding[]>) | undefined;
  /** Runs the access tests that the base has, on the stacks of a change. */
  readonly accessTestsAtBase?:
    | ((stacks: readonly LoadedStack[], base: AccessTestBase) => Promise<readonly Finding[]>)
    | undefined;
  /** Provides running packs that several checks share. @default started and ended by this check */
  readonly packsOf?:
    | ((
        policy: LoadedPolicy,
        start: () => Promise<readonly LoadedPack[]>,
      ) => Promise<readonly LoadedPack[]>)
    | undefined;
}

/** A finished check, before the final selection of findings. */
export interface CheckReport extends Report {
  /** The stacks as they are now, not those of the base. */
  readonly stacks: readonly LoadedStack[];
  /** The policy that judged: with a base, that of the base. */
  readonly policy: LoadedPolicy;
  /** The number of resources in a plan or state. */
  readonly resourceCount: number;
  /** The resources of a plan or state that no rule judges. @default none */
  readonly unjudgedTypes: ReadonlyMap<string, number>;
  /** Notes besides the findings. */
  readonly notes: readonly string[];
  /** The paths that were not loaded. */
  readonly skippedPaths: readonly SkippedPath[];
  /** The findings that suppressions accept. */
  readonly suppressed: readonly Finding[];
  /** The suppressions that accept a finding. */
  readonly usedSuppressions: readonly Suppression[];
  /** The suppressions that accept nothing in the checked environment. */
  readonly unusedSuppressions: readonly Suppression[];
  /** The findings without a suppression, including those in the baseline. */
  readonly unsuppressed: readonly Finding[];
  /** The findings that the baseline accepts. */
  readonly baselined: readonly Finding[];
  /** The baseline that was applied; undefined if there is none. */
  readonly baselineFile: string | undefined;
  /** The checked environment, if it has an overlay. */
  readonly environment: string | undefined;
  /** The environments with an overlay of the configurations. */
  readonly environments: readonly string[];
  /** Whether a rule had its input: those about live services, plans and changes need one each. */
  readonly ruleHadInput: (ruleId: string) => boolean;
}

/** The information that reports show about rules. */
export function reportedRules(rules: readonly Rule[]): ReadonlyMap<string, ReportedRule> {
  return new Map(
    rules.map(({ id, title, why, severity }) => [
      id,
      { id, title, why, severity, helpUri: `${rulePages}/${id}.md` },
    ]),
  );
}

/** The number of declarations in a configuration. */
export function countDeclarations(config: unknown): number {
  if (config === null || typeof config !== 'object') return 0;
  return Object.keys(sections).reduce((sum, section) => {
    const declared = (config as Readonly<Record<string, unknown>>)[section];
    return (
      sum + (declared !== null && typeof declared === 'object' ? Object.keys(declared).length : 0)
    );
  }, 0);
}

/** Sorts findings by file and position; those without a location come last. */
export function byLocation(a: Finding, b: Finding): number {
  const [left, right] = [a.location, b.location];
  if (left === undefined || right === undefined)
    return (left === undefined ? 1 : 0) - (right === undefined ? 1 : 0);
  if (left.file !== right.file) return left.file < right.file ? -1 : 1;
  return left.line - right.line || left.column - right.column || (a.ruleId < b.ruleId ? -1 : 1);
}

/** What besides findings changes the exit code of a check. */
export interface ExitOptions {
  /** Whether an unknown verdict makes it 3. */
  readonly failOnUnknown: boolean;
  /**
   * Whether an unset environment variable that a value needs makes it 3; those of secrets may be
   * unset.
   *
   * @default false
   */
  readonly failOnUnset?: boolean;
  /** Whether a resource that no rule judges makes it 1. @default false */
  readonly requireRules?: boolean;
}

/**
 * The exit code of a report, the same for every format.
 *
 * @example
 * process.exitCode = exitCodeOf(
 *   await runCheck({ paths: ['.'], cwd: process.cwd(), env: process.env }),
 *   { failOnUnknown: false },
 * );
 */
export function exitCodeOf(
  { findings, summary, stacks, resourceCount, unjudged = 0 }: CheckReport,
  { failOnUnknown, failOnUnset = false, requireRules = false }: ExitOptions,
): number {
  if (findings.some(({ ruleId }) => ruleId === 'config-unreadable')) return exitCodes.failure;
  if (summary.errors + summary.warnings > 0) return exitCodes.findings;
  if (requireRules && unjudged > 0) return exitCodes.findings;
  if (stacks.length === 0 && resourceCount === 0) return exitCodes.nothingChecked;
  const isUndecided =
    (failOnUnknown && summary.unknown > 0) ||
    (failOnUnset && unsetVariablesWithoutSecrets(findings).length > 0);
  return isUndecided ? exitCodes.unknown : exitCodes.clean;
}
