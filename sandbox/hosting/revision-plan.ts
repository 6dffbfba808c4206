import type { DeclaredApp } from '../../services/resource-manager/index.js';
import type { AppSettings } from '../settings.js';
import type { AppStatus } from './app-status.js';
import { type ScaleRule, scaleRule } from './scale.js';
import { type RevisionShare, revisionShares } from './traffic.js';
import type { WorkloadSpec } from './workload.js';
import { workloadSpec } from './workload-spec.js';

/** The specification of a revision. */
export interface RevisionPlan extends RevisionShare {
  readonly spec: WorkloadSpec;
  readonly runs: AppStatus['runs'];
  readonly rule: ScaleRule;
  /** Changes with everything that needs new replicas. */
  readonly key: string;
}

/**
 * The revisions of an app that should run.
 *
 * @param before what runs at the moment.
 * @throws Error when images run and the container engine stopped answering.
 */
export async function planRevisions(
  declared: DeclaredApp,
  settings: AppSettings,
  { engine, projectDir }: { engine(): Promise<boolean>; readonly projectDir: string },
  before: AppStatus['runs'],
): Promise<RevisionPlan[]> {
  if (declared.stopped) return [];
  const shares = revisionShares(declared);
  const isCommand = settings.command !== undefined;
  const hasEngine = isCommand || settings.page === true ? false : await engine();
  if (!hasEngine && !isCommand && before === 'image' && settings.page !== true)
    throw new Error('the container engine does not answer');
  const runs = isCommand ? 'command' : hasEngine ? 'image' : 'page';
  const hasIngress =
    ((declared.properties['configuration'] ?? {}) as { ingress?: object | null }).ingress != null;
  return shares.map((share) => {
    const spec = workloadSpec(declared, share, settings, projectDir);
    const rule = scaleRule(share.template, runs === 'image' ? 'image' : 'other', hasIngress);
    const key = JSON.stringify([runs, spec, rule, settings.dialect]);
    return { ...share, spec, rule, runs, key };
  });
}
