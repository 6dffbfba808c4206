import { resolve } from 'node:path';
import type { Finding } from '../../core/findings/finding.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { LoadedStack } from '../model/load-config.js';
import { stateRules } from '../plan-rules/index.js';
import type { AppliedPolicy } from '../policy/apply-policy.js';
import { applyPolicy } from '../policy/apply-policy.js';
import { rules as catalogue } from '../rules/index.js';
import type { PlanCheck } from '../sources/plan/check-plan.js';
import { laterValues } from './later-values.js';
import type { StackContext } from './run-stack.js';
import { nameOf, packFindings, runStack } from './run-stack.js';
import type { Declaration } from './stack-index.js';
import { StackIndex } from './stack-index.js';
import { valueAt } from './validate.js';

/** What is followed, and by what it is judged. */
export interface FollowContext extends StackContext {
  readonly cwd: string;
  readonly stacks: readonly LoadedStack[];
  /** What was found in each of the stacks. */
  readonly found: ReadonlyMap<LoadedStack, readonly Finding[]>;
  /** What is judged in a stack against its base. */
  readonly contextOf: (stack: LoadedStack) => StackContext;
}

/**
 * Follows what was found in the sources through a plan and a state: what they know of values that the sources don't is judged by every
 * rule again, where both have a finding it gets the address and the live id, and what only they tell is added.
 */
export async function followed(
  files: { readonly plan?: string | undefined; readonly state?: string | undefined },
  context: FollowContext,
): Promise<{ readonly findings: readonly Finding[]; readonly resources: number }> {
  const found = new Map(context.found);
  const known = new Map<string, Declaration>();
  const seen: Finding[] = [];
  let resources = 0;
  for (const [kind, file] of [
    ['plan', files.plan],
    ['state', files.state],
  ] as const) {
    if (file === undefined) continue;
    const checked = await resourcesOf(kind, file === '-' ? '/dev/stdin' : resolve(context.cwd, file), { ...context, found });
    resources += checked.resources;
    seen.push(...checked.findings);
    // A state speaks of what is; where the plan knows more, the plan is later.
    for (const [key, declaration] of checked.judged) if ((known.get(key)?.unknownPaths.length ?? 1) > 0) known.set(key, declaration);
  }
  for (const [stack, findings] of context.found) {
    if (!findings.some(({ verdict, path = [] }) => verdict === 'unknown' && known.has(path.slice(0, 2).join('.')))) continue;
    found.set(stack, await runStack(stack, { ...context.contextOf(stack), later: laterValues(known) }));
  }
  return { findings: merged([...found.values()].flat(), seen), resources };
}

async function resourcesOf(kind: 'plan' | 'state', file: string, context: FollowContext): Promise<PlanCheck> {
  const { checkPlan } = await import('../sources/plan/check-plan.js');
  const { stacks, now, packs } = context;
  const declaring = (path: readonly (string | number)[]): readonly LoadedStack[] =>
    path.length < 2 ? [] : stacks.filter(({ config }) => valueAt(config, path.slice(0, 2)) !== undefined);
  const policies = new Map(stacks.map((stack) => [stack, policyOf(stack, context)]));
  const { rules, ruleOptions } = policyOf(stacks.length === 1 ? stacks[0] : undefined, context);
  const open = [...context.found.values()].flat().filter(({ verdict }) => verdict === 'unknown');
  // Where two stacks declare the same, nobody knows which of them a plan is of.
  const wanted = new Set(open.flatMap(({ path = [] }) => (declaring(path).length === 1 ? [path.slice(0, 2).join('.')] : [])));
  const locate = (path: ConfigPath, at?: 'key' | 'value') => declaring(path)[0]?.locate(path, at);
  const options = { rules, ruleOptions, now, wanted, locate, collects: packs.length > 0 };
  const checked =
    kind === 'plan'
      ? await checkPlan((await import('../sources/plan/read-plan.js')).readPlan(file), options)
      : await checkPlan((await import('../sources/state/read-state.js')).readState(file), { ...options, planRules: stateRules });
  const findings = [...checked.findings, ...(await foundByPacks(checked.declarations, { ...context, ruleOptions, locate }))];
  const judged = findings.flatMap((finding): readonly Finding[] => {
    const [declared] = declaring(finding.path ?? []);
    // The source has been judged by what it says and by what the plan adds: what it knows is no open question.
    if (finding.verdict === 'unknown' && declared !== undefined) return [];
    const stack = declared ?? (stacks.length === 1 ? stacks[0] : undefined);
    const policy = stack === undefined ? policyOf(undefined, context) : policies.get(stack);
    const left = policy === undefined ? finding : policy.judge(finding);
    const name = stack === undefined ? undefined : nameOf(stack);
    return left === undefined ? [] : [name === undefined ? left : { ...left, stack: name }];
  });
  return { ...checked, findings: judged };
}

function policyOf(stack: LoadedStack | undefined, { policy, environment }: FollowContext): AppliedPolicy {
  const name = stack === undefined ? undefined : nameOf(stack);
  return applyPolicy(policy.config, catalogue, { stack: name, environment: stack?.environment ?? environment });
}

/** What the packs say of what a plan or state declares. */
async function foundByPacks(
  declarations: readonly Declaration[],
  context: FollowContext & Pick<AppliedPolicy, 'ruleOptions'> & { readonly locate: StackIndex['locate'] },
): Promise<readonly Finding[]> {
  if (declarations.length === 0) return [];
  const index = new StackIndex({}, declarations, () => [], context.locate);
  const origins = new Map(declarations.map(({ section, name, origin }) => [`${section}.${name}`, origin]));
  const { packs, now, ruleOptions } = context;
  const findings = await packFindings({ index, declarations }, { packs, now, ruleOptions });
  return findings.map((finding) => {
    const { terraformAddress, liveId } = origins.get((finding.path ?? []).slice(0, 2).join('.')) ?? {};
    return { ...finding, ...places(terraformAddress, liveId) };
  });
}

/** One finding followed through source, plan and state: where several have it, the source's gets the address and the live id. */
function merged(found: readonly Finding[], seen: readonly Finding[]): readonly Finding[] {
  const keyOf = ({ fingerprint, verdict, terraformAddress }: Finding, address = terraformAddress): string =>
    `${fingerprint} ${verdict} ${address ?? ''}`;
  const there = new Map<string, Finding>();
  for (const finding of seen) there.set(keyOf(finding), { ...there.get(keyOf(finding)), ...finding });
  const byFingerprint = new Map([...there.values()].map((finding) => [keyOf(finding, ''), finding]));
  const used = new Set<string>();
  const followed = found.map((finding) => {
    const same = byFingerprint.get(keyOf(finding, ''));
    if (same === undefined || (same.stack !== undefined && finding.stack !== undefined && same.stack !== finding.stack)) return finding;
    used.add(keyOf(same));
    return { ...finding, ...places(same.terraformAddress, same.liveId ?? finding.liveId) };
  });
  return [...followed, ...[...there].flatMap(([key, finding]) => (used.has(key) ? [] : [finding]))];
}

function places(terraformAddress: string | undefined, liveId: string | undefined): Pick<Finding, 'terraformAddress' | 'liveId'> {
  return { ...(terraformAddress === undefined ? {} : { terraformAddress }), ...(liveId === undefined ? {} : { liveId }) };
}
