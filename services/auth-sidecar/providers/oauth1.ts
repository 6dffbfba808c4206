import { createHmac, randomBytes } from 'node:crypto';
import type { OAuth1Settings, JsonObject } from '../config/settings.js';
import { Refusal } from '../http/refusal.js';
import { identityOf } from '../session/identity.js';
import { scalarMembers } from './oauth2.js';
import { invalidTokenRefusal, requireProviderAnswer } from './provider-refusals.js';
import { requiredString } from './string-members.js';
import {
  ConfiguredProvider,
  type LoginAttempt,
  type LoginRedirect,
  type Provider,
  type CompletedSignIn,
} from './provider.js';
import type { ProviderAnswer } from './provider-http.js';

/** The microblog provider by OAuth 1.0a: the request token replaces the state. */
export class OAuth1Provider extends ConfiguredProvider<OAuth1Settings> implements Provider {
  readonly scopes: readonly string[] = [];
  readonly stateParameter = 'oauth_token';
  readonly callbackParameters = ['oauth_token', 'oauth_verifier', 'denied', 'error'];
  readonly forwardedParameters: readonly string[] = [];
  readonly usesFormPost = false;
  readonly emailTrust = this.settings.trustsEmail ? 'unverified' : 'verified';

  async beginLogin(
    attempt: LoginAttempt,
    _parameters: readonly (readonly [string, string])[],
    signal: AbortSignal,
  ): Promise<LoginRedirect> {
    const answer = await this.signedCall(
      'POST',
      this.settings.requestTokenEndpoint,
      [['oauth_callback', attempt.redirectUri]],
      { token: '', secret: '' },
      signal,
    );
    const form = new URLSearchParams(answer.text);
    const [token, secret] = [form.get('oauth_token'), form.get('oauth_token_secret')];
    if (
      answer.status !== 200 ||
      !token ||
      !secret ||
      form.get('oauth_callback_confirmed') !== 'true'
    )
      throw new Refusal(502, 'The identity provider gave no request token.', {
        code: 'provider_unusable',
      });
    const url = new URL(this.settings.authenticateEndpoint);
    url.searchParams.set('oauth_token', token);
    return { location: url.href, state: token, secret };
  }

  async completeLogin(
    parameters: ReadonlyMap<string, string>,
    attempt: LoginAttempt,
    signal: AbortSignal,
  ): Promise<CompletedSignIn> {
    const token = parameters.get('oauth_token') ?? '';
    const verifier = parameters.get('oauth_verifier');
    if (verifier === undefined)
      throw new Refusal(400, 'The answer of the identity provider carries no verifier.', {
        code: 'invalid_callback',
      });
    const answer = await this.signedCall(
      'POST',
      this.settings.accessTokenEndpoint,
      [['oauth_verifier', verifier]],
      { token, secret: attempt.secret ?? '' },
      signal,
    );
    requireProviderAnswer(answer.status, 'answer');
    const form = new URLSearchParams(answer.text);
    const [accessToken, accessTokenSecret] = [
      form.get('oauth_token'),
      form.get('oauth_token_secret'),
    ];
    if (answer.status !== 200 || !accessToken || !accessTokenSecret)
      throw new Refusal(401, 'The identity provider refused to give tokens.', {
        code: 'provider_refused',
      });
    return this.fetchUser(accessToken, accessTokenSecret, signal);
  }

  async acceptPostedTokens(body: JsonObject, signal: AbortSignal): Promise<CompletedSignIn> {
    const [accessToken, accessTokenSecret] = [
      requiredString(body, 'access_token'),
      requiredString(body, 'access_token_secret'),
    ];
    if (!/^[\x21-\x7e]+$/.test(accessToken + accessTokenSecret))
      throw invalidTokenRefusal('it is malformed');
    return this.fetchUser(accessToken, accessTokenSecret, signal);
  }

  /**
   * The user endpoint accepts only tokens issued to this consumer: its secret is part of the
   * signature.
   */
  private async fetchUser(
    accessToken: string,
    accessTokenSecret: string,
    signal: AbortSignal,
  ): Promise<CompletedSignIn> {
    const { status, body } = await this.signedCall(
      'GET',
      this.settings.userEndpoint,
      [],
      { token: accessToken, secret: accessTokenSecret },
      signal,
    );
    requireProviderAnswer(status, 'check the token');
    const identity = status === 200 ? identityOf(scalarMembers(body)) : undefined;
    if (identity === undefined)
      throw invalidTokenRefusal(`the user endpoint answered ${String(status)} without an identity`);
    return { identity, tokens: { accessToken, accessTokenSecret } };
  }

  private signedCall(
    method: 'GET' | 'POST',
    url: string,
    callParameters: readonly (readonly [string, string])[],
    token: { readonly token: string; readonly secret: string },
    signal: AbortSignal,
  ): Promise<ProviderAnswer> {
    const parameters: (readonly [string, string])[] = [
      ['oauth_consumer_key', this.settings.clientId],
      ['oauth_nonce', randomBytes(16).toString('hex')],
      ['oauth_signature_method', 'HMAC-SHA1'],
      ['oauth_timestamp', String(this.now())],
      ...(token.token === '' ? [] : [['oauth_token', token.token] as const]),
      ['oauth_version', '1.0'],
      ...callParameters,
    ];
    const signature = signOAuth1({
      method,
      url,
      parameters,
      consumerSecret: this.settings.clientSecret,
      tokenSecret: token.secret,
    });
    const authorization = oauthHeader([...parameters, ['oauth_signature', signature]]);
    return this.http(url, { method, headers: { authorization }, signal });
  }
}

/** Percent-encoding of RFC 3986, as OAuth 1.0a requires. */
function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The data and keys of a signature. */
interface SignatureInput {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  /** OAuth parameters and those of a form body. */
  readonly parameters: readonly (readonly [string, string])[];
  readonly consumerSecret: string;
  /** Empty for a request without a token. */
  readonly tokenSecret: string;
}

/** The HMAC-SHA1 signature of RFC 5849, section 3.4. */
export function signOAuth1(input: SignatureInput): string {
  const url = new URL(input.url);
  const pairs = [...url.searchParams, ...input.parameters].map(
    ([name, value]) => [percentEncode(name), percentEncode(value)] as const,
  );
  const sortedPairs = pairs.sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)));
  const normalized = sortedPairs.map(([name, value]) => `${name}=${value}`).join('&');
  const base = [
    input.method.toUpperCase(),
    `${url.protocol}//${url.host}${url.pathname}`,
    normalized,
  ]
    .map(percentEncode)
    .join('&');
  return createHmac(
    'sha1',
    `${percentEncode(input.consumerSecret)}&${percentEncode(input.tokenSecret)}`,
  )
    .update(base)
    .digest('base64');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The `Authorization` header of signed parameters. */
function oauthHeader(parameters: readonly (readonly [string, string])[]): string {
  return `OAuth ${parameters.map(([name, value]) => `${percentEncode(name)}="${percentEncode(value)}"`).join(', ')}`;
}
