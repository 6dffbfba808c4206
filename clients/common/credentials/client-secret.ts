import { CastellanError } from '../../../core/errors/castellan-error.js';
import { rememberTokens } from '../credential.js';
import type { TokenProvider } from '../credential.js';
import { fetchTrusting } from '../transport.js';
import type { Fetch } from '../transport.js';
import { tokenFromAnswer } from './token-answer.js';

/** An application with a secret. */
export interface ClientSecretOptions {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** @default 'https://login.microsoftonline.com' */
  readonly authority?: string;
  readonly fetch?: Fetch;
  /** Certificate(s) of a private authority in PEM. */
  readonly ca?: string;
}

/** Tokens by client id and secret: `POST {authority}/{tenant}/oauth2/v2.0/token`, remembered until shortly before they end. */
export function clientSecretCredential(options: ClientSecretOptions): TokenProvider {
  const authority = (options.authority ?? 'https://login.microsoftonline.com').replace(/\/+$/, '');
  const send =
    options.fetch ?? (options.ca === undefined ? (url: string, init: RequestInit) => fetch(url, init) : fetchTrusting(options.ca));
  const url = `${authority}/${encodeURIComponent(options.tenantId)}/oauth2/v2.0/token`;
  return rememberTokens({
    async getToken(scope) {
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: options.clientId,
        client_secret: options.clientSecret,
        scope,
      });
      let answer: Response;
      try {
        answer = await send(url, { method: 'POST', body, redirect: 'error', signal: AbortSignal.timeout(30_000) });
      } catch (cause) {
        throw new CastellanError('CAS5004', `${url} can't be reached for a token of client ${options.clientId}`, { cause });
      }
      return tokenFromAnswer(answer, `client ${options.clientId} at ${url}`);
    },
  });
}
