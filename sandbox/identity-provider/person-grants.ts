import { personClaims } from '../../access/token-claims.js';
import { jwtBearerGrantType } from './discovery.js';
import {
  type Application,
  type Person,
  resourceApplication,
  rolesClaim,
} from './people-and-applications.js';
import type { Form } from './form.js';
import type { CreateRefreshToken } from './refresh-tokens.js';
import { resourceOf, scopeClaim, directoryAudience } from './scopes.js';
import { noTokenError, disabledResourceError } from './request-errors.js';
import { type IdentityProviderContext, issuerOf } from './context.js';
import {
  type OAuthError,
  oauthError,
  type OAuthResponse,
  tokenLifetimeSeconds,
  tokenResponse,
  unknownApplicationError,
  wrongSecretError,
} from './oauth-response.js';

/**
 * `grant_type=password`: a user's tokens for a script. Users have no password here, and need none
 * on the sign-in page: any is accepted.
 */
export async function passwordGrant(
  context: IdentityProviderContext,
  form: Form,
  createRefreshToken: CreateRefreshToken,
): Promise<OAuthResponse> {
  const { client_id: clientId = '', client_secret: secret, username = '', scope = 'openid' } = form;
  const application = await context.directory.application(clientId);
  const isToolkit = clientId.toLowerCase() === context.settings.clientId;
  if (application === undefined && !isToolkit) return unknownApplicationError(clientId);
  if (
    secret !== undefined &&
    !(isToolkit
      ? secret === context.settings.clientSecret
      : await context.checkSecret(clientId, secret))
  )
    return wrongSecretError(clientId);
  const person = await context.directory.personEvenIfDisabled(username);
  if (person === undefined)
    return oauthError(
      400,
      'invalid_grant',
      `AADSTS50034: The user account '${username}' does not exist in the tenant.`,
    );
  return personTokens(context, { person, application, clientId, scope }, createRefreshToken);
}

/**
 * `requested_token_use=on_behalf_of`: an application that was called with a person's access token
 * gets that person's tokens for another resource.
 */
export async function onBehalfOfGrant(
  context: IdentityProviderContext,
  form: Form,
  createRefreshToken: CreateRefreshToken,
): Promise<OAuthResponse> {
  const { client_id: clientId = '', client_secret: secret = '', scope = '' } = form;
  const application = await context.directory.application(clientId);
  if (application === undefined) return unknownApplicationError(clientId);
  if (!(await context.checkSecret(clientId, secret))) return wrongSecretError(clientId);
  const missing = ['assertion', 'requested_token_use', 'scope'].find((name) => !form[name]);
  if (missing !== undefined)
    return oauthError(
      400,
      'invalid_request',
      `AADSTS900144: The request body must contain the following parameter: '${missing}'.`,
    );
  if (form['requested_token_use'] !== 'on_behalf_of')
    return oauthError(
      400,
      'invalid_request',
      "AADSTS90014: The parameter 'requested_token_use' must be 'on_behalf_of'.",
    );
  const person = await personOfAssertion(context, application, form['assertion'] ?? '');
  if ('status' in person) return person;
  return personTokens(context, { person, application, clientId, scope }, createRefreshToken);
}

/** The person of an access token for an application, or why it can't be exchanged. */
async function personOfAssertion(
  context: IdentityProviderContext,
  { appId, identifierUris }: Application,
  assertion: string,
): Promise<Person | OAuthError> {
  const refusal = (description: string) => oauthError(400, 'invalid_grant', description);
  const { jwtVerify, errors } = await import('jose');
  try {
    const { payload } = await jwtVerify(assertion, context.key.resolvePublicKey, {
      issuer: issuerOf(context),
      audience: [appId, `api://${appId}`, ...(identifierUris ?? [])],
      // In requests this is the sandbox's clock; jose would take the machine's.
      currentDate: new Date(Date.now()),
    });
    if (payload['idtyp'] === 'app')
      return refusal(
        `AADSTS7000114: Application '${appId}' is not allowed to make application on-behalf-of calls.`,
      );
    if (payload['scp'] === undefined)
      return refusal(
        `AADSTS240002: Input id_token cannot be used as '${jwtBearerGrantType}' grant.`,
      );
    const id = String(payload['oid'] ?? '');
    return (
      (await context.directory.personEvenIfDisabled(id)) ??
      refusal(`AADSTS50034: The user account '${id}' does not exist in the tenant.`)
    );
  } catch (error) {
    if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud')
      return refusal(
        'AADSTS500131: Assertion audience does not match the Client app presenting the assertion.',
      );
    if (error instanceof errors.JWTExpired)
      return refusal('AADSTS500133: Assertion is not within its valid time range.');
    if (error instanceof errors.JOSEError)
      return refusal('AADSTS50013: Assertion failed signature validation.');
    throw error;
  }
}

/** The person that an application requests tokens for, and the scopes. */
interface PersonRequest {
  readonly person: Person;
  /** Undefined for the toolkit. */
  readonly application: Application | undefined;
  readonly clientId: string;
  readonly scope: string;
}

/** The tokens of a person, or why an application gets none. */
async function personTokens(
  context: IdentityProviderContext,
  { person, application, clientId, scope }: PersonRequest,
  createRefreshToken: CreateRefreshToken,
): Promise<OAuthResponse> {
  const refusal = await noTokenError(context, person, clientId);
  if (refusal !== undefined) return refusal;
  const memberships = await context.directory.membershipsOf(person.id);
  const claimsFor = (registration: Application | undefined): Record<string, unknown> =>
    personClaims(person, memberships, registration, context.settings.tenantId);
  const audience = resourceOf(scope, clientId) ?? directoryAudience;
  const resourceRefusal = await disabledResourceError(context.directory, audience);
  if (resourceRefusal !== undefined) return resourceRefusal;
  const resource = (await resourceApplication(context.directory, audience)) ?? application;
  const requestedScopes = scope.split(' ');
  const commonClaims = { iss: issuerOf(context), sub: person.id };
  const accessToken = await context.key.sign(
    {
      ...claimsFor(resource),
      ...(await rolesClaim(context.directory, person, audience)),
      ...commonClaims,
      azp: clientId,
      appid: clientId,
      aud: audience,
      scp: scopeClaim(scope, audience),
    },
    tokenLifetimeSeconds,
  );
  const idToken = await context.key.sign(
    {
      ...claimsFor(application),
      ...(await rolesClaim(context.directory, person, clientId)),
      ...commonClaims,
      aud: clientId,
    },
    tokenLifetimeSeconds,
  );
  const refreshToken =
    application !== undefined && requestedScopes.includes('offline_access')
      ? await createRefreshToken({ personId: person.id, clientId, scope, resource: audience })
      : undefined;
  return tokenResponse(accessToken, {
    ...(requestedScopes.includes('openid') && { id_token: idToken }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    scope,
  });
}
