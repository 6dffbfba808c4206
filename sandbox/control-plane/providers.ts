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

/**
 * Serves every provider on a socket of its own, for `TF_REATTACH_PROVIDERS`. When one cannot be
 * started, the others are stopped and its error is thrown.
 */
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
  const results = await Promise.allSettled(
    (Object.keys(providerAddresses) as ProviderName[]).map((name) =>
      startProvider({
        name,
        socketPath: join(paths.sockets, `${name}.sock`),
        creationsFolder: paths.creationJournals,
        target: { origin, ca, tenantId, subscriptionId, credential, clientId },
        controlPlaneFor: (config) => sandboxOfTenant(paths, config),
        log: ({ level, message }) => log[level]({ provider: name }, message),
      }),
    ),
  );
  const running = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failure = results.find((each) => each.status === 'rejected');
  if (failure === undefined) return running;
  await Promise.allSettled(running.map((each) => each.close())); // the first error is more helpful
  throw failure.reason;
}
