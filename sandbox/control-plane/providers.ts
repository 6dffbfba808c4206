import { join } from 'node:path';
import type { Logger } from 'pino';
import type { TokenProvider } from '../../clients/common/index.js';
import {
  providerAddresses,
  type ProviderName,
  type RunningProvider,
  startProvider,
} from '../../provider/index.js';
import { prepareSocketFolder, type SandboxPaths } from '../paths.js';
import type { SandboxSettings } from '../settings.js';
import { sandboxOfTenant } from './sandbox-of-tenant.js';

/** Serves every provider on a socket of its own, for `TF_REATTACH_PROVIDERS`. */
export async function startProviders(options: {
  readonly paths: SandboxPaths;
  readonly settings: SandboxSettings;
  readonly origin: string;
  readonly ca: string;
  readonly credential: TokenProvider;
  readonly log: Logger;
}): Promise<RunningProvider[]> {
  const { paths, settings, origin, ca, credential, log } = options;
  const { tenantId, subscriptionId, clientId } = settings;
  prepareSocketFolder(paths);
  return Promise.all(
    (Object.keys(providerAddresses) as ProviderName[]).map((name) =>
      startProvider({
        name,
        socketPath: join(paths.sockets, `${name}.sock`),
        creationsFolder: paths.creations,
        target: { origin, ca, tenantId, subscriptionId, credential, clientId },
        controlPlaneFor: (config) => sandboxOfTenant(paths, config),
        log: (message: unknown) => log.debug({ provider: name, message }),
      }),
    ),
  );
}
