import { randomUUID } from 'node:crypto';
import { badRequest } from './errors.js';
import { asObject, nonEmptyText } from './json.js';
import type { WriteContext } from './kind.js';
import type { Json } from './store.js';

const identityTypes = new Map([
  ['none', 'None'],
  ['systemassigned', 'SystemAssigned'],
  ['userassigned', 'UserAssigned'],
  ['systemassigned,userassigned', 'SystemAssigned, UserAssigned'],
]);

/**
 * The managed identities that a resource requests, with existing or new ids.
 *
 * @throws ArmError 400 for an unknown type or a missing identity.
 */
export async function resolveIdentity(
  value: unknown,
  context: WriteContext,
): Promise<Json | undefined> {
  const identity = asObject(value);
  const requestedType = nonEmptyText(identity?.['type']) ?? 'None';
  const type = identityTypes.get(requestedType.toLowerCase().replaceAll(' ', ''));
  if (type === undefined)
    throw badRequest(
      'InvalidIdentityType',
      `The identity type '${requestedType}' is not supported.`,
    );
  if (type === 'None') return identity === undefined ? undefined : { type };
  const previous = context.previous?.identity;
  const system = type.startsWith('System')
    ? {
        principalId: nonEmptyText(previous?.['principalId']) ?? randomUUID(),
        tenantId: context.platform.tenantId,
      }
    : {};
  if (!type.endsWith('UserAssigned')) return { type, ...system };
  const userAssigned: Record<string, unknown> = {};
  for (const id of Object.keys(asObject(identity?.['userAssignedIdentities']) ?? {})) {
    const resource = await context.store.find(id);
    if (
      resource === undefined ||
      resource.type.toLowerCase() !== 'microsoft.managedidentity/userassignedidentities'
    )
      throw badRequest(
        'FailedIdentityOperation',
        `The resource '${id}' was not found: it can't be assigned as an identity.`,
      );
    userAssigned[id] = {
      principalId: resource.setByService['principalId'],
      clientId: resource.setByService['clientId'],
    };
  }
  if (Object.keys(userAssigned).length === 0)
    throw badRequest(
      'InvalidIdentityType',
      `The identity type '${requestedType}' needs at least one entry in 'userAssignedIdentities'.`,
    );
  return { type, ...system, userAssignedIdentities: userAssigned };
}
