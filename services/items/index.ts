import { systemClock } from '../common/clock.js';
import { migrate } from '../common/database.js';
import type { Service, ServiceContext } from '../common/service.js';
import { createThrottle, noThrottle } from '../common/throttle.js';
import { eventstreamRoutes } from './eventstream/routes.js';
import { addRoutes } from './http/router.js';
import { itemRoutes } from './item/routes.js';
import { genericItemRoutes } from './item/tag-routes.js';
import { startOperationEngine } from './operation/engine.js';
import { operationRoutes } from './operation/routes.js';
import type { ItemsRuntime } from './runtime.js';
import { seedItems } from './seed.js';
import { createCommitQueue } from './store/commit-queue.js';
import { itemsMigrations } from './store/migrations.js';
import type { ItemsDatabase } from './store/tables.js';
import { capacityRoutes } from './workspace/capacity-routes.js';
import { folderRoutes } from './workspace/folder-routes.js';
import { roleRoutes } from './workspace/role-routes.js';
import { workspaceRoutes } from './workspace/routes.js';

const routes = [
  ...workspaceRoutes,
  ...capacityRoutes,
  ...roleRoutes,
  ...folderRoutes,
  ...itemRoutes,
  ...genericItemRoutes,
  ...eventstreamRoutes,
  ...operationRoutes,
];

/** Far above what a person or Terraform needs, low enough that a runaway loop meets it. */
const limits = { burst: 1500, perSecond: 100, retryAfterSeconds: 5 };

/** The workspace items service (spec 002, part B) below `/v1`. */
export async function createItemsService(context: ServiceContext): Promise<Service> {
  const { database, dialect, clock, tokens, longRunning, failItems, groupsOf, sharedCapacity = false } = context;
  await migrate(database, 'items', itemsMigrations(database.engine));
  const db = database.connection as unknown as ItemsDatabase;
  const operations = await startOperationEngine(db, clock, longRunning);
  const throttle = context.throttle ? createThrottle(limits, systemClock) : noThrottle;
  const commits = createCommitQueue(database);
  const runtime: ItemsRuntime = {
    db,
    commits,
    dialect,
    clock,
    tokens,
    throttle,
    longRunning,
    failItems,
    sharedCapacity,
    groupsOf,
    operations,
  };
  return {
    prefixes: ['/v1'],
    register: (scope) => addRoutes(scope, runtime, routes),
    seed: (section) => seedItems(db, section),
    close: () => operations.close(),
  };
}
