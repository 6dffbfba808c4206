import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { routesInWorkspace } from '../access/workspace-operation.js';
import {
  type WorkspaceAccess,
  relatedResourceOption,
  requireScope,
} from '../access/workspace-access.js';
import { isGuid } from '../../../core/values/guid.js';
import { type Answer, type Call, ok, type Route } from '../http/call.js';
import { pageAnswer } from '../http/paging.js';
import { Problem } from '../http/problem.js';
import type { CapacityTable, WorkspaceTable } from '../store/tables.js';

type CapacityRow = Selectable<CapacityTable>;

const workspacePath = '/workspaces/:workspaceId';
const adminOperation = { method: 'POST', minimumRole: 'Admin', scopeAccess: 'write' } as const;

/** The capacity and the identity of a workspace. */
export const capacityRoutes: readonly Route[] = [
  { method: 'GET', path: '/capacities', summary: 'List capacities', handler: listCapacities },
  {
    method: 'GET',
    path: '/capacities/:capacityId',
    summary: 'Get a capacity',
    handler: getCapacity,
  },
  ...routesInWorkspace([
    {
      ...adminOperation,
      path: `${workspacePath}/assignToCapacity`,
      summary: 'Assign a workspace to a capacity',
      success: 202,
      run: assignToCapacity,
    },
    {
      ...adminOperation,
      path: `${workspacePath}/unassignFromCapacity`,
      summary: 'Take a workspace off its capacity',
      success: 202,
      run: unassignFromCapacity,
    },
    {
      ...adminOperation,
      path: `${workspacePath}/provisionIdentity`,
      summary: 'Give a workspace an identity',
      run: provisionIdentity,
    },
    {
      ...adminOperation,
      path: `${workspacePath}/deprovisionIdentity`,
      summary: 'Remove the identity of a workspace',
      run: deprovisionIdentity,
    },
  ]),
];

function listCapacities(call: Call): Promise<Answer> {
  requireScope(call, { access: 'read', type: 'Capacity' });
  return pageAnswer(call, call.runtime.db.selectFrom('items_capacity').selectAll(), (rows) =>
    rows.map(viewCapacity),
  );
}

async function getCapacity(call: Call): Promise<Answer> {
  requireScope(call, { access: 'read', type: 'Capacity' });
  return ok(
    viewCapacity(await findCapacity(call, (call.params['capacityId'] ?? '').toLowerCase())),
  );
}

function viewCapacity({ id, display_name, sku, region, state }: CapacityRow): object {
  return { id, displayName: display_name, sku, region, state };
}

async function assignToCapacity(call: Call, access: WorkspaceAccess): Promise<Answer> {
  const { capacityId } = call.json();
  if (!isGuid(capacityId))
    throw new Problem('InvalidInput', 'capacityId is required and must be a UUID.');
  const id = capacityId.toLowerCase();
  await requireActiveCapacity(call, id);
  await updateWorkspace(call, access.workspace.id, { capacity_id: id });
  return { status: 202 };
}

async function unassignFromCapacity(call: Call, access: WorkspaceAccess): Promise<Answer> {
  if (access.workspace.capacity_id === null)
    throw new Problem('WorkspaceHasNoCapacityAssigned', 'The workspace is not on a capacity.');
  await updateWorkspace(call, access.workspace.id, { capacity_id: null });
  return { status: 202 };
}

async function provisionIdentity(
  call: Call,
  { workspace: { id } }: WorkspaceAccess,
): Promise<Answer> {
  const [applicationId, servicePrincipalId] = [randomUUID(), randomUUID()];
  const { numUpdatedRows } = await call.runtime.db
    .updateTable('items_workspace')
    .set({ identity_application_id: applicationId, identity_principal_id: servicePrincipalId })
    .where('id', '=', id)
    .where('identity_application_id', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n)
    throw new Problem('WorkspaceIdentityAlreadyExists', 'The workspace has an identity already.');
  return ok({ applicationId, servicePrincipalId });
}

async function deprovisionIdentity(call: Call, access: WorkspaceAccess): Promise<Answer> {
  if (access.workspace.identity_application_id === null)
    throw new Problem('WorkspaceIdentityNotFound', 'The workspace has no identity.', {
      status: 400,
    });
  await updateWorkspace(call, access.workspace.id, {
    identity_application_id: null,
    identity_principal_id: null,
  });
  return ok();
}

async function updateWorkspace(
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
    relatedResourceOption(capacityId, 'Capacity'),
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
    relatedResourceOption(id, 'Capacity'),
  );
}
