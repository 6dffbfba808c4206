import { group } from '../../../kinds/group/group.js';
import { hasPermission } from '../authorization/access.js';
import { badRequest, denied } from '../http/errors.js';
import type { DirectoryRequest } from '../http/request.js';
import { ownerTypes } from './owners.js';
import { bindings, resolveReference } from '../kernel/references.js';
import type { Body, StoredObject } from '../store/objects.js';

/** The objects that a body binds. */
export interface Binds {
  readonly owners: readonly StoredObject[];
  readonly members: readonly StoredObject[];
}

/**
 * Reads `owners@odata.bind` and `members@odata.bind`: together at most 20, none twice in one list, all of them known.
 *
 * @throws DirectoryError 400 or 404.
 */
export async function readBinds(request: DirectoryRequest, body: Body): Promise<Binds> {
  const owners = bindings(request.directory, body, 'owners', ownerTypes) ?? [];
  const members = bindings(request.directory, body, 'members') ?? [];
  const { bindsPerRequest } = group.limits;
  if (owners.length + members.length > bindsPerRequest)
    throw badRequest(`The request binds ${owners.length + members.length} objects; at most ${bindsPerRequest} are allowed in one request.`);
  return { owners: await resolveAll(request, owners), members: await resolveAll(request, members) };
}

async function resolveAll(request: DirectoryRequest, references: readonly string[]): Promise<StoredObject[]> {
  const objects: StoredObject[] = [];
  for (const reference of references) objects.push(await resolveReference(request.directory, reference));
  if (new Set(objects.map((object) => object.id)).size !== objects.length) throw duplicateValues();
  return objects;
}

/** One object named twice. The clients look for exactly these words. */
export function duplicateValues(): Error {
  return badRequest('Request contains a property with duplicate values.');
}

const readers: Readonly<Record<string, readonly string[]>> = {
  user: ['User.Read.All', 'User.ReadWrite.All', 'Directory.Read.All', 'Directory.ReadWrite.All'],
  servicePrincipal: ['Application.Read.All', 'Application.ReadWrite.All', 'Directory.Read.All', 'Directory.ReadWrite.All'],
};

/** An application that binds objects at creation must be allowed to read them; itself it may always bind. @throws DirectoryError 403. */
export function requireReadable(request: DirectoryRequest, binds: Binds): void {
  const { caller } = request;
  if (caller.kind !== 'application') return;
  for (const object of [...binds.owners, ...binds.members]) {
    const permissions = readers[object.type];
    if (permissions === undefined || object.id === caller.objectId.toLowerCase() || hasPermission(caller, ...permissions)) continue;
    throw denied(`Insufficient privileges to complete the operation: binding a ${object.type} needs one of ${permissions.join(', ')}.`);
  }
}
