import { directoryRoles } from '../authorization/directory-roles.js';
import type { DirectoryModule } from '../kernel/directory.js';
import { directoryRoleRoutes } from './directory-roles.js';
import { followRoleMembers, roleAssignmentRoutes } from './role-assignments.js';
import { roleDefinitionRoutes } from './role-definitions.js';
import { findRoleTemplate } from './role-templates.js';
import { activateRole, directoryRoleType } from './role-type.js';

/** Directory roles, their templates, and role management. */
export const rolesModule: DirectoryModule = {
  types: [directoryRoleType],
  routes(router) {
    directoryRoleRoutes(router);
    roleDefinitionRoutes(router);
    roleAssignmentRoutes(router);
  },
  async start(directory) {
    followRoleMembers(directory);
    const template = findRoleTemplate(directoryRoles.globalAdministrator);
    if (template) await activateRole(directory, template);
  },
};
