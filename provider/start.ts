import { chmod, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TokenProvider } from '../clients/common/index.js';
import { connect } from './connect.js';
import { CreationJournal } from './server/creation-journal.js';
import { listen } from './protocol/listen.js';
import { loadProvider } from './providers.js';
import type { Log } from './server/provider-server.js';
import { ProviderServer } from './server/provider-server.js';

/** The address of each provider that this package serves, by its short name: the keys of `TF_REATTACH_PROVIDERS`. */
export const providerAddresses = {
  azurerm: 'registry.terraform.io/hashicorp/azurerm',
  azuread: 'registry.terraform.io/hashicorp/azuread',
  azapi: 'registry.terraform.io/azure/azapi',
  fabric: 'registry.terraform.io/microsoft/fabric',
  castellan: 'registry.terraform.io/castellan/castellan',
} as const;

/** The short name of a provider. */
export type ProviderName = keyof typeof providerAddresses;

/** The control plane that a provider works on. */
export interface Connection {
  /** Where all services stand: `https://localhost:8443`. */
  readonly origin: string;
  /** Certificate(s) of a private authority in PEM. @default only the usual authorities are trusted */
  readonly ca?: string;
  readonly tenantId: string;
  readonly subscriptionId: string;
  /** Where tokens come from; asked with the origin's own scope. */
  readonly credential: TokenProvider;
  /** The application's id, where the credential is one's. @default read from the token */
  readonly clientId?: string;
}

/** How a provider is started inside this process. */
export interface StartOptions {
  readonly name: ProviderName;
  /** A path for the unix socket; at most about 100 bytes long, as unix sockets want it. */
  readonly socketPath: string;
  readonly connection: Connection;
  /** A folder that remembers what was created until a state holds it, so that an apply that was killed is taken up again. @default nothing is remembered */
  readonly creationsFolder?: string;
  /** Told what is called and how long it takes, never a value. @default nothing is logged */
  readonly log?: Log;
}

/** A provider that Terraform can reattach to. */
export interface RunningProvider {
  readonly address: string;
  readonly socketPath: string;
  /** The process that Terraform is told: this one. */
  readonly pid: number;
  close(): Promise<void>;
}

/**
 * Serves one provider on a unix socket, for `TF_REATTACH_PROVIDERS`: Terraform downloads nothing and the process keeps running. A provider block
 * may be empty: the connection is given here, not there.
 *
 * @example
 * const azuread = await startProvider({ name: 'azuread', socketPath, connection });
 * env.TF_REATTACH_PROVIDERS = reattachValue([azuread]);
 */
export async function startProvider(options: StartOptions): Promise<RunningProvider> {
  const { name, socketPath, connection, log, creationsFolder } = options;
  const creations = creationsFolder === undefined ? undefined : new CreationJournal(join(creationsFolder, name));
  const provider = await loadProvider(name, () => connect(connection));
  await rm(socketPath, { force: true });
  const listening = await listen(new ProviderServer(provider, log, creations), { socketPath });
  await chmod(socketPath, 0o600);
  return { address: providerAddresses[name], socketPath, pid: process.pid, close: () => listening.close() };
}

/** What `TF_REATTACH_PROVIDERS` must hold so that Terraform finds these providers. */
export function reattachValue(providers: readonly Pick<RunningProvider, 'address' | 'socketPath' | 'pid'>[]): string {
  const entries = providers.map(({ address, socketPath, pid }) => [
    address,
    { Protocol: 'grpc', ProtocolVersion: 6, Pid: pid, Test: true, Addr: { Network: 'unix', String: socketPath } },
  ]);
  return JSON.stringify(Object.fromEntries(entries));
}
