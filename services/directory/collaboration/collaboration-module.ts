import type { DirectoryModule } from '../directory-module.js';
import { calendarRoutes } from './calendar.js';
import { conversationRoutes } from './conversations.js';
import { driveRoutes, siteRoutes } from './drive.js';
import { extensionRoutes } from './extensions.js';
import { notesAndPlanRoutes } from './notes-and-plans.js';
import { photoRoutes } from './photo.js';
import { teamRoutes } from './team.js';

/** The shared areas of a unified group. */
export const collaborationModule: DirectoryModule = {
  routes(router) {
    conversationRoutes(router);
    calendarRoutes(router);
    photoRoutes(router);
    driveRoutes(router);
    siteRoutes(router);
    notesAndPlanRoutes(router);
    teamRoutes(router);
    extensionRoutes(router);
  },
};
