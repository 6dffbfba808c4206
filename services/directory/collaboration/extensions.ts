import { findVisibleGroup, requireRoleOrOwnership } from '../groups/group-access.js';
import { badRequest, DirectoryError } from '../http/answers.js';
import type { Router } from '../http/router.js';
import { addRecordOperations } from '../kernel/record-operations.js';
import { odataType } from '../kernel/presentation.js';
import type { StoredObject } from '../store/objects.js';
import { groupRecordOptions } from './group-resources.js';

const collection = 'extension';

/** Adds the operations of a group's open extensions: named sets of custom properties. */
export function addExtensionRoutes(router: Router): void {
  addRecordOperations<StoredObject>(router, {
    ...groupRecordOptions,
    path: '/groups/{id}/extensions',
    collection,
    findParent: findVisibleGroup,
    present: ({ id, body }, { directory }) => ({
      '@odata.type': odataType(directory, 'openTypeExtension'),
      ...body,
      id,
    }),
    beforeWrite: requireRoleOrOwnership,
    create: async ({ directory: { records } }, values, group) => {
      const name = values['extensionName'];
      if (typeof name !== 'string' || !/^[\w.]{1,120}$/.test(name))
        throw badRequest('An extension needs an extensionName.', 'extensionName');
      if (await records.get(collection, group.id, name))
        throw new DirectoryError(
          409,
          'Request_Conflict',
          `There is an extension '${name}' already.`,
        );
      return records.put(collection, group.id, name, values);
    },
    change: async ({ directory }, { id, body }, values, group) => {
      if (values['extensionName'] !== undefined && values['extensionName'] !== id)
        throw badRequest("The property 'extensionName' cannot be changed.", 'extensionName');
      await directory.records.put(collection, group.id, id, { ...body, ...values });
    },
    allowRemove: true,
  });
}
