import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { routesInWorkspace } from '../access/workspace-routes.js';
import { type AccessedWorkspace, relatedResourceOf, requireScope } from '../access/roles.js';
import { isUuid } from '../http/checks.js';
import { type Answer, type Call, ok, type Route } from '../http/call.js';
import { page } from '../http/paging.js';
import { Problem } from '../http/problem.js';
import type { CapacityTable, WorkspaceTable } from '../store/tables.js';

type CapacityRow = Selectable<CapacityTable>;

const workspace = '/workspaces/:workspaceId';
const admin = { method: 'POST', minimumRole: 'Admin', access: 'write' } as const;

/** The capacity and the identity of a workspace. */
export const capacityRoutes: readonly Route[] = [
  { method: 'GET', path: '/capacities', summary: 'List capacities', handler: list },
  { method: 'GET', path: '/capacities/:capacityId', summary: 'Get a capacity', handler: get },
  ...routesInWorkspace([
    {
      ...admin,
      path: `${workspace}/assignToCapacity`,
      summary: 'Assign a workspace to a capacity',
      success: 202,
      run: assign,
    },
    {
      ...admin,
      path: `${workspace}/unassignFromCapacity`,
      summary: 'Take a workspace off its capacity',
      success: 202,
      run: unassign,
    },
    {
      ...admin,
      path: `${workspace}/provisionIdentity`,
      summary: 'Give a workspace an identity',
      run: provisionIdentity,
    },
    {
      ...admin,
      path: `${workspace}/deprovisionIdentity`,
      summary: 'Remove the identity of a workspace',
      run: deprovisionIdentity,
    },
  ]),
];

function list(call: Call): Promise<Answer> {
  requireScope(call, { to: 'read' });
  return page(call, call.runtime.db.selectFrom('items_capacity').selectAll(), (rows) =>
    rows.map(view),
  );
}

async function get(call: Call): Promise<Answer> {
  requireScope(call, { to: 'read' });
  return ok(view(await findCapacity(call, (call.params['capacityId'] ?? '').toLowerCase())));
}

function view({ id, display_name, sku, region, state }: CapacityRow): object {
  return { id, displayName: display_name, sku, region, state };
}

async function assign(call: Call, access: AccessedWorkspace): Promise<Answer> {
  const { capacityId } = call.json();
  if (!isUuid(capacityId))
    throw new Problem('InvalidInput', 'capacityId is required and must be a UUID.');
  const id = capacityId.toLowerCase();
  await requireActiveCapacity(call, id);
  await change(call, access.workspace.id, { capacity_id: id });
  return { status: 202 };
}

async function unassign(call: Call, access: AccessedWorkspace): Promise<Answer> {
  if (access.workspace.capacity_id === null)
    throw new Problem('WorkspaceHasNoCapacityAssigned', 'The workspace is not on a capacity.');
  await change(call, access.workspace.id, { capacity_id: null });
  return { status: 202 };
}

async function provisionIdentity(call: Call, access: AccessedWorkspace): Promise<Answer> {
  if (access.workspace.identity_application_id !== null)
    throw new Problem('WorkspaceIdentityAlreadyExists', 'The workspace has an identity already.');
  const [applicationId, servicePrincipalId] = [randomUUID(), randomUUID()];
  await change(call, access.workspace.id, {
    identity_application_id: applicationId,
    identity_principal_id: servicePrincipalId,
  });
  return ok({ applicationId, servicePrincipalId });
}

async function deprovisionIdentity(call: Call, access: AccessedWorkspace): Promise<Answer> {
  if (access.workspace.identity_application_id === null)
    throw new Problem('WorkspaceIdentityNotFound', 'The workspace has no identity.', {
      status: 400,
    });
  await change(call, access.workspace.id, {
    identity_application_id: null,
    identity_principal_id: null,
  });
  return ok();
}

async function change(
  call: Call,
  workspaceId: string,
  values: Partial<
    Pick<WorkspaceTable, 'capacity_id' | 'identity_application_id' | 'identity_principal_id'>
  >,
): Promise<void> {
  await call.runtime.db
    .updateTable('items_workspace')
    .set(values)
    .where('id', '=', workspaceId)
    .execute();
}

/** @throws Problem 404 for an unknown capacity, 400 for one that isn't active */
export async function requireActiveCapacity(call: Call, capacityId: string): Promise<void> {
  const { state } = await findCapacity(call, capacityId);
  if (state === 'Active') return;
  throw new Problem(
    'CapacityNotInActiveState',
    `The capacity ${capacityId} is ${state}, not Active.`,
    relatedResourceOf(capacityId, 'Capacity'),
  );
}

async function findCapacity(call: Call, id: string): Promise<CapacityRow> {
  const capacity = await call.runtime.db
    .selectFrom('items_capacity')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (capacity) return capacity;
  throw new Problem(
    'CapacityNotFound',
    `The capacity ${id} could not be found.`,
    relatedResourceOf(id, 'Capacity'),
  );
}
