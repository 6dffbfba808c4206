import type { EnvironmentVariables } from '../core/process/environment-variables.js';
import { readFileSync } from 'node:fs';
import { CastellanError } from '../core/errors/castellan-error.js';
import { omitUndefined } from '../core/values/omit-undefined.js';
import {
  azureCliCredential,
  clientSecretCredential,
  fetchTrusting,
  managedIdentityCredential,
  RecentCreations,
  type TokenProvider,
} from '../clients/common/index.js';
import { createDirectoryClient } from '../clients/directory/index.js';
import { createItemsClient } from '../clients/items/index.js';
import { createResourceManagerClient } from '../clients/resource-manager/index.js';
import type { Api } from './handlers/handler.js';
import { optionalBoolean, optionalText } from './handlers/read-values.js';
import { callerIdentity } from './control-plane.js';
import type { ValueMap } from './values/value.js';

/** A configured text, and what it was configured by: the attribute or the variable. */
interface Setting {
  readonly value: string;
  readonly source: string;
}

const cloudEndpoints = {
  directory: 'https://graph.microsoft.com',
  items: 'https://api.fabric.microsoft.com',
  authority: 'https://login.microsoftonline.com',
};

/**
 * Connects to the services with the settings of the provider block and the environment; see
 * docs/reference/provider.md.
 *
 * @throws CAS3006 for a missing or malformed setting, or an unreadable file.
 */
export async function connectFromConfig(config: ValueMap, env: EnvironmentVariables): Promise<Api> {
  const setting = (attribute: string, ...variables: readonly string[]): Setting | undefined => {
    const value = optionalText(config, attribute);
    if (value !== undefined) return { value, source: attribute };
    const source = variables.find((name) => (env[name] ?? '') !== '');
    return source === undefined ? undefined : { value: env[source] ?? '', source };
  };
  const caFile = setting('ca_file', 'CASTELLAN_CA_FILE', 'SSL_CERT_FILE');
  const ca = caFile === undefined ? {} : { ca: readCa(caFile) };
  const endpoints = await readEndpoints(env['ARM_METADATA_HOSTNAME'], ca.ca);
  const directory =
    readUrl(setting('directory_endpoint', 'CASTELLAN_DIRECTORY_ENDPOINT')) ?? endpoints.directory;
  const items = readUrl(setting('items_endpoint', 'FABRIC_ENDPOINT')) ?? cloudEndpoints.items;
  const authority =
    readUrl(setting('authority_host', 'ARM_ACTIVE_DIRECTORY_AUTHORITY_HOST')) ??
    endpoints.authority;
  const tenantId = setting('tenant_id', 'ARM_TENANT_ID', 'FABRIC_TENANT_ID')?.value ?? '';
  const clientId = setting('client_id', 'ARM_CLIENT_ID', 'FABRIC_CLIENT_ID')?.value;
  const credential = chooseCredential({
    config,
    env,
    tenantId,
    clientId,
    clientSecret: setting('client_secret', 'ARM_CLIENT_SECRET', 'FABRIC_CLIENT_SECRET')?.value,
    authority,
    ...ca,
  });
  const shared = { credential, dialect: 'azure' as const, userAgent: 'castellan-provider', ...ca };
  const scope = `${new URL(directory).origin}/.default`;
  return {
    directory: createDirectoryClient({
      ...shared,
      baseUrl: directory,
      scope,
      ownCreations: new RecentCreations(),
    }),
    items: createItemsClient({ ...shared, baseUrl: items }),
    resourceManager: createResourceManagerClient({
      credential,
      userAgent: 'castellan-provider',
      ...ca,
    }),
    identity: callerIdentity({
      tenantId,
      subscriptionId: env['ARM_SUBSCRIPTION_ID'] ?? '',
      credential,
      scope,
      ...omitUndefined({ clientId }),
    }),
  };
}

/** How long the metadata document may take. */
const metadataTimeoutMs = 30_000;

/**
 * The endpoints in the metadata document of a private cloud, which the official providers read as
 * well; by default those of the public cloud.
 */
async function readEndpoints(
  host: string | undefined,
  ca: string | undefined,
): Promise<{ readonly directory: string; readonly authority: string }> {
  if (host === undefined || host === '') return cloudEndpoints;
  const url = `https://${host}/metadata/endpoints?api-version=2022-09-01`;
  const fetchMetadata =
    ca === undefined
      ? (address: string, init: RequestInit) => fetch(address, init)
      : fetchTrusting(ca);
  try {
    const answer = await fetchMetadata(url, { signal: AbortSignal.timeout(metadataTimeoutMs) });
    const document = (await answer.json()) as {
      microsoftGraphResourceId?: string;
      authentication?: { loginEndpoint?: string };
    };
    const directory = document.microsoftGraphResourceId;
    const authority = document.authentication?.loginEndpoint;
    if (directory !== undefined && authority !== undefined)
      return { directory: directory.replace(/\/+$/, ''), authority: authority.replace(/\/+$/, '') };
  } catch (cause) {
    throw new CastellanError(
      'CAS3006',
      `ARM_METADATA_HOSTNAME is ${host}, but ${url} can't be read`,
      { cause },
    );
  }
  throw new CastellanError(
    'CAS3006',
    `${url} doesn't say where the directory (microsoftGraphResourceId) and the sign-in (authentication.loginEndpoint) are`,
  );
}

interface CredentialSettings {
  /** The provider block. */
  readonly config: ValueMap;
  readonly env: EnvironmentVariables;
  /** Empty if none is configured. */
  readonly tenantId: string;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  /** The address of the sign-in: `https://login.microsoftonline.com`. */
  readonly authority: string;
  /** The certificates of a private authority in PEM. @default only the system's are trusted */
  readonly ca?: string;
}

/**
 * A client secret if one is configured, otherwise the managed identity if it is enabled, otherwise
 * the az command.
 */
function chooseCredential({
  config,
  env,
  tenantId,
  clientId,
  clientSecret,
  authority,
  ca,
}: CredentialSettings): TokenProvider {
  const booleanSetting = (attribute: string, variable: string): boolean | undefined =>
    optionalBoolean(config, attribute) ?? booleanVariable(env, variable);
  if (clientSecret !== undefined) {
    if (clientId === undefined || tenantId === '')
      throw new CastellanError(
        'CAS3006',
        'a client secret needs client_id (ARM_CLIENT_ID) and tenant_id (ARM_TENANT_ID) beside it',
      );
    return clientSecretCredential({
      tenantId,
      clientId,
      clientSecret,
      authority,
      ...omitUndefined({ ca }),
    });
  }
  if (booleanSetting('use_msi', 'ARM_USE_MSI') === true)
    return managedIdentityCredential({ env, ...omitUndefined({ clientId }) });
  if (booleanSetting('use_cli', 'ARM_USE_CLI') === false)
    throw new CastellanError(
      'CAS3006',
      'no credential: give client_id and client_secret (ARM_CLIENT_ID, ARM_CLIENT_SECRET), use_msi (ARM_USE_MSI) or use_cli (ARM_USE_CLI)',
    );
  return azureCliCredential(tenantId === '' ? {} : { tenantId });
}

/**
 * A boolean environment variable, in the spellings that the official providers accept (Go's
 * `ParseBool`); undefined if it is unset or empty.
 */
function booleanVariable(env: EnvironmentVariables, name: string): boolean | undefined {
  const text = env[name] ?? '';
  if (text === '') return undefined;
  if (/^(1|t|true)$/i.test(text)) return true;
  if (/^(0|f|false)$/i.test(text)) return false;
  throw new CastellanError(
    'CAS3006',
    `${name} is ${JSON.stringify(text)}: allowed are true and false`,
  );
}

function readUrl(setting: Setting | undefined): string | undefined {
  if (setting === undefined || URL.canParse(setting.value)) return setting?.value;
  const { value, source } = setting;
  throw new CastellanError('CAS3006', `${source} is ${JSON.stringify(value)}: it must be a URL`);
}

function readCa({ value: file, source }: Setting): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CastellanError(
      'CAS3006',
      `${source} is ${JSON.stringify(file)}: the file can't be read`,
      { cause },
    );
  }
}
