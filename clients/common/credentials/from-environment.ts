import type { TokenProvider } from '../credential.js';
import { staticToken } from '../credential.js';
import { azureCliCredential } from './azure-cli.js';
import { clientSecretCredential } from './client-secret.js';
import { managedIdentityCredential } from './managed-identity.js';

/** What decides where tokens come from. */
export interface EnvironmentCredentialOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The service's address: one on loopback over plain HTTP is asked without a token where the environment has none. */
  readonly endpoint: string;
  /** Certificate(s) of a private authority in PEM, for the token endpoint. */
  readonly ca?: string;
}

/**
 * The credential that the environment offers, the first of: `CASTELLAN_TOKEN`; a client secret (`ARM_` or `AZURE_`, `CLIENT_ID`,
 * `CLIENT_SECRET`, `TENANT_ID`); a managed identity (`IDENTITY_ENDPOINT`, `IDENTITY_HEADER`); none on loopback over plain HTTP; the
 * az CLI's sign-in.
 */
export function credentialFromEnvironment({ env, endpoint, ca }: EnvironmentCredentialOptions): TokenProvider | undefined {
  const either = (name: string): string | undefined => env[`AZURE_${name}`] ?? env[`ARM_${name}`];
  const token = env['CASTELLAN_TOKEN'];
  if (token !== undefined && token !== '') return staticToken(token);
  const [clientId, clientSecret, tenantId] = [either('CLIENT_ID'), either('CLIENT_SECRET'), either('TENANT_ID')];
  if (clientId !== undefined && clientSecret !== undefined && tenantId !== undefined) {
    const authority = env['AZURE_AUTHORITY_HOST'] ?? env['ARM_ACTIVE_DIRECTORY_AUTHORITY_HOST'];
    return clientSecretCredential({
      tenantId,
      clientId,
      clientSecret,
      ...(authority === undefined ? {} : { authority }),
      ...(ca === undefined ? {} : { ca }),
    });
  }
  if (env['IDENTITY_ENDPOINT'] !== undefined && env['IDENTITY_HEADER'] !== undefined) return managedIdentityCredential({ env });
  const { protocol, hostname } = new URL(endpoint);
  if (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return undefined;
  return azureCliCredential();
}
