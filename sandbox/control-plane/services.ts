import { sandboxCapacity } from '../../core/sandbox/capacity.js';
import type { Clock } from '../../services/common/clock.js';
import type { Database } from '../../services/common/database.js';
import type { SeedLists } from '../../services/common/seed.js';
import type { Service, ServiceContext } from '../../services/common/service.js';
import type { TokenVerifier } from '../../services/common/token-verifier.js';
import { createModules } from '../../services/directory/modules.js';
import { DirectoryService } from '../../services/directory/service.js';
import {
  type PlatformOptions,
  openResourceManager,
  type ResourceManagerService,
} from '../../services/resource-manager/index.js';
import { batchFaultInjector } from '../faults/batch-faults.js';
import type { FaultInjector } from '../faults/injector.js';
import { loadServiceFactory } from '../serve/service-factories.js';
import { localHostSuffixes } from '../identity-provider/discovery.js';
import { endSessionsOf } from '../identity-provider/identity-store.js';
import type { SandboxSettings } from '../settings.js';

/** The services of a sandbox. */
export interface SandboxServices {
  /** The resource manager, too. */
  readonly all: readonly Service[];
  readonly resourceManager: ResourceManagerService;
  /** Whether a secret of a registered application is valid. */
  checkApplicationSecret(appId: string, secret: string): Promise<boolean>;
  /** Applies a seed to each service. */
  seed(seedLists: SeedLists): Promise<void>;
  /** Does what is due by the clock in each service. */
  runDueWork(): Promise<void>;
  close(): Promise<void>;
}

/** Opens all services on one database, in the dialect of Terraform and the cloud's clients. */
export async function openServices(options: {
  readonly database: Database;
  readonly tokenVerifier: TokenVerifier;
  readonly settings: SandboxSettings;
  readonly clock: Clock;
  readonly faults: FaultInjector;
  readonly replicasOf: NonNullable<PlatformOptions['replicasOf']>;
}): Promise<SandboxServices> {
  const { database, tokenVerifier, settings, clock, faults, replicasOf } = options;
  const context: ServiceContext = {
    database,
    dialect: 'azure',
    tenantId: settings.tenantId,
    clock,
    tokenVerifier,
    // Terraform sends many requests at once; to get 429, run the services without a sandbox.
    throttle: false,
    longRunning: { mode: 'random', seed: 'sandbox', seconds: 1 },
    sharedCapacity: true,
    aroundBatchedRequest: batchFaultInjector(faults),
    endSessionsOf: (userId) => endSessionsOf(database, userId),
  };
  const directory = await DirectoryService.start(context, createModules());
  const all: Service[] = [directory];
  const contextWithGroups: ServiceContext = {
    ...context,
    groupsOf: (objectId) => directory.groupsOf(objectId),
  };
  for (const name of ['items', 'billing'] as const) {
    const createService = await loadServiceFactory(name);
    all.push(await createService(contextWithGroups));
  }
  const resourceManager = await openResourceManager(context, {
    domainOf: () => `localhost:${settings.port}`,
    hasOneDomain: true,
    suffixes: localHostSuffixes,
    // At `localhost`, which every client resolves: the official provider polls the vault until it
    // answers.
    vaultUri: (name) => `https://localhost:${settings.port}/vaults/${name}/`,
    principalTypeOf: (objectId) => directory.principalTypeOf(objectId),
    replicasOf,
  });
  all.push(resourceManager);
  return {
    all,
    resourceManager,
    checkApplicationSecret: (appId, secret) => directory.verifyClientSecret(appId, secret),
    async seed(seedLists) {
      for (const service of all) await service.seed(seedLists);
    },
    async runDueWork() {
      for (const service of all) await service.runDueWork?.();
    },
    async close() {
      for (const service of all) await service.close();
    },
  };
}

/**
 * The content of every sandbox: the application that Terraform uses, and a capacity for workspaces.
 */
export function initialSeed({ clientId, clientObjectId }: SandboxSettings): SeedLists {
  return {
    servicePrincipals: [{ id: clientObjectId, appId: clientId, displayName: 'Castellan' }],
    capacities: [{ ...sandboxCapacity, sku: 'F64', region: 'West Europe', state: 'Active' }],
  };
}
