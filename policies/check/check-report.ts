import { documentation } from '../../core/text/documentation.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import type { Finding } from '../../core/findings/finding.js';
import type { LoadOptions } from '../model/load-config.js';
import type { LoadedStack } from '../model/loaded-stack.js';
import type { LoadedPack } from '../packs/load-packs.js';
import type { LoadedPolicy } from '../configuration/load-policy.js';
import type { Suppression } from '../configuration/suppression-comments.js';
import type { Report, ReportedRule } from '../reporters/report.js';
import { sections } from '../../kinds/stack/schema.js';
import type { LiveReader } from '../model/live-reader.js';
import type { Rule } from '../engine/rule.js';

/** Where the pages of the rules are. */
const rulePages = `${documentation}/rules`;

/** What to check, and what may be known. */
export interface RunCheckOptions extends LoadOptions {
  /** The environment that `${env:NAME}` reads, usually `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The time that dates are held against. @default now */
  readonly now?: Date;
  /** The policy file. @default castellan.policy.yaml in the folder or beside a configuration */
  readonly policy?: string | undefined;
  /** The baseline file, or `none`. @default castellan.baseline.json in the folder, where there is one */
  readonly baseline?: string | undefined;
  /** A plan as `terraform show -json` prints it, checked together with the configurations. */
  readonly plan?: string | undefined;
  /** Whether the report has a picture of the plan. @default false */
  readonly drawsPlan?: boolean;
  /** A state, as `terraform show -json` prints it or as Terraform keeps it, checked together with the configurations. */
  readonly state?: string | undefined;
  /** The manifest of the synthesis behind the plan or state. @default the one beside it, or in `cdktf.out` */
  readonly manifest?: string | undefined;
  /** Reads the live directory, whose groups are held against the declared ones. */
  readonly live?: LiveReader | undefined;
  /** A commit, branch or tag to compare with: what was there before does not fail the check, and dangerous changes are findings. */
  readonly base?: string | undefined;
  /** Runs the access tests next to the configurations. */
  readonly accessTests?: ((stacks: readonly LoadedStack[]) => Promise<readonly Finding[]>) | undefined;
  /**
   * Gives the packs of a policy and keeps them running, where many checks share them. @default started for this check, and ended with it
   */
  readonly packsOf?: ((policy: LoadedPolicy) => Promise<readonly LoadedPack[]>) | undefined;
}

/** A finished check, with what came of it before anything was counted out. */
export interface CheckReport extends Report {
  readonly stacks: readonly LoadedStack[];
  readonly policy: LoadedPolicy;
  /** How many resources of a plan or state were looked at. */
  readonly planned: number;
  /** What is to be said besides the findings. */
  readonly notes: readonly string[];
  /** The findings that suppressions accept. */
  readonly suppressed: readonly Finding[];
  /** The suppressions that accept something. */
  readonly usedSuppressions: readonly Suppression[];
  /** The suppressions that accept nothing in the environment that was checked. */
  readonly unusedSuppressions: readonly Suppression[];
  /** The findings that are left when suppressions are applied, those of the baseline included. */
  readonly unbaselined: readonly Finding[];
  readonly baselineFile: string | undefined;
  /** The environment that was checked, where it has an overlay. */
  readonly environment: string | undefined;
  /** The environments that the configurations have an overlay for. */
  readonly environments: readonly string[];
  /** Whether a rule had what it looks at: those about live things, plans and changes speak only when these are given. */
  readonly isJudged: (ruleId: string) => boolean;
}

/** What reports say of rules. */
export function reportedRules(rules: readonly Rule[]): ReadonlyMap<string, ReportedRule> {
  return new Map(rules.map(({ id, title, why, severity }) => [id, { id, title, why, severity, helpUri: `${rulePages}/${id}.md` }]));
}

/** How many things a configuration declares. */
export function countDeclarations(config: unknown): number {
  if (config === null || typeof config !== 'object') return 0;
  return Object.keys(sections).reduce((sum, section) => {
    const declared = (config as Readonly<Record<string, unknown>>)[section];
    return sum + (declared !== null && typeof declared === 'object' ? Object.keys(declared).length : 0);
  }, 0);
}

/** The order of findings: by file and place, those without a place last. */
export function byPlace(a: Finding, b: Finding): number {
  const [left, right] = [a.location, b.location];
  if (left === undefined || right === undefined) return (left === undefined ? 1 : 0) - (right === undefined ? 1 : 0);
  if (left.file !== right.file) return left.file < right.file ? -1 : 1;
  return left.line - right.line || left.column - right.column || (a.ruleId < b.ruleId ? -1 : 1);
}

/**
 * The exit code of a report, whatever its format.
 *
 * @example
 * process.exitCode = exitCodeOf(await runCheck({ paths: ['.'], cwd: process.cwd(), env: process.env }), { failOnUnknown: false });
 */
export function exitCodeOf(
  { findings, summary, stacks, planned }: CheckReport,
  { failOnUnknown }: { readonly failOnUnknown: boolean },
): number {
  if (findings.some(({ ruleId }) => ruleId === 'config-unreadable')) return exitCodes.failure;
  if (summary.errors + summary.warnings > 0) return exitCodes.findings;
  if (stacks.length === 0 && planned === 0) return exitCodes.nothingChecked;
  return failOnUnknown && summary.unknown > 0 ? exitCodes.unknown : exitCodes.clean;
}
