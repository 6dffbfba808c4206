import { inDialect, dialectWords } from '../../core/dialect/dialect.js';
import { Chassis } from '../common/chassis.js';
import { migrate } from '../common/database.js';
import type { Service, ServiceContext } from '../common/service.js';
import { sharedThrottle } from '../common/shared-bucket.js';
import { throttleEachOperation } from '../common/throttle.js';
import { eventstreamRoutes } from './eventstream/routes.js';
import { notServedByItems } from './http/not-served.js';
import { errorSchema, toProblem } from './http/problem.js';
import { itemRoutes } from './item/routes.js';
import { genericItemRoutes } from './item/generic-item-routes.js';
import { startOperationEngine } from './operation/operation-engine.js';
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

const operations = [
  ...workspaceRoutes,
  ...capacityRoutes,
  ...roleRoutes,
  ...folderRoutes,
  ...itemRoutes,
  ...genericItemRoutes,
  ...eventstreamRoutes,
  ...operationRoutes,
];

/** The audience of the cloud's tokens for this service. */
const cloudAudience = 'https://api.fabric.microsoft.com';

/** Creates the service of workspaces and their items, below `/v1`. */
export async function createItemsService(context: ServiceContext): Promise<Service> {
  const {
    database,
    dialect,
    clock,
    tokenVerifier,
    longRunning,
    failingItemPrefix,
    groupsOf,
    sharedCapacity = false,
  } = context;
  await migrate(database, 'items', itemsMigrations(database.engine));
  const db = database.connection as unknown as ItemsDatabase;
  const operationEngine = await startOperationEngine(db, clock, longRunning, database.engine);
  const commitQueue = createCommitQueue(database);
  const chassis = new Chassis<ItemsRuntime>({
    name: 'items',
    prefixes: ['/v1'],
    operations,
    tokenVerifier,
    clock,
    toServiceError: toProblem,
    errorSchema,
    lowerCaseParameters: true,
    notServed: notServedByItems,
    runtime: {
      db,
      databaseEngine: database.engine,
      commitQueue,
      dialect,
      clock,
      longRunning,
      failingItemPrefix,
      sharedCapacity,
      groupsOf,
      operations: operationEngine,
    },
    audiences: [cloudAudience],
    headers: ({ requestId }) => ({
      requestId,
      [inDialect(dialectWords.requestIdHeader, dialect)]: requestId,
    }),
    ...(context.throttle && {
      throttle: throttleEachOperation(sharedThrottle(context.database, 'items')),
    }),
    before: () => operationEngine.completeDue(),
  });
  return Object.assign(chassis, {
    seed: (seedLists: Parameters<Service['seed']>[0]) => seedItems(db, seedLists),
    close: () => operationEngine.close(),
  });
}
