import { isServiceError } from '../../../clients/common/service-error.js';
import { type DirectoryClient, quote } from '../../../clients/directory/index.js';
import { authConfigId, type Resource } from '../../../clients/resource-manager/index.js';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { LiveAppsReader, LiveRegistration } from '../../../policies/model/live-apps-reader.js';
import type { Api } from '../../../provider/handlers/handler.js';
import type { CliIo } from '../../command.js';
import { connectApi } from '../../services/service-clients.js';
import type { ServiceFlags } from '../../services/service-options.js';
import { collectEntries, undefinedIfUnreadable } from './optional-reads.js';

/**
 * Reads the apps of the subscription that the environment names, and registrations of the
 * directory; connects to the resource manager only if a stack declares a sign-in.
 */
export function liveAppsReader(
  directory: DirectoryClient,
  flags: ServiceFlags,
  io: CliIo,
): LiveAppsReader {
  let connecting: Promise<Api | undefined> | undefined;
  const connect = (): Promise<Api | undefined> => (connecting ??= connectIfNamed(flags, io));
  return {
    apps: () =>
      undefinedIfUnreadable(async () => {
        const connection = await connect();
        if (connection === undefined) return undefined;
        const { resourceManager, identity } = connection;
        const apps: Resource[] = [];
        for await (const group of resourceManager.resourceGroups.list(identity.subscriptionId))
          apps.push(...(await collectEntries(resourceManager.containerApps.list(group.id))));
        return apps.map(({ id, name }) => ({ id, name }));
      }),
    auth: async (containerAppId) => {
      const connection = await connect();
      try {
        const config = await connection?.resourceManager.authConfigs.get(
          authConfigId(containerAppId),
        );
        return config?.properties as Readonly<Record<string, unknown>> | undefined;
      } catch (error) {
        if (isServiceError(error, 404)) return {};
        if (isServiceError(error, 401) || isServiceError(error, 403)) return undefined;
        throw error;
      }
    },
    registrations: (displayName) =>
      undefinedIfUnreadable(
        async () =>
          (await collectEntries(
            directory.applications.list({ filter: `displayName eq ${quote(displayName)}` }),
          )) as unknown as readonly LiveRegistration[],
      ),
  };
}

/** Undefined if the environment names no subscription: then only the directory can be asked. */
async function connectIfNamed(flags: ServiceFlags, io: CliIo): Promise<Api | undefined> {
  try {
    return await connectApi(flags, io);
  } catch (error) {
    if (error instanceof CastellanError && error.code === 'CAS1002') return undefined;
    throw error;
  }
}
