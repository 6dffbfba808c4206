import { startCommand } from './command-workload.js';
import type { HostingContext } from './hosting-context.js';
import { startContainers } from './image-workload.js';
import { type PageContext, startPage } from './page-workload.js';
import type { RevisionPlan } from './revision-plan.js';
import type { ReplicaContext, Workload } from './workload.js';

type Runnable = Pick<RevisionPlan, 'spec' | 'workloadKind'>;

/** Why a page is shown in place of a revision's image; undefined if none is. */
export function pageReason({ spec, workloadKind }: Runnable): string | undefined {
  if (spec.command !== undefined || workloadKind === 'image') return undefined;
  const image = spec.containers[0]?.image ?? 'its image';
  return spec.showsRequestPage
    ? `This page is shown in place of ${image}, as sandbox.page says.`
    : `No container engine answers here, so this page is shown in place of ${image}.`;
}

/** Starts a replica of a revision: its command, its containers, or a page in their place. */
export function startWorkload(
  { spec, workloadKind }: Runnable,
  replica: ReplicaContext,
  context: HostingContext,
  page: Pick<PageContext, 'dialect' | 'signInPrefix' | 'onRequest'>,
): Promise<Workload> {
  const { processes, log, project, tracer } = context;
  const groupName = (id: string) => context.groupName(id);
  if (spec.command !== undefined)
    return startCommand({ ...spec, command: spec.command }, replica, processes, log);
  const reason = pageReason({ spec, workloadKind });
  if (reason === undefined) return startContainers(spec, replica, processes, project);
  return startPage({ ...page, app: spec.app, reason, tracer, groupName });
}
