import type { DirectoryModule } from '../directory-module.js';
import { appRoleAssignmentRoutes, seedAssignments } from './app-role-assignments.js';
import { removeAssignmentsOf } from './assignment-store.js';
import { permissionGrantRoutes, removeGrantsOf } from './permission-grants.js';

const ends = ['user', 'group', 'servicePrincipal'];

/** What was granted to whom: app roles, and delegated permissions. */
export const grantsModule: DirectoryModule = {
  routes(router) {
    appRoleAssignmentRoutes(router);
    permissionGrantRoutes(router);
  },
  start(directory) {
    directory.objects.listen({
      removed: async (object) => {
        if (!ends.includes(object.type)) return;
        await removeAssignmentsOf(directory, object);
        if (object.type !== 'group') await removeGrantsOf(directory, object);
      },
    });
    return Promise.resolve();
  },
  async linkSeeded(directory, { servicePrincipals = [] }) {
    for (const entry of servicePrincipals) await seedAssignments(directory, entry);
  },
};
