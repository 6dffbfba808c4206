import { undefinedIfNotFound } from '../../../clients/common/index.js';
import type { AppRoleAssignment } from '../../../clients/directory/index.js';
import { isEqualIgnoringCase } from '../../schemas/spelling.js';
import { type BodyFields, expandFields, flattenFields } from '../body-fields.js';
import { isCreatedSince } from '../finders.js';
import type { ResourceHandler } from '../handler.js';
import { textOrEmpty } from '../read-values.js';
import { readOnlyText } from './application-fields.js';
import { parseImport } from './ids.js';

const assignmentFields: BodyFields = {
  app_role_id: 'appRoleId',
  principal_object_id: 'principalId',
  resource_object_id: 'resourceId',
  principal_display_name: readOnlyText('principalDisplayName'),
  principal_type: readOnlyText('principalType'),
  resource_display_name: readOnlyText('resourceDisplayName'),
};
const assignmentIdFormat = '/servicePrincipals/{resourceId}/appRoleAssignedTo/{assignment}';

function assignmentId(resource: string, assignment: string): string {
  return assignmentIdFormat.replace('{resourceId}', resource).replace('{assignment}', assignment);
}

/**
 * The resource azuread_app_role_assignment: a role of an application, assigned to a user, group or
 * application.
 */
export const appRoleAssignment: ResourceHandler = {
  async create({ api, planned, signal }) {
    const resource = textOrEmpty(planned, 'resource_object_id');
    const draft = expandFields(assignmentFields, planned) as never;
    const answer = await api.directory.servicePrincipals.appRoleAssignedTo.create(resource, draft, {
      signal,
    });
    return {
      ...flattenFields(assignmentFields, answer),
      id: assignmentId(resource, answer.id),
    };
  },
  async findExisting({ api, planned, createdSince, signal }) {
    const resource = textOrEmpty(planned, 'resource_object_id');
    const { appRoleAssignedTo } = api.directory.servicePrincipals;
    const isWanted = (assignment: AppRoleAssignment): boolean =>
      isEqualIgnoringCase(assignment.appRoleId, textOrEmpty(planned, 'app_role_id')) &&
      isEqualIgnoringCase(assignment.principalId, textOrEmpty(planned, 'principal_object_id')) &&
      isCreatedSince(createdSince, assignment.createdDateTime);
    for await (const assignment of appRoleAssignedTo.list(resource, { signal }))
      if (isWanted(assignment)) return { id: assignmentId(resource, assignment.id) };
    return undefined;
  },
  async read({ api, state, signal }) {
    const id = textOrEmpty(state, 'id');
    const { resourceId = '', assignment = '' } = parseImport(assignmentIdFormat, id);
    const link = await undefinedIfNotFound(
      api.directory.servicePrincipals.appRoleAssignedTo.get(resourceId, assignment, { signal }),
    );
    return link === undefined ? undefined : { id, ...flattenFields(assignmentFields, link) };
  },
  async delete({ api, state, signal }) {
    const { resourceId = '', assignment = '' } = parseImport(
      assignmentIdFormat,
      textOrEmpty(state, 'id'),
    );
    await undefinedIfNotFound(
      api.directory.servicePrincipals.appRoleAssignedTo.delete(resourceId, assignment, { signal }),
    );
  },
  import(id) {
    parseImport(assignmentIdFormat, id);
    return { id };
  },
};
