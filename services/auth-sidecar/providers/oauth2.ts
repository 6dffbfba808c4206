import { createHash, createHmac } from 'node:crypto';
import { isObject } from '../../../core/values/is-object.js';
import type { OAuth2Settings, JsonObject } from '../config/settings.js';
import { Refusal } from '../http/refusal.js';
import { type Identity, identityOf } from '../session/identity.js';
import {
  providerErrorCode,
  invalidTokenRefusal,
  requireProviderAnswer,
} from './provider-refusals.js';
import { nonEmptyString, requiredString } from './string-members.js';
import {
  ConfiguredProvider,
  expiryOf,
  latestExpiry,
  type LoginAttempt,
  type LoginRedirect,
  type Provider,
  type CompletedSignIn,
  type Tokens,
} from './provider.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** An OAuth 2 provider with a user endpoint: social network and code host. */
export class OAuth2Provider extends ConfiguredProvider<OAuth2Settings> implements Provider {
  readonly scopes = this.settings.scopes;
  readonly stateParameter = 'state';
  readonly callbackParameters = ['state', 'code', 'error', 'error_description', 'iss'];
  readonly forwardedParameters: readonly string[] = [];
  readonly usesFormPost = false;
  readonly emailTrust = this.settings.trustsEmail ? 'unverified' : 'verified';

  beginLogin(attempt: LoginAttempt): Promise<LoginRedirect> {
    const url = new URL(this.settings.authorizationEndpoint);
    const parameters = {
      client_id: this.settings.clientId,
      response_type: 'code',
      redirect_uri: attempt.redirectUri,
      ...(this.scopes.length !== 0 && {
        scope: this.scopes.join(this.settings.flavor === 'social' ? ',' : ' '),
      }),
      state: attempt.state,
      code_challenge: createHash('sha256').update(attempt.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return Promise.resolve({ location: url.href });
  }

  async completeLogin(
    parameters: ReadonlyMap<string, string>,
    attempt: LoginAttempt,
    signal: AbortSignal,
  ): Promise<CompletedSignIn> {
    const iss = parameters.get('iss');
    if (
      iss !== undefined &&
      iss !== new URL(this.settings.authorizationEndpoint).origin &&
      iss !== this.settings.authorizationEndpoint.replace(/\/authorize$/, '')
    )
      throw new Refusal(401, 'The answer comes from another identity provider.', {
        code: 'issuer_mismatch',
      });
    const code = parameters.get('code');
    if (code === undefined)
      throw new Refusal(400, 'The answer of the identity provider carries no code.', {
        code: 'invalid_callback',
      });
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: attempt.redirectUri,
      code_verifier: attempt.verifier,
      client_id: this.settings.clientId,
      ...omitUndefined({ client_secret: this.settings.clientSecret }),
    });
    const { status, body } = await this.http(this.settings.tokenEndpoint, { form, signal });
    requireProviderAnswer(status, 'answer');
    const accessToken = nonEmptyString(body, 'access_token');
    // The code host answers errors with status 200.
    if (status !== 200 || accessToken === undefined)
      throw new Refusal(401, 'The identity provider refused to give tokens.', {
        code: providerErrorCode(body['error']),
      });
    const otherTokens = omitUndefined({
      refreshToken: nonEmptyString(body, 'refresh_token'),
      expiresOn: expiryOf(body['expires_in'] ?? body['expires'], this.now()),
    });
    return this.fetchUser({ ...otherTokens, accessToken }, signal);
  }

  /**
   * Accepts a token that a client posts. It must have been issued to this app: otherwise any app that
   * a user signs in to could sign in here as that user. Without an endpoint that tells the app of a
   * token this is not checked, and `--config-test` warns.
   */
  async acceptPostedTokens(body: JsonObject, signal: AbortSignal): Promise<CompletedSignIn> {
    const accessToken = requiredString(body, 'access_token');
    if (!/^[\x21-\x7e]+$/.test(accessToken)) throw invalidTokenRefusal('it is malformed');
    const { tokenInspectionEndpoint } = this.settings;
    const expiresOn =
      tokenInspectionEndpoint === undefined
        ? undefined
        : await this.inspectToken(tokenInspectionEndpoint, accessToken, signal);
    return this.fetchUser({ accessToken, ...omitUndefined({ expiresOn }) }, signal);
  }

  /** The newest identity of a person, by the user endpoint. */
  readonly fetchIdentity = async (
    { accessToken }: Tokens,
    previous: Identity,
    signal: AbortSignal,
  ): Promise<Identity | undefined> => {
    if (accessToken === undefined) return undefined;
    const { identity } = await this.fetchUser({ accessToken }, signal);
    if (identity.id !== previous.id)
      throw new Refusal(403, 'The identity provider stated another person.', {
        code: 'refresh_failed',
      });
    return identity;
  };

  /**
   * When a token expires, in seconds since 1970; undefined if it does not.
   *
   * @throws Refusal 401 for a token that was not issued to this app
   */
  private async inspectToken(
    endpoint: string,
    accessToken: string,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const { clientId, clientSecret = '', flavor } = this.settings;
    if (flavor === 'social') {
      const url = new URL(endpoint);
      url.searchParams.set('input_token', accessToken);
      url.searchParams.set('access_token', `${clientId}|${clientSecret}`);
      const { status, body } = await this.http(url.href, { signal });
      requireProviderAnswer(status, 'check the token');
      const data = isObject(body['data']) ? body['data'] : {};
      if (status !== 200 || data['is_valid'] !== true || String(data['app_id']) !== clientId)
        throw invalidTokenRefusal('it was not issued to this app');
      const { expires_at: expiresAt } = data;
      // 0: never
      return typeof expiresAt === 'number' && expiresAt > 0
        ? Math.min(expiresAt, latestExpiry)
        : undefined;
    }
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const { status, body } = await this.http(endpoint, {
      json: { access_token: accessToken },
      headers: { authorization: `Basic ${basic}` },
      signal,
    });
    requireProviderAnswer(status, 'check the token');
    const app = isObject(body['app']) ? body['app'] : {};
    if (status !== 200 || (app['client_id'] !== undefined && app['client_id'] !== clientId))
      throw invalidTokenRefusal('it was not issued to this app');
    const expiresAt = Date.parse(String(body['expires_at']));
    return Number.isNaN(expiresAt) ? undefined : Math.floor(expiresAt / 1000);
  }

  private async fetchUser(
    tokens: Tokens & { readonly accessToken: string },
    signal: AbortSignal,
  ): Promise<CompletedSignIn> {
    const { userEndpoint, flavor, clientSecret } = this.settings;
    const url = new URL(userEndpoint);
    if (flavor === 'social' && clientSecret !== undefined)
      url.searchParams.set(
        'appsecret_proof',
        createHmac('sha256', clientSecret).update(tokens.accessToken).digest('hex'),
      );
    const { status, body } = await this.http(url.href, {
      headers: { authorization: `Bearer ${tokens.accessToken}` },
      signal,
    });
    requireProviderAnswer(status, 'check the token');
    if (status !== 200) throw invalidTokenRefusal(`the user endpoint answered ${String(status)}`);
    const identity = identityOf(scalarMembers(body));
    if (identity === undefined) throw invalidTokenRefusal('the claims identify no one');
    return {
      identity,
      tokens,
      ...omitUndefined({ expiresAt: tokens.expiresOn }),
    };
  }
}

/** A user endpoint's answer without nested objects and API addresses. */
export function scalarMembers(body: JsonObject): JsonObject {
  const entries = Object.entries(body).filter(
    ([key, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) &&
      (!key.endsWith('_url') || key === 'avatar_url'),
  );
  return Object.fromEntries(entries);
}
