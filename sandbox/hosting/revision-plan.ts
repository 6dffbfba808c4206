import type { DeclaredApp } from '../../services/resource-manager/index.js';
import type { AppSettings } from '../settings.js';
import type { AppStatus } from './app-status.js';
import { type ScaleRule, scaleRule } from './scale.js';
import { type RevisionShare, revisionShares } from './traffic.js';
import type { WorkloadSpec } from './workload.js';
import { workloadSpec } from './workload-spec.js';

/** A revision that should run: its share of the traffic, its replicas, and how it scales. */
export interface RevisionPlan extends RevisionShare {
  readonly spec: WorkloadSpec;
  /** What its replicas run: the command or the image of the app, or a page in its place. */
  readonly runs: AppStatus['runs'];
  readonly rule: ScaleRule;
  /** Differs where a running revision would need new replicas. */
  readonly replicaKey: string;
}

/**
 * The revisions of an app that should run.
 *
 * @param currentRuns what runs at the moment.
 * @throws Error when images run and the container engine stopped answering.
 */
export async function planRevisions(
  declaredApp: DeclaredApp,
  settings: AppSettings,
  context: { hasContainerEngine(): Promise<boolean>; readonly projectDir: string },
  currentRuns: AppStatus['runs'],
): Promise<RevisionPlan[]> {
  if (declaredApp.isStopped) return [];
  const shares = revisionShares(declaredApp);
  const runs = await chooseRuns(settings, context, currentRuns);
  const hasIngress =
    ((declaredApp.properties['configuration'] ?? {}) as { ingress?: object | null }).ingress !=
    null;
  return shares.map((share) => {
    const spec = workloadSpec(declaredApp, share, settings, context.projectDir);
    const rule = scaleRule(share.template, runs === 'image' ? 'image' : 'other', hasIngress);
    const replicaKey = JSON.stringify([runs, spec, rule, settings.dialect]);
    return { ...share, spec, rule, runs, replicaKey };
  });
}

/** Whether an app runs as its command, its image, or a page in place of the image. */
async function chooseRuns(
  { command, page }: AppSettings,
  { hasContainerEngine }: { hasContainerEngine(): Promise<boolean> },
  currentRuns: AppStatus['runs'],
): Promise<AppStatus['runs']> {
  if (command !== undefined) return 'command';
  if (page === true) return 'page';
  if (await hasContainerEngine()) return 'image';
  if (currentRuns === 'image') throw new Error('the container engine does not answer');
  return 'page';
}
