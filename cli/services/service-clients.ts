import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BillingClient,
  createBillingClient,
  detectBillingDialect,
} from '../../clients/billing/index.js';
import {
  azureEnvironmentVariable,
  credentialFromEnvironment,
  environmentVariable,
} from '../../clients/common/credentials.js';
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

type Service = keyof typeof cloudAddresses;

/**
 * The flags of a command that reads existing objects: it uses the sandbox of the folder, unless the
 * flags or the environment name another service. Where they name none, it prints which one is asked.
 */
export async function withDefaultSandbox<Flags extends ServiceFlags>(
  flags: Flags,
  { cwd, env, stderr }: CliIo,
): Promise<Flags> {
  if (flags.sandbox === true) return flags;
  const configured = configuredAddress('directory', flags, env);
  const origin = await runningSandbox(cwd, flags.environment);
  const choiceText =
    origin === undefined
      ? 'no sandbox runs in this folder: asking the cloud'
      : `asking the sandbox at ${origin}`;
  if (configured === undefined)
    printText(stderr, `${choiceText}; --endpoint names another service\n`);
  if (origin === undefined) return flags;
  if (configured !== undefined && configured.address.replace(/\/$/, '') !== origin) return flags;
  const { endpoint: _origin, ...otherFlags } = flags;
  return { ...(otherFlags as Flags), sandbox: true };
}

/** The address of the sandbox that runs for a folder, if one does. */
async function runningSandbox(
  folder: string,
  environment: string | undefined,
): Promise<string | undefined> {
  if (!existsSync(join(folder, environmentFolder(environment)))) return undefined;
  const { sandboxStatus } = await import('../../sandbox/index.js');
  const status = await sandboxStatus(folder, environment);
  return status.running ? status.origin : undefined;
}

/**
 * Connects to `--endpoint`, else to the sandbox that runs for the folder (`--sandbox`) or whose
 * environment is set (`CASTELLAN_SANDBOX` or `ARM_RESOURCE_MANAGER_ENDPOINT`), else to the cloud.
 * Credentials come from the environment; with `--sandbox` they are the sandbox's own.
 *
 * @throws CAS8001 for contradictory flags and for what is no address; CAS4012 when no sandbox is
 *   running.
 */
export async function connectDirectory(flags: ServiceFlags, io: CliIo): Promise<DirectoryClient> {
  const env = await serviceVariables(flags, io);
  return createDirectoryClient(clientOptions('directory', flags, env, io));
}

/**
 * Connects to the workspace items service as {@link connectDirectory} does to the directory;
 * `FABRIC_ENDPOINT` names another address.
 */
export async function connectItems(flags: ServiceFlags, io: CliIo): Promise<ItemsClient> {
  const env = await serviceVariables(flags, io);
  return createItemsClient(clientOptions('items', flags, env, io));
}

/**
 * Connects to the billing service of the sandbox that runs for the folder, else as
 * {@link connectDirectory} does.
 *
 * @returns the client, and the dialect that the service speaks.
 */
export async function connectBilling(
  flags: ServiceFlags,
  io: CliIo,
): Promise<{ readonly client: BillingClient; readonly dialect: Dialect }> {
  const sandboxFlags = await withDefaultSandbox(flags, io);
  const env = await serviceVariables(sandboxFlags, io);
  const {
    scope: _scope,
    dialect: flagDialect,
    ...connection
  } = clientOptions('billing', sandboxFlags, env, io);
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

/**
 * Connects to the services that hold what stacks declare: directory, items and resource manager.
 *
 * @throws CAS1002 when no subscription is named, or the resource manager needs no token: who calls
 *   is read from it.
 */
export async function connectApi(flags: ServiceFlags, io: CliIo): Promise<Api> {
  const env = await serviceVariables(flags, io);
  const { dialect: _dialect, ...resourceManager } = clientOptions(
    'resourceManager',
    flags,
    env,
    io,
  );
  const { baseUrl, credential } = resourceManager;
  const subscriptionId = azureEnvironmentVariable(env, 'SUBSCRIPTION_ID');
  if (subscriptionId === undefined) {
    const hint =
      baseUrl === cloudAddresses.resourceManager
        ? ' (no sandbox runs in this folder: `castellan sandbox start`)'
        : '';
    throw new CastellanError(
      'CAS1002',
      `ARM_SUBSCRIPTION_ID is needed to read apps from ${baseUrl}${hint}`,
    );
  }
  if (credential === undefined)
    throw new CastellanError(
      'CAS1002',
      `CASTELLAN_TOKEN or a client secret is needed to read apps from ${baseUrl}`,
    );
  const { callerIdentity } = await import('../../provider/control-plane.js');
  return {
    directory: createDirectoryClient(clientOptions('directory', flags, env, io)),
    items: createItemsClient(clientOptions('items', flags, env, io)),
    resourceManager: createResourceManagerClient(resourceManager),
    identity: callerIdentity({
      // only the data sources of the caller need it, and no declaration has one
      tenantId: azureEnvironmentVariable(env, 'TENANT_ID') ?? '',
      subscriptionId,
      credential,
      scope: `${baseUrl}/.default`,
    }),
  };
}

/** The options of a service's client. @throws CAS8001 for a flag or variable that isn't allowed */
function clientOptions(service: Service, flags: ServiceFlags, env: CliIo['env'], io: CliIo) {
  const baseUrl = baseUrlOf(service, flags, env);
  const { origin } = new URL(baseUrl);
  const isCloud = origin === cloudAddresses[service];
  const dialect = flags.dialect ?? (flags.endpoint === undefined || isCloud ? 'azure' : 'neutral');
  if (dialect !== 'neutral' && dialect !== 'azure')
    throw new CastellanError('CAS8001', `--dialect ${dialect}: allowed are neutral and azure`);
  const caFiles =
    flags.ca === undefined
      ? [environmentVariable(env, 'SSL_CERT_FILE'), environmentVariable(env, 'NODE_EXTRA_CA_CERTS')]
      : [flags.ca];
  const ca = caFiles
    .flatMap((file) => (file === undefined ? [] : [readInput(io, file)]))
    .join('\n');
  const trust = ca === '' ? {} : { ca };
  const credential = credentialFromEnvironment({ env, endpoint: baseUrl, ...trust });
  return {
    baseUrl,
    dialect,
    ...(!isCloud && { scope: `${origin}/.default` }),
    ...trust,
    ...omitUndefined({ credential }),
  } as const;
}

/** @throws CAS8001 for what is no http or https address, with the flag or variable that has it. */
function baseUrlOf(service: Service, flags: ServiceFlags, env: CliIo['env']): string {
  const configured = configuredAddress(service, flags, env);
  if (configured === undefined) return cloudAddresses[service];
  const { address, source } = configured;
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new CastellanError(
      'CAS8001',
      `${source} ${address}: allowed is an http or https address`,
    );
  // the services of the cloud have an address each, and one of them stands for all
  const cloudOrigins: readonly string[] = Object.values(cloudAddresses);
  return cloudOrigins.includes(new URL(address).origin) ? cloudAddresses[service] : address;
}

/** The address of a service that a flag or variable names, and which of them. */
function configuredAddress(
  service: Service,
  { endpoint }: ServiceFlags,
  env: CliIo['env'],
): { readonly address: string; readonly source: string } | undefined {
  if (endpoint !== undefined) return { address: endpoint, source: '--endpoint' };
  const names = [
    ...(service === 'items' ? ['FABRIC_ENDPOINT'] : []),
    'CASTELLAN_SANDBOX',
    'ARM_RESOURCE_MANAGER_ENDPOINT',
  ];
  const source = names.find((name) => environmentVariable(env, name) !== undefined);
  const address = source === undefined ? undefined : env[source];
  return source === undefined || address === undefined ? undefined : { address, source };
}

/**
 * The variables with the services and the credentials: the command's own, or with `--sandbox` those
 * of the sandbox, and none for another account.
 */
async function serviceVariables(
  { sandbox, endpoint, environment }: ServiceFlags,
  { cwd, env }: CliIo,
): Promise<CliIo['env']> {
  if (sandbox !== true) return env;
  if (endpoint !== undefined)
    throw new CastellanError('CAS8001', '--sandbox and --endpoint exclude each other');
  const { sandboxEnvironmentVariables } = await import('../../sandbox/index.js');
  const ownVariables = Object.entries(env).filter(([name]) => !name.startsWith('AZURE_'));
  return {
    ...Object.fromEntries(ownVariables),
    ...sandboxEnvironmentVariables(cwd, { providers: 'official', environment }),
    CASTELLAN_SANDBOX: undefined,
  };
}
