import type { ServiceFactory } from '../../services/common/service.js';

/** How to load each service on demand: a process loads only the services that it runs. */
const loaders = {
  directory: async () => (await import('../../services/directory/index.js')).createDirectoryService,
  items: async () => (await import('../../services/items/index.js')).createItemsService,
  billing: async () => (await import('../../services/billing/index.js')).createBillingService,
  'resource-manager': async () =>
    (await import('../../services/resource-manager/index.js')).createResourceManagerService,
} as const satisfies Record<string, () => Promise<ServiceFactory>>;

/** The name of a service on the command line. */
export type ServiceName = keyof typeof loaders;

/** The services of `castellan serve`. */
export const serviceNames = Object.keys(loaders) as readonly ServiceName[];

/** Loads one service's factory. */
export function loadServiceFactory(name: ServiceName): Promise<ServiceFactory> {
  return loaders[name]();
}
