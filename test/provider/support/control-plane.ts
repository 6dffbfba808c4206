import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { staticToken } from '../../../clients/common/index.js';
import { createDirectoryClient, type DirectoryClient } from '../../../clients/directory/index.js';
import { createItemsClient, type ItemsClient } from '../../../clients/items/index.js';
import {
  createResourceManagerClient,
  type ResourceManagerClient,
} from '../../../clients/resource-manager/index.js';
import {
  providerAddresses,
  type ProviderName,
  reattachValue,
  startProvider,
} from '../../../provider/index.js';
import { parseServeOptions } from '../../../sandbox/serve/options.js';
import { serve } from '../../../sandbox/serve/serve.js';

/**
 * All services in this process, the five providers on sockets, and clients to look behind
 * Terraform's back.
 */
export interface ControlPlane {
  readonly origin: string;
  readonly env: Readonly<Record<string, string>>;
  readonly directory: DirectoryClient;
  readonly items: ItemsClient;
  readonly resourceManager: ResourceManagerClient;
  /** What the providers logged. */
  log(): string;
  close(): Promise<void>;
}

export const tenantId = '11111111-2222-4333-8444-555555555555';
export const subscriptionId = '99999999-8888-4777-8666-555555555555';
/** Who applies, as the token says. */
export const callerId = '0a0a0a0a-1b1b-4c2c-8d3d-4e4e4e4e4e4e';
export const clientId = '0c0c0c0c-1d1d-4e2e-8f3f-404040404040';

/** A token with the claims that the provider reads; the services of these tests let everyone in. */
export function testToken(claims: Readonly<Record<string, unknown>> = {}): string {
  const encodePart = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encodePart({ alg: 'none' })}.${encodePart({ oid: callerId, appid: clientId, tid: tenantId, ...claims })}.x`;
}

/** Starts services and providers. */
export async function startControlPlane(
  options: { readonly seed?: string; readonly services?: readonly string[] } = {},
): Promise<ControlPlane> {
  const flags = {
    listen: '127.0.0.1:0',
    database: 'memory:',
    dialect: 'azure',
    throttle: 'off',
    logLevel: 'silent',
    auth: false,
    longRunning: 'never',
    longRunningSeconds: '0',
    ...omitUndefined({ seed: options.seed }),
  };
  const running = await serve(
    parseServeOptions(
      [...(options.services ?? ['directory', 'items', 'resource-manager'])],
      flags as unknown as Parameters<typeof parseServeOptions>[1],
    ),
  );
  const folder = await mkdtemp(join(tmpdir(), 'cas-sock-'));
  const credential = staticToken(testToken());
  const controlPlane = { origin: running.origin, tenantId, subscriptionId, credential };
  const lines: string[] = [];
  const names = Object.keys(providerAddresses) as ProviderName[];
  const providers = await Promise.all(
    names.map((name) =>
      startProvider({
        name,
        socketPath: join(folder, name),
        target: controlPlane,
        log: ({ level, message }) => void lines.push(`${level} ${message}`),
      }),
    ),
  );
  const shared = { baseUrl: running.origin, credential, dialect: 'azure' as const };
  return {
    origin: running.origin,
    env: { TF_REATTACH_PROVIDERS: reattachValue(providers) },
    directory: createDirectoryClient(shared),
    items: createItemsClient(shared),
    resourceManager: createResourceManagerClient({ baseUrl: running.origin, credential }),
    log: () => lines.join('\n'),
    async close() {
      await Promise.all(providers.map((provider) => provider.close()));
      await running.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The sources of all five providers. */
export const requiredProviders = {
  azurerm: { source: 'hashicorp/azurerm' },
  azuread: { source: 'hashicorp/azuread' },
  azapi: { source: 'azure/azapi' },
  fabric: { source: 'microsoft/fabric' },
  castellan: { source: 'castellan/castellan' },
};

/**
 * A configuration with these resources, which requires only the providers that it uses: Terraform
 * loads the schemas of each.
 */
export function configWith(resource: object, otherBlocks: object = {}): object {
  const text = JSON.stringify({ resource, ...otherBlocks });
  const usedProviders = Object.entries(requiredProviders).filter(([name]) =>
    new RegExp(`"${name}_|provider::${name}::`).test(text),
  );
  return {
    terraform: { required_providers: Object.fromEntries(usedProviders) },
    ...(text.includes('"azurerm_') && { provider: { azurerm: { features: [{}] } } }),
    resource,
    ...otherBlocks,
  };
}
