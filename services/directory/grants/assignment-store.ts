import type { Directory } from '../kernel/directory.js';
import type { Navigation } from '../kernel/object-type.js';
import type { StoredRecord } from '../store/records.js';
import type { Body, StoredObject } from '../store/objects.js';

/**
 * The two sides of an app role assignment: for each navigation property that lists assignments, the
 * property of an assignment that has the id of the object on that side. An assignment is stored
 * twice, once for each side: in a collection named like the navigation property, below that id.
 */
export const assignmentSides = {
  appRoleAssignedTo: 'resourceId',
  appRoleAssignments: 'principalId',
} as const;

/** A side, named by its navigation property. */
export type AssignmentSide = keyof typeof assignmentSides;

/** Stores an assignment under both of its sides. */
export async function putAssignment(
  directory: Directory,
  id: string,
  body: Body,
): Promise<StoredRecord> {
  const sort = String(body['createdDateTime']);
  for (const [side, idProperty] of Object.entries(assignmentSides))
    await directory.records.put(side, String(body[idProperty]), id, body, sort);
  return { id, body };
}

/** Deletes an assignment from both of its sides. */
export async function removeAssignment(
  directory: Directory,
  { id, body }: StoredRecord,
): Promise<void> {
  for (const [side, idProperty] of Object.entries(assignmentSides))
    await directory.records.remove(side, String(body[idProperty]), id);
}

/** The navigation property of a side, for `$expand`. */
export function assignmentNavigation(side: AssignmentSide): Navigation {
  return {
    read: async (directory, { id }) =>
      (await directory.records.list(side, id)).map((record) => ({ id: record.id, ...record.body })),
  };
}

/** Deletes the assignments of a deleted object, on both sides. */
export async function removeAssignmentsOf(
  directory: Directory,
  object: StoredObject,
): Promise<void> {
  for (const side of Object.keys(assignmentSides))
    for (const assignment of await directory.records.list(side, object.id))
      await removeAssignment(directory, assignment);
}
