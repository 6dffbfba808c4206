import { resolve } from 'node:path';
import type { Finding } from '../../core/findings/finding.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { LoadedStack } from '../model/load-config.js';
import { stateRules } from '../plan-rules/index.js';
import { applyPolicy } from '../policy/apply-policy.js';
import type { LoadedPolicy } from '../policy/load-policy.js';
import { rules as catalogue } from '../rules/index.js';
import type { PlanCheck } from '../sources/plan/check-plan.js';
import { startsWith } from './stack-index.js';
import { valueAt } from './validate.js';

/** Follows what was found in the sources through a plan and a state, and adds what only they tell. */
export async function followed(
  { plan, state }: { readonly plan?: string | undefined; readonly state?: string | undefined },
  context: PlanContext & { readonly cwd: string },
): Promise<{ readonly findings: readonly Finding[]; readonly resources: number }> {
  let { found: findings } = context;
  let resources = 0;
  for (const [kind, file] of [
    ['plan', plan],
    ['state', state],
  ] as const) {
    if (file === undefined) continue;
    const checked = await resourcesOf(kind, resolve(context.cwd, file), { ...context, found: findings });
    resources += checked.resources;
    findings = mergedWithPlan(findings, checked);
  }
  return { findings, resources };
}

interface PlanContext {
  readonly stacks: readonly LoadedStack[];
  readonly policy: LoadedPolicy;
  readonly now: Date;
  readonly found: readonly Finding[];
}

async function resourcesOf(kind: 'plan' | 'state', file: string, { stacks, policy, now, found }: PlanContext): Promise<PlanCheck> {
  const { checkPlan } = await import('../sources/plan/check-plan.js');
  const { rules, judge } = applyPolicy(policy.config, catalogue, { stack: undefined, environment: undefined });
  const declaring = (path: readonly (string | number)[]): LoadedStack | undefined =>
    stacks.find(({ config }) => valueAt(config, path.slice(0, 2)) !== undefined);
  const wanted = new Set(found.flatMap(({ verdict, path = [] }) => (verdict === 'unknown' ? [path.slice(0, 2).join('.')] : [])));
  const context = { rules, now, wanted, locate: (path: ConfigPath, at?: 'key' | 'value') => declaring(path)?.locate(path, at) };
  const checked =
    kind === 'plan'
      ? await checkPlan((await import('../sources/plan/read-plan.js')).readPlan(file), context)
      : await checkPlan((await import('../sources/state/read-state.js')).readState(file), { ...context, planRules: stateRules });
  return { ...checked, findings: checked.findings.flatMap((finding) => judge(finding) ?? []) };
}

/**
 * One finding followed through source and plan or state: where both have it, the source's gets the address and the live id; what the
 * source could not judge, and the plan or state can, is judged there.
 */
function mergedWithPlan(found: readonly Finding[], plan: PlanCheck): readonly Finding[] {
  const planned = new Map(plan.findings.map((finding) => [finding.fingerprint, finding]));
  const merged = found.flatMap((finding): readonly Finding[] => {
    const same = planned.get(finding.fingerprint);
    if (same !== undefined) {
      planned.delete(finding.fingerprint);
      const { terraformAddress, liveId } = same;
      return [{ ...finding, ...(terraformAddress === undefined ? {} : { terraformAddress }), ...(liveId === undefined ? {} : { liveId }) }];
    }
    const [section, name, ...property] = finding.path ?? [];
    const declaration = plan.judged.get(`${String(section)}.${String(name)}`);
    const isKnown =
      declaration !== undefined &&
      valueAt(declaration.value, property) !== undefined &&
      !declaration.unknownPaths.some((path) => startsWith(property, path));
    return finding.verdict === 'unknown' && isKnown ? [] : [finding];
  });
  return [...merged, ...planned.values()];
}
