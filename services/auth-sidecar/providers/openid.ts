import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { Plain } from '../config/plain.js';
import type { OpenIdSettings } from '../config/settings.js';
import { Refusal } from '../http/refusal.js';
import { identityOf } from '../session/identity.js';
import type { Seconds } from '../token-store/entry-store.js';
import { authorize } from './authorization.js';
import { clientAssertion } from './client-assertion.js';
import { KeySet } from './key-set.js';
import { isIssuedBy, MetadataSource } from './openid-metadata.js';
import type { OpenIdMetadata } from './openid-metadata.js';
import type { LoginAttempt, LoginRedirect, Provider, SignedIn, Tokens } from './provider.js';
import type { ProviderHttp } from './provider-http.js';
import { requiredText, optionalText } from './posted-body.js';

/** Asymmetric only: nobody but the provider can have made a token. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
const clockTolerance = 10;
const nameClaims = ['name', 'preferred_username', 'upn', 'unique_name', 'email', 'nickname'];

/** A provider by OpenID Connect: authorization code with state, nonce and PKCE; posted tokens; bearer tokens for the directory. */
export class OpenIdProvider implements Provider {
  readonly key: string;
  readonly words: readonly [string, ...string[]];
  readonly label: string;
  readonly scopes: readonly string[];
  readonly stateParameter = 'state';
  readonly callbackParameters = ['state', 'code', 'error', 'error_description', 'iss', 'session_state', 'id_token'];
  readonly passedParameters: readonly string[];
  readonly formPost: boolean;
  private readonly metadata: MetadataSource;
  private keySet: { readonly url: string; readonly keys: KeySet } | undefined;

  constructor(
    private readonly settings: OpenIdSettings,
    private readonly http: ProviderHttp,
    private readonly now: Seconds,
  ) {
    this.key = settings.key;
    this.words = settings.words;
    this.label = settings.label;
    this.scopes = settings.scopes;
    this.passedParameters = settings.passedParameters;
    this.formPost = settings.flavor === 'apple' && settings.scopes.length > 1;
    this.metadata = new MetadataSource(settings, http, now);
    if (settings.flavor === 'directory') this.bearer = (token) => this.takeBearer(token);
  }

  readonly issuer = (): string | undefined => this.metadata.issuer;

  async begin(attempt: LoginAttempt, passed: readonly (readonly [string, string])[]): Promise<LoginRedirect> {
    const { settings } = this;
    const { authorization } = await this.metadata.get();
    const url = new URL(authorization);
    // Configured parameters stand above the request's, the sidecar's own above both.
    for (const [name, value] of [...passed, ...settings.loginParameters]) url.searchParams.set(name, value);
    const own: Record<string, string> = {
      client_id: settings.clientId,
      response_type: 'code',
      redirect_uri: attempt.redirectUri,
      scope: settings.scopes.join(' '),
      state: attempt.state,
      ...(attempt.nonce === undefined ? {} : { nonce: attempt.nonce }),
      code_challenge: createHash('sha256').update(attempt.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(this.formPost ? { response_mode: 'form_post' } : {}),
    };
    for (const [name, value] of Object.entries(own)) url.searchParams.set(name, value);
    return { location: url.href };
  }

  async complete(parameters: ReadonlyMap<string, string>, attempt: LoginAttempt, signal: AbortSignal): Promise<SignedIn> {
    const metadata = await this.metadata.get();
    const iss = parameters.get('iss');
    if (iss === undefined ? metadata.namesItself : iss !== metadata.issuer && !isIssuedBy(metadata, { iss, tid: iss.split('/')[3] }))
      throw new Refusal(401, 'The answer comes from another identity provider.', { code: 'issuer_mismatch' });
    const code = parameters.get('code');
    if (code === undefined) throw new Refusal(400, 'The answer of the identity provider carries no code.', { code: 'invalid_callback' });
    const tokens = await this.redeem(
      metadata,
      { grant_type: 'authorization_code', code, redirect_uri: attempt.redirectUri, code_verifier: attempt.verifier },
      signal,
    );
    if (tokens.idToken === undefined) throw new Refusal(502, 'The identity provider gave no ID token.', { code: 'provider_unusable' });
    const claims = await this.verify(tokens.idToken, [this.settings.clientId]);
    if (attempt.nonce !== undefined && claims['nonce'] !== attempt.nonce)
      throw new Refusal(401, 'The ID token was not issued for this sign-in.', { code: 'nonce_mismatch' });
    return this.signedIn(await this.withUserClaims(claims, tokens.accessToken, metadata, signal), tokens, claims.exp);
  }

  async accept(body: Plain, signal: AbortSignal): Promise<SignedIn> {
    switch (this.settings.flavor) {
      case 'directory':
        return this.acceptAccessToken(body);
      case 'personal':
        return this.acceptPersonal(body, signal);
      default:
        return this.acceptIdToken(body, signal);
    }
  }

  readonly refresh = async (tokens: Tokens, signal: AbortSignal): Promise<Tokens> => {
    if (tokens.refreshToken === undefined)
      throw new Refusal(403, 'The identity provider gave no refresh token; ask for offline access at sign-in.', {
        code: 'no_refresh_token',
      });
    const renewed = await this.redeem(
      await this.metadata.get(),
      { grant_type: 'refresh_token', refresh_token: tokens.refreshToken },
      signal,
    );
    if (renewed.idToken !== undefined) await this.verify(renewed.idToken, [this.settings.clientId]);
    return { ...tokens, ...renewed };
  };

  /** Only the directory gives tokens for this app to other programs. */
  readonly bearer?: (token: string) => Promise<SignedIn | undefined>;

  private async takeBearer(token: string): Promise<SignedIn | undefined> {
    if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined;
    try {
      const claims = await this.verify(token, this.audiences());
      return this.signedIn(claims, { accessToken: token, ...(claims.exp === undefined ? {} : { expiresOn: claims.exp }) }, claims.exp);
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) return undefined;
      throw error;
    }
  }

  readonly signOut = async (
    tokens: Tokens | undefined,
    returnTo: string,
    state: string,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    const { flavor, clientId } = this.settings;
    if (flavor !== 'directory' && flavor !== 'search') return undefined;
    const metadata = await this.metadata.get();
    if (metadata.endSession !== undefined) {
      const url = new URL(metadata.endSession);
      if (tokens?.idToken !== undefined) url.searchParams.set('id_token_hint', tokens.idToken);
      url.searchParams.set('client_id', clientId);
      url.searchParams.set('post_logout_redirect_uri', returnTo);
      url.searchParams.set('state', state);
      return url.href;
    }
    const token = tokens?.refreshToken ?? tokens?.accessToken;
    if (metadata.revocation !== undefined && token !== undefined)
      await this.http(metadata.revocation, { form: new URLSearchParams({ token }), signal });
    return undefined;
  };

  private audiences(): string[] {
    return [this.settings.clientId, `api://${this.settings.clientId}`, ...this.settings.audiences];
  }

  private async acceptAccessToken(body: Plain): Promise<SignedIn> {
    const accessToken = requiredText(body, 'access_token');
    const claims = await this.verify(accessToken, this.audiences());
    const idToken = optionalText(body, 'id_token');
    if (idToken !== undefined) {
      const identity = await this.verify(idToken, [this.settings.clientId, ...this.settings.audiences]);
      const same =
        identity['oid'] !== undefined && claims['oid'] !== undefined ? identity['oid'] === claims['oid'] : identity.sub === claims.sub;
      if (!same) throw invalidToken();
    }
    return this.signedIn(claims, this.postedTokens(body, { accessToken, idToken, expiresOn: claims.exp }), claims.exp);
  }

  /** The preferred token decides alone: a bad one isn't rescued by the other. */
  private async acceptPersonal(body: Plain, signal: AbortSignal): Promise<SignedIn> {
    const authenticationToken = optionalText(body, 'authentication_token');
    if (authenticationToken !== undefined) {
      const claims = await this.verify(authenticationToken, [this.settings.clientId, ...this.settings.audiences]);
      const accessToken = optionalText(body, 'access_token');
      return this.signedIn(claims, this.postedTokens(body, { authenticationToken, accessToken, expiresOn: claims.exp }), claims.exp);
    }
    const accessToken = optionalText(body, 'access_token');
    if (accessToken === undefined)
      throw new Refusal(400, 'The body needs authentication_token or access_token.', { code: 'invalid_request' });
    const user = this.settings.user ?? (await this.metadata.get()).user;
    if (user === undefined) throw new Refusal(400, 'This provider takes no access tokens.', { code: 'invalid_request' });
    return this.signedIn(await this.askUser(user, accessToken, signal), this.postedTokens(body, { accessToken }), undefined);
  }

  private async acceptIdToken(body: Plain, signal: AbortSignal): Promise<SignedIn> {
    const idToken = requiredText(body, 'id_token');
    const claims = await this.verify(idToken, [this.settings.clientId, ...this.settings.audiences]);
    const code = optionalText(body, 'authorization_code');
    let tokens = this.postedTokens(body, { idToken, accessToken: optionalText(body, 'access_token'), expiresOn: claims.exp });
    if (code !== undefined) {
      const redirectUri = optionalText(body, 'redirect_uri') ?? 'postmessage';
      const redeemed = await this.redeem(
        await this.metadata.get(),
        { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
        signal,
      );
      if (redeemed.idToken !== undefined) {
        const other = await this.verify(redeemed.idToken, [this.settings.clientId, ...this.settings.audiences]);
        if (other.sub !== claims.sub) throw invalidToken();
      }
      tokens = { ...tokens, ...redeemed, idToken: redeemed.idToken ?? idToken };
    }
    return this.signedIn(claims, tokens, claims.exp);
  }

  private postedTokens(
    body: Plain,
    tokens: {
      accessToken?: string | undefined;
      idToken?: string | undefined;
      authenticationToken?: string | undefined;
      expiresOn?: number | undefined;
    },
  ): Tokens {
    const refreshToken = optionalText(body, 'refresh_token');
    const lifetime = Number(body['expires_in']);
    const expiresOn =
      body['expires_in'] !== undefined && Number.isFinite(lifetime) && lifetime > 0 ? this.now() + Math.floor(lifetime) : tokens.expiresOn;
    return compact({ ...tokens, refreshToken, expiresOn });
  }

  private signedIn(claims: Readonly<Record<string, unknown>>, tokens: Tokens, expiresAt: number | undefined): SignedIn {
    const identity = identityOf(claims, this.settings.nameClaim);
    if (identity === undefined) throw invalidToken();
    if (this.settings.flavor === 'directory') authorize(claims, this.settings.policy, this.settings.clientId);
    return { identity, tokens, ...(expiresAt === undefined ? {} : { expiresAt }) };
  }

  /** ID tokens often name only the subject: the rest is asked for at the user endpoint. */
  private async withUserClaims(
    claims: JWTPayload,
    accessToken: string | undefined,
    metadata: OpenIdMetadata,
    signal: AbortSignal,
  ): Promise<JWTPayload> {
    const wanted = this.settings.nameClaim === undefined ? nameClaims : [this.settings.nameClaim];
    if (accessToken === undefined || metadata.user === undefined || wanted.some((name) => claims[name] !== undefined)) return claims;
    const more = await this.askUser(metadata.user, accessToken, signal);
    return more['sub'] === claims.sub ? { ...more, ...claims } : claims;
  }

  private async askUser(user: string, accessToken: string, signal: AbortSignal): Promise<Plain> {
    if (!/^[\x21-\x7e]+$/.test(accessToken)) throw invalidToken();
    const { status, body } = await this.http(user, { headers: { authorization: `Bearer ${accessToken}` }, signal });
    if (status >= 500) throw new Refusal(502, 'The identity provider could not check the token.', { code: 'provider_unreachable' });
    if (status !== 200) throw invalidToken();
    return body;
  }

  /** Claims of a token that this provider signed for one of the audiences. @throws Refusal 401 */
  private async verify(token: string, audiences: readonly string[]): Promise<JWTPayload> {
    const metadata = await this.metadata.get();
    if (this.keySet?.url !== metadata.keys) this.keySet = { url: metadata.keys, keys: new KeySet(metadata.keys, this.http, this.now) };
    try {
      if (decodeProtectedHeader(token).crit !== undefined) throw invalidToken();
      const { payload } = await jwtVerify(token, this.keySet.keys.find, {
        algorithms,
        audience: [...audiences],
        requiredClaims: ['exp', 'iss', 'aud', 'sub'],
        clockTolerance,
        currentDate: new Date(this.now() * 1000),
      });
      if (!isIssuedBy(metadata, payload)) throw invalidToken();
      const several = Array.isArray(payload.aud) && payload.aud.length > 1;
      if (several && payload['azp'] !== undefined && payload['azp'] !== this.settings.clientId && this.settings.flavor !== 'directory')
        throw invalidToken();
      return payload;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      if (error instanceof errors.JOSEError || error instanceof TypeError) throw invalidToken();
      throw error;
    }
  }

  private async redeem(metadata: OpenIdMetadata, grant: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Tokens> {
    const { clientId, clientSecret, certificate } = this.settings;
    const form = new URLSearchParams({ ...grant, client_id: clientId });
    if (clientSecret !== undefined) form.set('client_secret', clientSecret);
    else if (certificate !== undefined) {
      form.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
      form.set('client_assertion', await clientAssertion(certificate, clientId, metadata.token, this.now()));
    }
    const { status, body } = await this.http(metadata.token, { form, signal });
    if (status >= 500) throw new Refusal(502, 'The identity provider could not answer.', { code: 'provider_unreachable' });
    if (status !== 200) {
      const refused = grant['grant_type'] === 'refresh_token' ? 403 : 401;
      throw new Refusal(refused, 'The identity provider refused to give tokens.', { code: errorCode(body['error']) });
    }
    const lifetime = Number(body['expires_in']);
    return compact({
      idToken: optionalText(body, 'id_token'),
      accessToken: optionalText(body, 'access_token'),
      refreshToken: optionalText(body, 'refresh_token'),
      expiresOn: Number.isFinite(lifetime) && lifetime > 0 ? this.now() + Math.floor(lifetime) : undefined,
    });
  }
}

/** The refusal of a token, whatever is wrong with it. */
export function invalidToken(): Refusal {
  return new Refusal(401, 'The token is not valid.', { code: 'invalid_token' });
}

/** A provider's error word, when it is one; it may end up in a log. */
export function errorCode(value: unknown): string {
  return typeof value === 'string' && /^[a-z_]{1,40}$/.test(value) ? value : 'provider_refused';
}

/** Leaves out what is undefined. */
export function compact(tokens: { readonly [Key in keyof Tokens]: Tokens[Key] | undefined }): Tokens {
  return Object.fromEntries(Object.entries(tokens).filter(([, value]) => value !== undefined)) as Tokens;
}
