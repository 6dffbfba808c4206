import { randomUUID } from 'node:crypto';

/** The response of an OAuth endpoint. */
export interface OAuthResponse {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The response to a refused request. */
export interface OAuthError extends OAuthResponse {
  readonly body: { readonly error: string; readonly error_description: string } & Readonly<
    Record<string, unknown>
  >;
}

/** A token is valid for an hour, like the cloud's. */
export const tokenLifetimeSeconds = 3600;

/** The response to a refused request; the cloud's clients read the AADSTS codes in it. */
export function oauthError(status: number, error: string, description: string): OAuthError {
  const codes = [...description.matchAll(/AADSTS(\d+)/g)].map(([, code]) => Number(code));
  const ids = { trace_id: randomUUID(), correlation_id: randomUUID() };
  return {
    status,
    body: {
      error,
      error_description: description,
      error_codes: codes,
      timestamp: new Date().toISOString(),
      ...ids,
    },
  };
}

/** The response to a request of an application that is not registered. */
export function unknownApplicationError(clientId: string): OAuthError {
  return oauthError(
    400,
    'unauthorized_client',
    `AADSTS700016: Application '${clientId}' was not found.`,
  );
}

/** The response to a request without the secret that it needs. */
export function missingSecretError(description: string): OAuthError {
  return oauthError(401, 'invalid_client', description);
}

/** The response to a request with a secret that is not valid. */
export function wrongSecretError(clientId: string): OAuthError {
  return oauthError(
    401,
    'invalid_client',
    `AADSTS7000215: Invalid client secret provided for application '${clientId}'.`,
  );
}

/**
 * The response to a request with a client assertion (a certificate, or a federated credential),
 * with which no application can authenticate here.
 */
export function clientAssertionError(clientId: string): OAuthError {
  return oauthError(
    401,
    'invalid_client',
    `AADSTS700027: The certificate that signed the client assertion is not registered on application '${clientId}'. The sandbox takes no client assertions: use a client secret.`,
  );
}

/** A successful response (RFC 6749, section 5.1). @param fields further fields */
export function tokenResponse(
  accessToken: string,
  fields: Readonly<Record<string, unknown>> = {},
): OAuthResponse {
  return {
    status: 200,
    body: {
      token_type: 'Bearer',
      expires_in: tokenLifetimeSeconds,
      ext_expires_in: tokenLifetimeSeconds,
      access_token: accessToken,
      ...fields,
    },
  };
}
