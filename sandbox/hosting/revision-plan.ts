import type { DeclaredApp } from '../../services/resource-manager/index.js';
import type { AppSettings } from '../settings.js';
import type { WorkloadKind } from './app-status.js';
import { type ScaleRule, scaleRule } from './scale.js';
import { type RevisionShare, revisionShares } from './traffic.js';
import type { WorkloadSpec } from './workload.js';
import { workloadSpec } from './workload-spec.js';

/** A revision that should run: its share of the traffic, its replicas, and how it scales. */
export interface RevisionPlan extends RevisionShare {
  readonly spec: WorkloadSpec;
  /** What its replicas run: the command or the image of the app, or a page in its place. */
  readonly workloadKind: WorkloadKind;
  readonly rule: ScaleRule;
  /** Differs where a running revision would need new replicas. */
  readonly replicaKey: string;
}

/**
 * The revisions of an app that should run.
 *
 * @param currentKind what its replicas run at the moment.
 * @throws Error when images run and the container engine stopped answering.
 */
export async function planRevisions(
  declaredApp: DeclaredApp,
  settings: AppSettings,
  context: { hasContainerEngine(): Promise<boolean>; readonly projectDir: string },
  currentKind: WorkloadKind,
): Promise<RevisionPlan[]> {
  if (declaredApp.isStopped) return [];
  const shares = revisionShares(declaredApp);
  const workloadKind = await chooseWorkloadKind(settings, context, currentKind);
  const hasIngress =
    ((declaredApp.properties['configuration'] ?? {}) as { ingress?: object | null }).ingress !=
    null;
  return shares.map((share) => {
    const spec = workloadSpec(declaredApp, share, settings, context.projectDir);
    const rule = scaleRule(
      share.template,
      workloadKind === 'image' ? 'image' : 'other',
      hasIngress,
    );
    const replicaKey = JSON.stringify([workloadKind, spec, rule, settings.dialect]);
    return { ...share, spec, rule, workloadKind, replicaKey };
  });
}

/** Whether an app runs as its command, its image, or a page in place of the image. */
async function chooseWorkloadKind(
  { command, page }: AppSettings,
  { hasContainerEngine }: { hasContainerEngine(): Promise<boolean> },
  currentKind: WorkloadKind,
): Promise<WorkloadKind> {
  if (command !== undefined) return 'command';
  if (page === true) return 'page';
  if (await hasContainerEngine()) return 'image';
  if (currentKind === 'image') throw new Error('the container engine does not answer');
  return 'page';
}
