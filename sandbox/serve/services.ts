import { CastellanError } from '../../core/errors/castellan-error.js';
import type { ServiceFactory } from '../../services/common/service.js';

/** The services that `castellan serve` knows, by the word on the command line. */
export const serviceNames = ['directory', 'items', 'billing', 'resource-manager'] as const;

/** A word of the command line. */
export type ServiceName = (typeof serviceNames)[number];

const factoryNames: Readonly<Record<ServiceName, string>> = {
  directory: 'createDirectoryService',
  items: 'createItemsService',
  billing: 'createBillingService',
  'resource-manager': 'createResourceManagerService',
};

/**
 * Loads one service's factory, when it is asked for: a process pays only for the services that it runs.
 *
 * @throws CAS8002 when this version has no such service.
 */
export async function loadServiceFactory(name: ServiceName): Promise<ServiceFactory> {
  const path = `../../services/${name}/index.js`;
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(path)) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    if (!isMissingModule(cause, `services/${name}/index`)) throw cause;
    throw new CastellanError('CAS8002', `the service "${name}" is not part of this version`, { cause });
  }
  const factory = module[factoryNames[name]];
  if (typeof factory !== 'function') throw new CastellanError('CAS8002', `the service "${name}" is not part of this version`);
  return factory as ServiceFactory;
}

function isMissingModule(error: unknown, path: string): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && (message ?? '').includes(path);
}
