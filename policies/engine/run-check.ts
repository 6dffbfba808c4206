import { dirname, join, resolve } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import type { Finding } from '../../core/findings/finding.js';
import type { FileAccess } from '../../core/source/file-access.js';
import { diskFiles } from '../../core/source/file-access.js';
import type { SourceText } from '../../core/source/source-text.js';
import packageJson from '../../package.json';
import type { LoadedStack, LoadOptions } from '../model/load-config.js';
import { loadConfig } from '../model/load-config.js';
import type { LoadedPack } from '../packs/load-packs.js';
import type { PackInput } from '../packs/messages.js';
import { applyPolicy } from '../policy/apply-policy.js';
import type { Baseline } from '../policy/baseline.js';
import { applyBaseline, baselineName } from '../policy/baseline.js';
import type { LoadedPolicy } from '../policy/load-policy.js';
import { loadPolicy, unknownRules } from '../policy/load-policy.js';
import { suppress } from '../policy/suppress.js';
import type { Suppression } from '../policy/suppression-comments.js';
import { suppressionComments } from '../policy/suppression-comments.js';
import type { Report, ReportedRule } from '../reporters/report.js';
import { countFindings } from '../reporters/report.js';
import { rules as catalogue } from '../rules/index.js';
import { sections } from '../schemas/stack.js';
import type { LiveReader } from '../sources/live/live-reader.js';
import { packFailed } from '../rules/pack-failed.js';
import type { Base } from './base.js';
import { followed } from './follow.js';
import type { PreparedStack } from './check-stack.js';
import { prepareStack } from './check-stack.js';
import { makeFinding, withoutRepeats } from './finding-maker.js';
import type { Rule } from './rule.js';
import { runRules } from './run-rules.js';
import type { StackIndex } from './stack-index.js';
import { valueAt } from './validate.js';

/** Where the pages of the rules are. */
const rulePages = 'https://github.com/castellan/castellan/blob/main/docs/rules';

/** What to check, and what may be known. */
export interface RunCheckOptions extends LoadOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The time that dates are held against. @default now */
  readonly now?: Date;
  /** The policy file. @default castellan.policy.yaml in the folder or beside a configuration */
  readonly policy?: string | undefined;
  /** The baseline file, or `none`. @default castellan.baseline.json in the folder, where there is one */
  readonly baseline?: string | undefined;
  /** A plan as `terraform show -json` prints it, checked together with the configurations. */
  readonly plan?: string | undefined;
  /** A state as `terraform show -json` prints it, checked together with the configurations. */
  readonly state?: string | undefined;
  /** Reads the live directory, whose groups are held against the declared ones. */
  readonly live?: LiveReader | undefined;
  /** A commit, branch or tag to compare with: what was there before does not fail the check, and dangerous changes are findings. */
  readonly base?: string | undefined;
}

/** A finished check, with what came of it before anything was counted out. */
export interface CheckReport extends Report {
  readonly stacks: readonly LoadedStack[];
  readonly policy: LoadedPolicy;
  /** How many resources of a plan or state were looked at. */
  readonly planned: number;
  /** The findings that suppressions accept. */
  readonly suppressed: readonly Finding[];
  /** The suppressions that accept nothing. */
  readonly unusedSuppressions: readonly Suppression[];
  /** The findings that are left when suppressions are applied, those of the baseline included. */
  readonly unbaselined: readonly Finding[];
  readonly baselineFile: string | undefined;
}

/** Loads and checks configurations by the policy that stands beside them; what a report is made of. */
export async function runCheck(options: RunCheckOptions): Promise<CheckReport> {
  const started = performance.now();
  const files = options.files ?? diskFiles;
  const cwd = options.cwd ?? process.cwd();
  const now = options.now ?? new Date();
  const { stacks, findings: problems, sources } = await loadConfig(options);
  const allSources = new Map<string, SourceText>(sources);
  const configFiles = stacks.flatMap((stack) => stack.files.slice(0, 1));
  const policy = await loadPolicy({ cwd, files, sources: allSources, file: options.policy, configFiles });
  const packs = await startPacks(policy, cwd);
  const rules = [...catalogue, ...packs.flatMap((pack) => pack.rules)];
  const found: Finding[] = [...problems, ...policy.findings, ...unknownRules(policy, rules)];
  const before = options.base === undefined ? undefined : await loadBase({ ...options, cwd, now }, options.base);
  try {
    for (const stack of stacks)
      found.push(...(await checked(stack, policy, packs, { env: options.env, now, base: before?.indexOf(stack), live: options.live })));
  } finally {
    await Promise.all(packs.map((pack) => pack.close()));
  }
  const { findings: merged, resources: planned } = await followed(options, { stacks, policy, now, found, cwd });
  const ruleIds = rules.map(({ id }) => id);
  const valueOf = (finding: Finding): unknown =>
    stacks.map(({ config }) => valueAt(config, finding.path ?? [])).find((value) => value !== undefined);
  const result = suppress(
    before === undefined ? merged : merged.map((finding) => before.marked(finding)),
    suppressionsOf(sources, policy),
    { now, ruleIds, valueOf, isLive: options.live !== undefined },
  );
  const baseline = readBaseline(options.baseline ?? policy.config.baseline, { cwd, files, policyFile: policy.file });
  const based =
    baseline === undefined
      ? { findings: result.findings, baselined: 0 }
      : applyBaseline(result.findings, { ...baseline, checked: new Set(sources.keys()), isLive: options.live !== undefined });
  const findings = [...based.findings].sort(byPlace);
  return {
    findings,
    sources: allSources,
    stacks,
    policy,
    planned,
    suppressed: result.suppressed,
    unusedSuppressions: result.unused,
    unbaselined: result.findings,
    baselineFile: baseline?.file,
    rules: reportedRules(rules),
    version: packageJson.version,
    summary: {
      files: sources.size,
      resources: stacks.reduce((sum, { config }) => sum + countDeclarations(config), planned),
      rules: rules.length,
      ...countFindings(findings),
      suppressed: result.suppressed.length,
      ...(based.baselined === 0 ? {} : { baselined: based.baselined }),
      ...(before === undefined ? {} : before.compared(findings)),
      milliseconds: Math.round(performance.now() - started),
    },
  };
}

async function startPacks(policy: LoadedPolicy, cwd: string): Promise<readonly LoadedPack[]> {
  const packs = policy.config.packs ?? [];
  if (packs.length === 0 || policy.file === undefined) return [];
  const { loadPacks } = await import('../packs/load-packs.js');
  return loadPacks(packs, resolve(cwd, dirname(policy.file)));
}

async function checked(
  stack: LoadedStack,
  policy: LoadedPolicy,
  packs: readonly LoadedPack[],
  known: {
    readonly env: RunCheckOptions['env'];
    readonly now: Date;
    readonly base: StackIndex | undefined;
    readonly live: LiveReader | undefined;
  },
): Promise<readonly Finding[]> {
  const name = (stack.config as { readonly stack?: unknown } | null)?.stack;
  const target = { stack: typeof name === 'string' ? name : undefined, environment: stack.environment };
  const { rules, ruleOptions, judge } = applyPolicy(policy.config, catalogue, target);
  const prepared = prepareStack(stack, { ...known, rules });
  const findings = [...prepared.findings, ...runRules(prepared.index, rules, { ...known, ruleOptions, scope: 'stack' })];
  for (const pack of packs) findings.push(...(await packFindings(pack, prepared, { ruleOptions, now: known.now })));
  if (known.live !== undefined) {
    const { checkLive } = await import('../sources/live/check-live.js');
    findings.push(...(await checkLive(prepared.index, known.live, rules)));
  }
  return withoutRepeats(findings).flatMap((finding) => judge(finding) ?? []);
}

async function loadBase(options: RunCheckOptions & { readonly cwd: string; readonly now: Date }, ref: string): Promise<Base> {
  const { loadBase: load } = await import('./base.js');
  return load(options, ref);
}

/** What the rules of a pack say of a stack, with its places. */
async function packFindings(
  pack: LoadedPack,
  { index, declarations }: PreparedStack,
  known: { readonly ruleOptions: PackInput['ruleOptions']; readonly now: Date },
): Promise<readonly Finding[]> {
  const input = {
    settings: index.settings,
    declarations: declarations.map(({ section, name, value, unknownPaths }) => ({ section, name, value, unknownPaths })),
    ruleOptions: known.ruleOptions,
    now: known.now.toISOString(),
  };
  const { findings, failures } = await pack.run(input);
  const located = findings.map((finding) => {
    const location = index.locate(finding.path ?? []);
    return location === undefined ? finding : { ...finding, location };
  });
  const failed = failures.map((reason) =>
    makeFinding(
      packFailed,
      { messageId: 'failed', parameters: { given: pack.name, reason } },
      { path: ['packs', pack.name], origin: {} },
      () => undefined,
    ),
  );
  return [...located, ...failed];
}

function suppressionsOf(sources: ReadonlyMap<string, SourceText>, policy: LoadedPolicy): readonly Suppression[] {
  const listed = (policy.config.suppressions ?? []).map((each, index): Suppression => {
    const location = policy.locate(['suppressions', index]) ?? { file: policy.file ?? '', line: 1, column: 1 };
    return { ...each, location };
  });
  return [...[...sources.values()].flatMap(suppressionComments), ...listed];
}

function readBaseline(
  given: string | undefined,
  { cwd, files, policyFile }: { readonly cwd: string; readonly files: FileAccess; readonly policyFile: string | undefined },
): { readonly baseline: Baseline; readonly file: string } | undefined {
  if (given === 'none') return undefined;
  const file = given ?? join(policyFile === undefined ? '.' : dirname(policyFile), baselineName);
  if (files.look(resolve(cwd, file)).kind !== 'file') {
    if (given === undefined) return undefined;
    throw new CastellanError('CAS7002', `the baseline ${file} does not exist; write it with castellan baseline write`, {
      details: { file },
    });
  }
  try {
    const baseline = JSON.parse(Buffer.from(files.read(resolve(cwd, file))).toString('utf8')) as Baseline;
    if (baseline.version !== 1 || !Array.isArray(baseline.findings)) throw new Error('it is no baseline of version 1');
    return { baseline, file };
  } catch (cause) {
    throw new CastellanError('CAS7002', `the baseline ${file} can't be read: ${(cause as Error).message}`, { details: { file }, cause });
  }
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
export function exitCodeOf(
  { findings, summary, stacks, planned }: CheckReport,
  { failOnUnknown }: { readonly failOnUnknown: boolean },
): number {
  if (findings.some(({ ruleId }) => ruleId === 'config-unreadable')) return exitCodes.failure;
  if (summary.errors + summary.warnings > 0) return exitCodes.findings;
  if (stacks.length === 0 && planned === 0) return exitCodes.nothingChecked;
  return failOnUnknown && summary.unknown > 0 ? exitCodes.unknown : exitCodes.clean;
}
