import type { Finding } from '../../core/findings/finding.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import type { LoadOptions } from '../model/load-config.js';
import { loadConfig } from '../model/load-config.js';
import type { Report, ReportedRule } from '../reporters/report.js';
import { countFindings } from '../reporters/report.js';
import { rules as catalogue } from '../rules/index.js';
import { sections } from '../schemas/stack.js';
import packageJson from '../../package.json';
import { checkStack } from './check-stack.js';
import type { Rule } from './rule.js';

/** Where the pages of the rules are. */
const rulePages = 'https://github.com/castellan/castellan/blob/main/docs/rules';

/** What to check, and what may be known. */
export interface RunCheckOptions extends LoadOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now?: Date;
}

/** A finished check, with how many stacks it looked at. */
export interface CheckReport extends Report {
  readonly stacks: number;
}

/** Loads and checks configurations; what a report is made of. */
export async function runCheck(options: RunCheckOptions): Promise<CheckReport> {
  const started = performance.now();
  const { stacks, findings: problems, sources } = await loadConfig(options);
  const findings: Finding[] = [...problems];
  for (const stack of stacks)
    findings.push(...checkStack(stack, { env: options.env, ...(options.now === undefined ? {} : { now: options.now }) }));
  const ordered = [...findings].sort(byPlace);
  return {
    findings: ordered,
    sources,
    stacks: stacks.length,
    rules: reportedRules(catalogue),
    version: packageJson.version,
    summary: {
      files: sources.size,
      resources: stacks.reduce((sum, { config }) => sum + countDeclarations(config), 0),
      rules: catalogue.length,
      ...countFindings(ordered),
      suppressed: 0,
      milliseconds: Math.round(performance.now() - started),
    },
  };
}

/** What reports say of rules. */
export function reportedRules(rules: readonly Rule[]): ReadonlyMap<string, ReportedRule> {
  return new Map(rules.map(({ id, title, why, severity }) => [id, { id, title, why, severity, helpUri: `${rulePages}/${id}.md` }]));
}

function countDeclarations(config: unknown): number {
  if (config === null || typeof config !== 'object') return 0;
  return Object.keys(sections).reduce((sum, section) => {
    const declared = (config as Readonly<Record<string, unknown>>)[section];
    return sum + (declared !== null && typeof declared === 'object' ? Object.keys(declared).length : 0);
  }, 0);
}

function byPlace(a: Finding, b: Finding): number {
  const [left, right] = [a.location, b.location];
  if (left === undefined || right === undefined) return (left === undefined ? 1 : 0) - (right === undefined ? 1 : 0);
  if (left.file !== right.file) return left.file < right.file ? -1 : 1;
  return left.line - right.line || left.column - right.column || (a.ruleId < b.ruleId ? -1 : 1);
}

/** The exit code of a report, whatever its format. */
export function exitCodeOf({ findings, summary, stacks }: CheckReport, { failOnUnknown }: { readonly failOnUnknown: boolean }): number {
  if (findings.some(({ ruleId }) => ruleId === 'config-unreadable')) return exitCodes.failure;
  if (summary.errors + summary.warnings > 0) return exitCodes.findings;
  if (stacks === 0) return exitCodes.nothingChecked;
  return failOnUnknown && summary.unknown > 0 ? exitCodes.unknown : exitCodes.clean;
}
