import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BillingClient,
  createBillingClient,
  detectBillingDialect,
} from '../../clients/billing/index.js';
import { credentialFromEnvironment } from '../../clients/common/index.js';
import { createDirectoryClient, type DirectoryClient } from '../../clients/directory/index.js';
import { createItemsClient, type ItemsClient } from '../../clients/items/index.js';
import { createResourceManagerClient } from '../../clients/resource-manager/index.js';
import type { Api } from '../../provider/handlers/handler.js';
import type { Dialect } from '../../core/dialect/dialect.js';
import { environmentFolder } from '../../core/project/environment-folder.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { CliIo } from '../command.js';
import { readInput } from '../files.js';
import { printText } from '../format.js';
import type { ServiceFlags } from './service-options.js';

const cloudAddresses = {
  directory: 'https://graph.microsoft.com',
  items: 'https://api.fabric.microsoft.com',
  resourceManager: 'https://management.azure.com',
  billing: 'https://management.azure.com',
} as const;

/**
 * The flags of a command that reads existing objects: it uses the sandbox of the folder, unless the
 * flags or the environment name another service.
 */
export async function withDefaultSandbox<Flags extends ServiceFlags>(
  flags: Flags,
  { cwd, env, stderr }: CliIo,
): Promise<Flags> {
  if (flags.sandbox === true || !existsSync(join(cwd, environmentFolder(flags.environment))))
    return flags;
  const { sandboxStatus } = await import('../../sandbox/index.js');
  const status = await sandboxStatus(cwd, flags.environment);
  if (!status.running) return flags;
  const endpoint =
    flags.endpoint ?? env['CASTELLAN_SANDBOX'] ?? env['ARM_RESOURCE_MANAGER_ENDPOINT'];
  if (endpoint !== undefined && endpoint.replace(/\/$/, '') !== status.origin) return flags;
  if (endpoint === undefined)
    printText(stderr, `asking the sandbox at ${status.origin}; --endpoint names another service\n`);
  return { ...flags, sandbox: true };
}

/**
 * Connects to `--endpoint`, else to the sandbox that runs for the folder (`--sandbox`) or whose
 * environment is set (`CASTELLAN_SANDBOX` or `ARM_RESOURCE_MANAGER_ENDPOINT`), else to the cloud.
 * Credentials come from the environment.
 *
 * @throws CAS8001 for contradictory flags; CAS4012 when no sandbox is running.
 */
export async function connectDirectory(flags: ServiceFlags, io: CliIo): Promise<DirectoryClient> {
  return createDirectoryClient(await connectionOf('directory', flags, io));
}

/**
 * Connects to the workspace items service at the directory's address; `FABRIC_ENDPOINT` names
 * another one.
 */
export async function connectItems(flags: ServiceFlags, io: CliIo): Promise<ItemsClient> {
  return createItemsClient(await connectionOf('items', flags, io));
}

/**
 * A client of the billing service beside the sandbox of the folder, with the dialect that the
 * service speaks.
 */
export async function connectBilling(
  flags: ServiceFlags,
  io: CliIo,
): Promise<{ readonly client: BillingClient; readonly dialect: Dialect }> {
  const {
    scope: _scope,
    dialect: flagDialect,
    ...connection
  } = await connectionOf('billing', await withDefaultSandbox(flags, io), io);
  const { baseUrl, credential: _credential, ...otherOptions } = connection;
  const isCloud = new URL(baseUrl).hostname.endsWith('.azure.com');
  const dialect =
    flags.dialect !== undefined
      ? flagDialect
      : isCloud
        ? 'azure'
        : await detectBillingDialect({ baseUrl, ...otherOptions });
  return { client: createBillingClient({ ...connection, dialect }), dialect };
}

/** Connects to the directory, the items service and the resource manager. */
export async function connectAll(flags: ServiceFlags, io: CliIo): Promise<Api> {
  const [directory, items, { dialect: _dialect, env, ...resourceManager }] = await Promise.all([
    connectionOf('directory', flags, io),
    connectionOf('items', flags, io),
    connectionOf('resourceManager', flags, io),
  ]);
  const { credential } = resourceManager;
  const tenantId = env['ARM_TENANT_ID'] ?? env['AZURE_TENANT_ID'] ?? '';
  const subscriptionId = env['ARM_SUBSCRIPTION_ID'] ?? env['AZURE_SUBSCRIPTION_ID'];
  if (subscriptionId === undefined || credential === undefined)
    throw new CastellanError(
      'CAS1002',
      'ARM_SUBSCRIPTION_ID and a credential are needed to look at the cloud (no sandbox runs in this folder: `castellan sandbox start`)',
    );
  const { callerIdentity } = await import('../../provider/control-plane.js');
  return {
    directory: createDirectoryClient(directory),
    items: createItemsClient(items),
    resourceManager: createResourceManagerClient(resourceManager),
    identity: callerIdentity({
      tenantId,
      subscriptionId,
      credential,
      scope: `${resourceManager.baseUrl}/.default`,
    }),
  };
}

async function connectionOf(service: keyof typeof cloudAddresses, flags: ServiceFlags, io: CliIo) {
  const env = await serviceVariables(flags, io);
  const sandbox = env['CASTELLAN_SANDBOX'] ?? env['ARM_RESOURCE_MANAGER_ENDPOINT'];
  const itemsEndpoint = service === 'items' ? env['FABRIC_ENDPOINT'] : undefined;
  const address = flags.endpoint ?? itemsEndpoint ?? sandbox ?? cloudAddresses[service];
  // the cloud's directory and its workspaces have different addresses
  const baseUrl =
    URL.canParse(address) && new URL(address).origin === cloudAddresses.directory
      ? cloudAddresses[service]
      : address;
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new CastellanError(
      'CAS8001',
      `--endpoint ${baseUrl}: allowed is an http or https address`,
    );
  const dialect =
    flags.dialect ??
    (flags.endpoint === undefined || new URL(baseUrl).origin === cloudAddresses[service]
      ? 'azure'
      : 'neutral');
  if (dialect !== 'neutral' && dialect !== 'azure')
    throw new CastellanError('CAS8001', `--dialect ${dialect}: allowed are neutral and azure`);
  const caFiles =
    flags.ca === undefined ? [env['SSL_CERT_FILE'], env['NODE_EXTRA_CA_CERTS']] : [flags.ca];
  const ca = caFiles
    .flatMap((file) => (file === undefined || file === '' ? [] : [readInput(io, file)]))
    .join('\n');
  const trust = ca === '' ? {} : { ca };
  const credential = credentialFromEnvironment({ env, endpoint: baseUrl, ...trust });
  const scope =
    new URL(baseUrl).origin === cloudAddresses[service]
      ? {}
      : { scope: `${new URL(baseUrl).origin}/.default` };
  return {
    env,
    baseUrl,
    dialect,
    ...scope,
    ...trust,
    ...omitUndefined({ credential }),
  } as const;
}

/**
 * The variables with the services and the credentials: those of the sandbox with `--sandbox`,
 * before the command's own.
 */
async function serviceVariables(
  { sandbox, environment }: ServiceFlags,
  { cwd, env }: CliIo,
): Promise<CliIo['env']> {
  if (sandbox !== true) return env;
  const { sandboxEnvironmentVariables } = await import('../../sandbox/index.js');
  return { ...env, ...sandboxEnvironmentVariables(cwd, { providers: 'official', environment }) };
}
