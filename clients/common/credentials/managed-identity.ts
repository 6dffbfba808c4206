import { CastellanError } from '../../../core/errors/castellan-error.js';
import { rememberTokens } from '../credential.js';
import type { TokenProvider } from '../credential.js';
import type { Fetch } from '../transport.js';
import { resourceOf } from './resource.js';
import { tokenFromAnswer } from './token-answer.js';

/** A managed identity of the container platform, as its environment variables describe it. */
export interface ManagedIdentityOptions {
  /** `IDENTITY_ENDPOINT` and `IDENTITY_HEADER` are read from here. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A user-assigned identity. @default the system-assigned one */
  readonly clientId?: string;
  readonly fetch?: Fetch;
}

/**
 * Tokens of a managed identity: `GET $IDENTITY_ENDPOINT?api-version=2019-08-01&resource=…` with `X-IDENTITY-HEADER`.
 *
 * @throws CAS5004 where the environment names no endpoint.
 */
export function managedIdentityCredential(options: ManagedIdentityOptions = {}): TokenProvider {
  const env = options.env ?? process.env;
  const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  return rememberTokens({
    async getToken(scope) {
      const [endpoint, header] = [env['IDENTITY_ENDPOINT'], env['IDENTITY_HEADER']];
      if (endpoint === undefined || header === undefined)
        throw new CastellanError('CAS5004', 'no managed identity here: IDENTITY_ENDPOINT and IDENTITY_HEADER are not set');
      const url = new URL(endpoint);
      url.searchParams.set('api-version', '2019-08-01');
      url.searchParams.set('resource', resourceOf(scope));
      if (options.clientId !== undefined) url.searchParams.set('client_id', options.clientId);
      let answer: Response;
      try {
        const headers = { 'X-IDENTITY-HEADER': header, Metadata: 'true' };
        answer = await send(url.href, { method: 'GET', headers, redirect: 'error', signal: AbortSignal.timeout(30_000) });
      } catch (cause) {
        throw new CastellanError('CAS5004', `the managed identity endpoint ${url.origin} can't be reached`, { cause });
      }
      return tokenFromAnswer(answer, 'the managed identity endpoint');
    },
  });
}
