import type { DirectoryModule } from '../directory-module.js';
import { addCalendarRoutes } from './calendar.js';
import { addConversationRoutes } from './conversations.js';
import { addDriveRoutes } from './drive.js';
import { addExtensionRoutes } from './extensions.js';
import { addNotesAndPlanRoutes } from './notes-and-plans.js';
import { addPhotoRoutes } from './photo.js';
import { addSiteRoutes } from './site.js';
import { addTeamRoutes } from './team.js';

/**
 * What members of a unified group share: conversations, calendar, photo, drive, notes, plans, team.
 */
export const collaborationModule: DirectoryModule = {
  routes(router) {
    addConversationRoutes(router);
    addCalendarRoutes(router);
    addPhotoRoutes(router);
    addDriveRoutes(router);
    addSiteRoutes(router);
    addNotesAndPlanRoutes(router);
    addTeamRoutes(router);
    addExtensionRoutes(router);
  },
};
