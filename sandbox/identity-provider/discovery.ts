import type { SandboxSettings } from '../settings.js';

/** The device authorization grant (RFC 8628). */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';
/** The grant by which an application exchanges a token (RFC 7523). */
export const jwtBearerGrantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** The polling interval of a device (RFC 8628, section 3.2: `interval`). */
export const devicePollSeconds = 5;

/**
 * `/{tenant}/v2.0/.well-known/openid-configuration`. The issuer has the tenant's id, also where the
 * path has `common` or another word for the tenant.
 */
export function openIdConfiguration(
  origin: string,
  { tenantId }: SandboxSettings,
): Readonly<Record<string, unknown>> {
  const base = `${origin}/${tenantId}`;
  return {
    issuer: `${base}/v2.0`,
    authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
    token_endpoint: `${base}/oauth2/v2.0/token`,
    device_authorization_endpoint: `${base}/oauth2/v2.0/devicecode`,
    end_session_endpoint: `${base}/oauth2/v2.0/logout`,
    userinfo_endpoint: `${base}/oidc/userinfo`,
    jwks_uri: `${base}/discovery/v2.0/keys`,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    response_types_supported: ['code', 'id_token', 'code id_token', 'token'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'client_credentials',
      'password',
      'implicit',
      deviceGrantType,
      jwtBearerGrantType,
    ],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'none'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    claims_supported: [
      'sub',
      'iss',
      'aud',
      'exp',
      'iat',
      'nonce',
      'name',
      'oid',
      'tid',
      'preferred_username',
      'email',
      'groups',
      'roles',
      'wids',
      'acct',
    ],
    tenant_region_scope: 'local',
    msgraph_host: new URL(origin).host,
    cloud_instance_name: new URL(origin).host,
  };
}

/** The host suffixes of storage accounts, key vaults and registries in the sandbox. */
export const localHostSuffixes = {
  storage: 'core.localhost',
  keyVault: 'vault.localhost',
  registry: 'azurecr.localhost',
} as const;

/** `/metadata/endpoints`: the addresses of the cloud, by which azurerm and azuread find the rest. */
export function metadataEndpoints(origin: string, apiVersion: string): unknown {
  const cloud = {
    name: 'CastellanSandbox',
    resourceManager: origin,
    microsoftGraphResourceId: `${origin}/`,
    portal: origin,
    graphEndpoint: origin,
    graph: origin,
    gallery: origin,
    authentication: {
      loginEndpoint: origin,
      audiences: [origin],
      tenant: 'common',
      identityProvider: 'AAD',
    },
    suffixes: {
      storage: localHostSuffixes.storage,
      keyVaultDns: localHostSuffixes.keyVault,
      acrLoginServer: localHostSuffixes.registry,
    },
  };
  // Versions from May 2019 until September 2022 list several clouds, all others describe one.
  return apiVersion >= '2022-09-01' || apiVersion < '2019-05-01' ? cloud : [cloud];
}

/** `/common/discovery/instance`: confirms that this host may issue tokens. */
export function instanceDiscovery(
  origin: string,
  tenantId: string,
): Readonly<Record<string, unknown>> {
  const { host } = new URL(origin);
  return {
    tenant_discovery_endpoint: `${origin}/${tenantId}/v2.0/.well-known/openid-configuration`,
    'api-version': '1.1',
    metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
  };
}
