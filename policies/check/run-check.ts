import { append } from '../../core/values/append.js';
import { dirname, resolve } from 'node:path';
import type { Finding } from '../../core/findings/finding.js';
import type { Graph } from '../../core/graph/graph.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import { diskFiles, type FileAccess } from '../../core/source/file-access.js';
import { readSource } from '../../core/source/read-source.js';
import type { SourceText } from '../../core/source/source-text.js';
import packageJson from '../../package.json';
import type { LoadedStack } from '../model/loaded-stack.js';
import { loadConfig } from '../model/load-config.js';
import type { LoadedPack } from '../packs/load-packs.js';
import { applyPolicy } from '../configuration/apply-policy.js';
import { policyFindings } from '../configuration/check-options.js';
import { type LoadedPolicy, loadPolicy } from '../configuration/load-policy.js';
import { misspeltScopes } from '../configuration/scope-names.js';
import { countFindings } from '../reporters/report.js';
import { rules as catalogue } from '../rules/index.js';
import { accept } from './accept.js';
import type { Base } from './base.js';
import { byPlace, type CheckReport, countDeclarations, reportedRules, type RunCheckOptions } from './check-report.js';
import { followed } from './follow.js';
import { nameOf, runStack, type StackContext } from './run-stack.js';

export { exitCodeOf, reportedRules } from './check-report.js';
export type { CheckReport, RunCheckOptions } from './check-report.js';

/** Loads and checks configurations by the policy next to them; what a report is made of. */
export async function runCheck(options: RunCheckOptions): Promise<CheckReport> {
  const started = process.uptime(); // node loads a module for performance.now()
  const files = options.files ?? diskFiles;
  const cwd = options.cwd ?? process.cwd();
  const now = options.now ?? new Date();
  const head = await loadConfig(options);
  const { stacks } = head;
  const sources = new Map<string, SourceText>(head.sources);
  const configFiles = stacks.flatMap((stack) => stack.files.slice(0, 1));
  const policy = await loadPolicy({ cwd, files, sources, file: options.policy, configFiles });
  const packs = await (options.packsOf?.(policy) ?? startPacks(policy, cwd));
  const rules = [...catalogue, ...packs.flatMap((pack) => pack.rules)];
  const ruleIds = rules.map(({ id }) => id);
  const found: Finding[] = [...head.findings, ...policy.findings, ...policyFindings(policy, rules)];
  const { env, environment, live } = options;
  const context: StackContext = { policy, packs, env, now, environment };
  let before: Base | undefined;
  let planned = 0;
  let plan: Graph | undefined;
  const notes: string[] = [];
  try {
    if (options.base !== undefined) {
      const { loadBase } = await import('./base.js');
      before = await loadBase({ ...options, cwd, ruleIds, head }, options.base, context);
      append(found, before.removed(head, files));
    }
    const contextOf = (stack: LoadedStack): StackContext => ({ ...context, base: before?.indexOf(stack) });
    const own = new Map<LoadedStack, readonly Finding[]>();
    for (const stack of stacks) own.set(stack, await runStack(stack, contextOf(stack)));
    const { manifest, drawsPlan } = options;
    const follow = await followed(options, { ...context, cwd, manifest, drawsPlan, live, stacks, found: own, contextOf });
    planned = follow.resources;
    plan = follow.plan;
    notes.push(...follow.notes);
    append(found, follow.findings);
    if (options.accessTests !== undefined) {
      const { judge } = applyPolicy(policy.config, rules, { stack: undefined, environment });
      append(
        found,
        (await options.accessTests(stacks)).flatMap((finding) => judge(finding) ?? []),
      );
    }
  } finally {
    if (options.packsOf === undefined) await Promise.all(packs.map((pack) => pack.close()));
  }
  const isJudged = judging(options);
  const stackNames = new Set(stacks.flatMap((stack) => nameOf(stack) ?? []));
  append(found, misspeltScopes(policy, { cwd, files, paths: options.paths, stacks, stackNames, environment }));
  const accepted = await accept(found, {
    ...{ stacks, stackNames, sources: head.sources, policy, ruleIds, now, cwd, files, baseline: options.baseline, isJudged },
    ...(before === undefined ? {} : { marked: (finding: Finding) => before.marked(finding) }),
  });
  const { environment: own, environments, unbaselined: open } = accepted;
  const held = heldIn(environments, own);
  const findings = accepted.findings.map(held).sort(byPlace);
  return {
    findings,
    sources: withLocated(sources, findings, { cwd, files }),
    inputs: [options.plan, options.state].filter((file) => file !== undefined && file !== '-') as readonly string[],
    ...(plan === undefined ? {} : { plan }),
    stacks,
    policy,
    planned,
    notes,
    suppressed: accepted.suppressed.map(held),
    usedSuppressions: accepted.used,
    unusedSuppressions: accepted.unused,
    unbaselined: open.map(held),
    baselineFile: accepted.baselineFile,
    environment: own,
    environments,
    isJudged,
    rules: reportedRules(rules),
    version: packageJson.version,
    summary: {
      files: head.sources.size,
      resources: stacks.reduce((sum, { config }) => sum + countDeclarations(config), planned),
      rules: rules.length,
      ...countFindings(findings),
      suppressed: accepted.suppressed.length,
      ...(accepted.baselined === 0 ? {} : { baselined: accepted.baselined }),
      ...(before === undefined ? {} : compared(findings, before.fixed([...open, ...accepted.suppressed]))),
      milliseconds: Math.round((process.uptime() - started) * 1000),
    },
  };
}

/** Says of a finding in which environment it holds, where there are several. */
function heldIn(environments: readonly string[], own = defaultEnvironment): (finding: Finding) => Finding {
  return (finding) => (environments.length === 0 ? finding : { ...finding, environments: [own] });
}

/** The texts behind the locations, also of files that only a manifest names. */
function withLocated(
  sources: ReadonlyMap<string, SourceText>,
  findings: readonly Finding[],
  { cwd, files }: { readonly cwd: string; readonly files: FileAccess },
): ReadonlyMap<string, SourceText> {
  const all = new Map(sources);
  for (const { location } of findings) {
    if (location === undefined || all.has(location.file) || files.look(resolve(cwd, location.file)).kind !== 'file') continue;
    const result = readSource(resolve(cwd, location.file), files, location.file);
    if ('source' in result) all.set(location.file, result.source);
  }
  return all;
}

function compared(findings: readonly Finding[], fixed: number): { readonly unchanged: number; readonly fixed: number } {
  return { unchanged: findings.filter(({ change }) => change === 'unchanged').length, fixed };
}

/** The rules that have what they look at. */
function judging({ live, plan, state, base }: RunCheckOptions): (ruleId: string) => boolean {
  return (id) => {
    if (id.startsWith('access-')) return false; // by `castellan access --base`
    if (id.startsWith('live-')) return live !== undefined;
    if (id.startsWith('plan-')) return plan !== undefined || state !== undefined;
    return id.startsWith('change-') ? base !== undefined : true;
  };
}

/** Starts the packs that a policy names. */
export async function startPacks(policy: LoadedPolicy, cwd: string): Promise<readonly LoadedPack[]> {
  const packs = policy.config.packs ?? [];
  if (packs.length === 0 || policy.file === undefined) return [];
  const { loadPacks } = await import('../packs/load-packs.js');
  return loadPacks(packs, resolve(cwd, dirname(policy.file)));
}
