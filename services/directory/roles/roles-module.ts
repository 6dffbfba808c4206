import { CastellanError } from '../../../core/errors/castellan-error.js';
import { roleTemplateIds } from '../authorization/directory-roles.js';
import type { DirectoryModule } from '../directory-module.js';
import { resolveSeedReference } from '../kernel/seeding.js';
import { activateRole, addDirectoryRoleRoutes, directoryRoleType } from './directory-roles.js';
import { syncRoleAssignmentsOnChange, addRoleAssignmentRoutes } from './role-assignments.js';
import { addRoleDefinitionRoutes } from './role-definitions.js';
import { findRoleTemplate } from './role-templates.js';

/** Directory roles, their templates, and role management. */
export const rolesModule: DirectoryModule = {
  types: [directoryRoleType],
  routes(router) {
    addDirectoryRoleRoutes(router);
    addRoleDefinitionRoutes(router);
    addRoleAssignmentRoutes(router);
  },
  async start(directory) {
    syncRoleAssignmentsOnChange(directory);
    const template = findRoleTemplate(roleTemplateIds.globalAdministrator);
    if (template) await activateRole(directory, template);
  },
  async seedReferences(directory, { directoryRoles: seededRoles = [] }) {
    for (const { roleTemplateId, members = [] } of seededRoles) {
      const template = findRoleTemplate(roleTemplateId);
      if (!template)
        throw new CastellanError(
          'CAS4002',
          `directoryRoles: ${JSON.stringify(roleTemplateId)} is not the id of a role template`,
        );
      const role = await activateRole(directory, template);
      for (const member of Array.isArray(members) ? (members as unknown[]) : [members])
        await directory.links.add(
          role,
          'roleMembers',
          await resolveSeedReference(directory, 'directoryRoles: members', member),
        );
    }
  },
};
