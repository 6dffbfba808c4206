import { randomBytes } from 'node:crypto';
import type { Plain } from '../config/plain.js';
import type { OAuth1Settings } from '../config/settings.js';
import { Refusal } from '../http/refusal.js';
import { identityOf } from '../session/identity.js';
import type { Seconds } from '../token-store/entry-store.js';
import { oauthHeader, signOAuth1 } from './oauth1-signature.js';
import { scalars } from './oauth2.js';
import { invalidToken, requiredText } from './refusals.js';
import type { LoginAttempt, LoginRedirect, Provider, SignedIn } from './provider.js';
import type { ProviderAnswer, ProviderHttp } from './provider-http.js';

/** The microblog provider by OAuth 1.0a: the request token takes the part of the state. */
export class OAuth1Provider implements Provider {
  readonly key: string;
  readonly words: readonly [string, ...string[]];
  readonly label: string;
  readonly scopes: readonly string[] = [];
  readonly stateParameter = 'oauth_token';
  readonly callbackParameters = ['oauth_token', 'oauth_verifier', 'denied', 'error'];
  readonly passedParameters: readonly string[] = [];
  readonly formPost = false;
  readonly vouchesForEmail = true;

  constructor(
    private readonly settings: OAuth1Settings,
    private readonly http: ProviderHttp,
    private readonly now: Seconds,
  ) {
    this.key = settings.key;
    this.words = settings.words;
    this.label = settings.label;
  }

  async begin(attempt: LoginAttempt, _passed: readonly (readonly [string, string])[], signal: AbortSignal): Promise<LoginRedirect> {
    const answer = await this.call(
      'POST',
      this.settings.requestToken,
      [['oauth_callback', attempt.redirectUri]],
      { token: '', secret: '' },
      signal,
    );
    const form = new URLSearchParams(answer.text);
    const [token, secret] = [form.get('oauth_token'), form.get('oauth_token_secret')];
    if (answer.status !== 200 || !token || !secret || form.get('oauth_callback_confirmed') !== 'true')
      throw new Refusal(502, 'The identity provider gave no request token.', { code: 'provider_unusable' });
    const url = new URL(this.settings.authenticate);
    url.searchParams.set('oauth_token', token);
    return { location: url.href, state: token, secret };
  }

  async complete(parameters: ReadonlyMap<string, string>, attempt: LoginAttempt, signal: AbortSignal): Promise<SignedIn> {
    const token = parameters.get('oauth_token') ?? '';
    const verifier = parameters.get('oauth_verifier');
    if (verifier === undefined)
      throw new Refusal(400, 'The answer of the identity provider carries no verifier.', { code: 'invalid_callback' });
    const answer = await this.call(
      'POST',
      this.settings.accessToken,
      [['oauth_verifier', verifier]],
      { token, secret: attempt.secret ?? '' },
      signal,
    );
    if (answer.status >= 500) throw new Refusal(502, 'The identity provider could not answer.', { code: 'provider_unreachable' });
    const form = new URLSearchParams(answer.text);
    const [accessToken, accessTokenSecret] = [form.get('oauth_token'), form.get('oauth_token_secret')];
    if (answer.status !== 200 || !accessToken || !accessTokenSecret)
      throw new Refusal(401, 'The identity provider refused to give tokens.', { code: 'provider_refused' });
    return this.signedIn(accessToken, accessTokenSecret, signal);
  }

  accept(body: Plain, signal: AbortSignal): Promise<SignedIn> {
    return this.signedIn(requiredText(body, 'access_token'), requiredText(body, 'access_token_secret'), signal);
  }

  /** The user endpoint takes only tokens that were issued to this consumer: its secret is part of the signature. */
  private async signedIn(accessToken: string, accessTokenSecret: string, signal: AbortSignal): Promise<SignedIn> {
    const { status, body } = await this.call('GET', this.settings.user, [], { token: accessToken, secret: accessTokenSecret }, signal);
    if (status >= 500) throw new Refusal(502, 'The identity provider could not check the token.', { code: 'provider_unreachable' });
    const identity = status === 200 ? identityOf(scalars(body)) : undefined;
    if (identity === undefined) throw invalidToken();
    return { identity, tokens: { accessToken, accessTokenSecret } };
  }

  private call(
    method: 'GET' | 'POST',
    url: string,
    more: readonly (readonly [string, string])[],
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
      ...more,
    ];
    const signature = signOAuth1({ method, url, parameters, consumerSecret: this.settings.clientSecret, tokenSecret: token.secret });
    const authorization = oauthHeader([...parameters, ['oauth_signature', signature]]);
    return this.http(url, { method, headers: { authorization }, signal });
  }
}
