import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { providerAddresses, type ProviderName, loadProvider } from './providers.js';
import type { ControlPlane } from './control-plane.js';
import type { Api } from './handlers/handler.js';
import { CreationJournal } from './server/creation-journal.js';
import { listenPerConnection } from './protocol/connection-listener.js';
import type { Log } from './server/provider-server.js';
import { terraformRuns } from './terraform-runs.js';
import type { ValueMap } from './values/value.js';

/** Options of starting a provider in this process. */
export interface StartProviderOptions {
  /** The provider. */
  readonly name: ProviderName;
  /** The path of the unix socket; at most about 100 bytes long, the limit of unix sockets. */
  readonly socketPath: string;
  /** The control plane that the provider's resources are in, or its clients. */
  readonly target: ControlPlane | { readonly api: Api };
  /**
   * The control plane of a provider block that means another tenant; undefined for all others.
   *
   * @default every block uses `target`
   */
  readonly controlPlaneFor?: (config: ValueMap) => ControlPlane | undefined;
  /**
   * A folder that records created objects until a state contains them, so that a killed apply can
   * be continued.
   *
   * @default nothing is recorded
   */
  readonly creationsFolder?: string;
  /**
   * Called with each call and its duration, and with the messages of failed connections; never with
   * a value of a configuration.
   *
   * @default no log
   */
  readonly log?: Log;
}

/** A provider that Terraform can reattach to. */
export interface RunningProvider {
  /**
   * The address by which configurations name the provider, such as
   * `registry.terraform.io/hashicorp/azuread`.
   */
  readonly address: string;
  /** The path of its unix socket. */
  readonly socketPath: string;
  /** The process id for Terraform: this one. */
  readonly pid: number;
  /** Stops it and removes the socket. */
  close(): Promise<void>;
}

/**
 * Serves one provider on a unix socket, for `TF_REATTACH_PROVIDERS`: Terraform downloads nothing
 * and the process keeps running. A provider block may be empty: the target is set here.
 *
 * @example
 * const azuread = await startProvider({ name: 'azuread', socketPath, target });
 * env.TF_REATTACH_PROVIDERS = reattachValue([azuread]);
 */
export async function startProvider(options: StartProviderOptions): Promise<RunningProvider> {
  const { name, socketPath, target, controlPlaneFor, log, creationsFolder } = options;
  const journal =
    creationsFolder === undefined
      ? undefined
      : new CreationJournal(join(creationsFolder, name), () => terraformRuns(socketPath));
  await rm(socketPath, { force: true });
  const listener = await listenPerConnection(
    socketPath,
    async () => {
      const [{ serveConnection }, { ProviderServer }, provider] = await Promise.all([
        import('./protocol/listener.js'),
        import('./server/provider-server.js'),
        loadProvider(name, async (config) => {
          const targetOfBlock = controlPlaneFor?.(config) ?? target;
          return 'api' in targetOfBlock
            ? targetOfBlock.api
            : (await import('./control-plane.js')).createApi(targetOfBlock);
        }),
      ]);
      return (socket) => serveConnection(new ProviderServer(provider, log, journal), socket);
    },
    (error) => log?.({ level: 'error', message: `a connection failed: ${error.message}` }),
  );
  return {
    address: providerAddresses[name],
    socketPath,
    pid: process.pid,
    close: () => listener.close(),
  };
}

/** The hosts with which Terraform and OpenTofu complete the address of a provider. */
const registryHosts = ['registry.terraform.io', 'registry.opentofu.org'];

/**
 * The value of `TF_REATTACH_PROVIDERS` with which Terraform and OpenTofu find these providers: each
 * completes `hashicorp/azurerm` with the host of its own registry, so both addresses are announced.
 */
export function reattachValue(
  providers: readonly Pick<RunningProvider, 'address' | 'socketPath' | 'pid'>[],
): string {
  const entries = providers.flatMap(({ address, socketPath, pid }) => {
    const reattach = {
      Protocol: 'grpc',
      ProtocolVersion: 6,
      Pid: pid,
      // go-plugin's test mode: Terraform does not kill the process when it has finished
      Test: true,
      Addr: { Network: 'unix', String: socketPath },
    };
    return registryHosts.map((host) => [address.replace(/^[^/]+/, host), reattach]);
  });
  return JSON.stringify(Object.fromEntries(entries));
}
