import type { Directory } from '../kernel/directory.js';
import type { Navigation } from '../kernel/object-type.js';
import type { StoredRecord } from '../store/records.js';
import type { Body } from '../store/objects.js';
import type { ReferringRecords } from '../store/referring-records.js';

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

/** The assignments as records that are deleted and restored with the objects on their sides. */
export function referringAssignments(directory: Directory): ReferringRecords {
  return {
    async list(objectId) {
      const lists = Object.keys(assignmentSides).map((side) =>
        directory.records.list(side, objectId),
      );
      return (await Promise.all(lists)).flat();
    },
    objectIdsOf: (body) => Object.values(assignmentSides).map((idProperty) => body[idProperty]),
    put: ({ id, body }) => putAssignment(directory, id, body),
    remove: (assignment) => removeAssignment(directory, assignment),
  };
}
