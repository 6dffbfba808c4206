import { present } from '../kernel/presentation.js';
import {
  presentRecord,
  type RecordOperations,
  type RecordParent,
  selectProperties,
} from '../kernel/record-operations.js';

import { mayRead } from '../membership/hidden-memberships.js';
import { findRoleDefinition } from './role-definitions.js';

type Expansions = NonNullable<RecordOperations<RecordParent>['expansions']>;

/** What `$expand` reads of the object whose id a record has in a property: null if it is gone. */
function objectExpansion(property: string): Expansions[string] {
  return async (request, body, { select }) => {
    const { directory } = request;
    const object = await directory.objects.get(String(body[property]));
    if (!object) return null;
    const masked = !mayRead(request, object);
    return present(directory, object, { select, withODataType: true, masked });
  };
}

/** What `$expand` reads of a record that gives a principal a directory role. */
export const roleGrantExpansions: Expansions = {
  principal: objectExpansion('principalId'),
  roleDefinition: async ({ directory }, { roleDefinitionId }, { select }) => {
    const definition = await findRoleDefinition(directory, String(roleDefinitionId));
    if (!definition) return null;
    const view = presentRecord(definition);
    return select ? selectProperties(view, select) : view;
  },
};

/** What `$expand` reads of a record that makes a principal member or owner of a group. */
export const groupGrantExpansions: Expansions = {
  principal: objectExpansion('principalId'),
  group: objectExpansion('groupId'),
};
