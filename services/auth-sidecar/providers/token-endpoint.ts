import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { ClientAuthMethod, OpenIdSettings } from '../config/settings.js';
import { Refusal } from '../http/refusal.js';
import type { SecondsClock } from '../seconds-clock.js';
import { clientAssertion } from './client-assertion.js';
import type { OpenIdMetadata } from './openid-metadata.js';
import { expiryOf, type Tokens } from './provider.js';
import type { ProviderAnswer, ProviderHttp } from './provider-http.js';
import { providerErrorCode, requireProviderAnswer } from './provider-refusals.js';
import { nonEmptyString } from './string-members.js';

/** Parameters of a request for tokens: the grant's own, with `grant_type`. */
export type Grant = Readonly<Record<string, string>>;

/** Exchanges grants for tokens, with the client's secret or certificate. */
export class TokenEndpoint {
  /** The method by which a custom provider has accepted the client. */
  private acceptedMethod: AuthMethod | undefined;

  constructor(
    private readonly settings: OpenIdSettings,
    private readonly http: ProviderHttp,
    private readonly now: SecondsClock,
  ) {}

  /** @throws Refusal 401, or 403 for a refused refresh token; 502 or 504 */
  async redeem(metadata: OpenIdMetadata, grant: Grant, signal: AbortSignal): Promise<Tokens> {
    const { status, body } = await this.requestTokens(metadata, grant, signal);
    const isRefresh = grant['grant_type'] === 'refresh_token';
    requireProviderAnswer(status, 'answer', isRefresh ? body['error'] : undefined);
    if (status !== 200) {
      const refusalStatus = isRefresh ? 403 : 401;
      throw new Refusal(refusalStatus, 'The identity provider refused to give tokens.', {
        code: providerErrorCode(body['error']),
      });
    }
    return omitUndefined({
      idToken: nonEmptyString(body, 'id_token'),
      accessToken: nonEmptyString(body, 'access_token'),
      refreshToken: nonEmptyString(body, 'refresh_token'),
      expiresOn: expiryOf(body['expires_in'], this.now()),
    });
  }

  /** Requests tokens, by one method after the other until the provider accepts the client. */
  private async requestTokens(
    metadata: OpenIdMetadata,
    grant: Grant,
    signal: AbortSignal,
  ): Promise<ProviderAnswer> {
    const [first, ...others] = this.authMethodsToTry(metadata);
    let answer = await this.send(metadata, grant, first, signal);
    let method = first;
    for (const other of others) {
      if (answer.status !== 401 && answer.body['error'] !== 'invalid_client') break;
      method = other;
      answer = await this.send(metadata, grant, method, signal);
    }
    if (answer.status === 200) this.acceptedMethod = method;
    return answer;
  }

  /**
   * The methods by which the client authenticates, in the order in which they are tried: the setting,
   * otherwise what discovery lists. Custom providers that list nothing should accept Basic (OpenID
   * Connect Discovery, 3), but some accept only `client_secret_post`, so both are tried.
   */
  private authMethodsToTry({
    tokenEndpointAuthMethods,
  }: OpenIdMetadata): [AuthMethod, ...AuthMethod[]] {
    const { clientAuthMethod, clientSecret, certificate, flavor } = this.settings;
    if (clientSecret === undefined) return [certificate === undefined ? 'none' : 'private_key_jwt'];
    if (clientAuthMethod !== undefined) return [clientAuthMethod];
    const [basic, post] = ['client_secret_basic', 'client_secret_post'] as const;
    const takesBasic = tokenEndpointAuthMethods?.includes(basic) ?? flavor === 'custom';
    if (flavor !== 'custom')
      return [takesBasic && tokenEndpointAuthMethods?.includes(post) === false ? basic : post];
    if (this.acceptedMethod !== undefined) return [this.acceptedMethod];
    return takesBasic ? [basic, post] : [post, basic];
  }

  private async send(
    { tokenEndpoint }: OpenIdMetadata,
    grant: Grant,
    method: AuthMethod,
    signal: AbortSignal,
  ): Promise<ProviderAnswer> {
    const { clientId, clientSecret = '', certificate = '' } = this.settings;
    const form = new URLSearchParams(grant);
    const headers: Record<string, string> = {};
    if (method === 'client_secret_basic')
      headers['authorization'] = basicCredentials(clientId, clientSecret);
    else form.set('client_id', clientId);
    if (method === 'client_secret_post') form.set('client_secret', clientSecret);
    if (method === 'private_key_jwt') {
      form.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
      form.set(
        'client_assertion',
        await clientAssertion(certificate, clientId, tokenEndpoint, this.now()),
      );
    }
    return this.http(tokenEndpoint, { form, headers, signal });
  }
}

type AuthMethod = ClientAuthMethod | 'none';

/** Client id and secret as a form encodes them, then as Basic (RFC 6749, 2.3.1). */
function basicCredentials(clientId: string, clientSecret: string): string {
  const encoded = [clientId, clientSecret].map((text) =>
    new URLSearchParams({ '': text }).toString().slice(1),
  );
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`;
}
