import { trimEnd } from '../../../core/text/trim-end.js';
import { isSafeAddress } from '../config/endpoints.js';
import type { OpenIdSettings } from '../config/settings.js';
import { Refusal } from '../http/refusal.js';
import { canonicalIssuer } from '../session/claims.js';
import type { SecondsClock } from '../seconds-clock.js';
import type { ProviderHttp } from './provider-http.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** The parts of a provider's discovery document that the sidecar uses. */
export interface OpenIdMetadata {
  readonly issuer: string;
  /** Empty for a bearer issuer without one. */
  readonly authorizationEndpoint: string;
  /** Empty for a bearer issuer without one. */
  readonly tokenEndpoint: string;
  readonly jwksUri: string;
  readonly userInfoEndpoint?: string;
  readonly endSessionEndpoint?: string;
  /**
   * The address of the directory's users (at `msgraph_host`), each of which has `getMemberObjects`.
   */
  readonly directoryUsersUrl?: string;
  readonly revocationEndpoint?: string;
  /** How clients may authenticate at the token endpoint; undefined: not stated. */
  readonly tokenEndpointAuthMethods?: readonly string[];
  /** RFC 9207: the callback carries `iss`. */
  readonly sendsIss: boolean;
}

const cacheSeconds = 3600;
const authMethodsProperty = 'token_endpoint_auth_methods_supported';

/** A provider's metadata, discovered once and renewed later. */
export class MetadataSource {
  private cachedMetadata: OpenIdMetadata | undefined;
  private cachedAt = 0;
  private discovery: Promise<OpenIdMetadata> | undefined;

  constructor(
    private readonly settings: OpenIdSettings,
    private readonly http: ProviderHttp,
    private readonly now: SecondsClock,
  ) {}

  /** The issuer as far as it is known without a request. */
  get issuer(): string | undefined {
    return (
      this.cachedMetadata?.issuer ??
      this.settings.issuer ??
      this.settings.wellKnown?.replace(/\/\.well-known\/openid-configuration$/, '')
    );
  }

  /** The address of the discovery document. */
  get address(): string {
    const { issuer, wellKnown } = this.settings;
    return wellKnown ?? `${trimEnd(String(issuer), '/')}/.well-known/openid-configuration`;
  }

  /**
   * @throws Refusal 502 or 504 when the provider cannot be reached or contradicts the configuration
   */
  async get(): Promise<OpenIdMetadata> {
    if (this.cachedMetadata !== undefined && this.now() - this.cachedAt < cacheSeconds)
      return this.cachedMetadata;
    this.discovery ??= this.discover().finally(() => (this.discovery = undefined));
    try {
      this.cachedMetadata = await this.discovery;
      this.cachedAt = this.now();
    } catch (error) {
      if (this.cachedMetadata === undefined) throw error;
      this.cachedAt = this.now() - cacheSeconds + 60; // the known metadata stays in use; the next attempt is in a minute
    }
    return this.cachedMetadata;
  }

  private async discover(): Promise<OpenIdMetadata> {
    const {
      issuer,
      explicitEndpoints,
      userInfoEndpoint: configuredUserInfo,
      flavor,
    } = this.settings;
    if (explicitEndpoints !== undefined && issuer !== undefined)
      return {
        issuer,
        ...explicitEndpoints,
        ...omitUndefined({ userInfoEndpoint: configuredUserInfo }),
        sendsIss: false,
      };
    const { status, body } = await this.http(this.address, { signal: AbortSignal.timeout(8000) });
    const text = (name: string): string | undefined =>
      typeof body[name] === 'string' ? body[name] : undefined;
    const address = (name: string): string | undefined => {
      const value = text(name);
      if (value !== undefined && !isSafeAddress(value))
        throw unusableProviderRefusal(`its ${name} is not an https address`);
      return value;
    };
    const issuerText = text('issuer');
    // A bearer issuer needs keys only: it may have neither of the other endpoints.
    const missingEndpoint = flavor === 'bearer-issuer' ? '' : undefined;
    const [authorizationEndpoint = missingEndpoint, tokenEndpoint = missingEndpoint, jwksUri] = [
      address('authorization_endpoint'),
      address('token_endpoint'),
      address('jwks_uri'),
    ];
    if (
      status !== 200 ||
      issuerText === undefined ||
      authorizationEndpoint === undefined ||
      tokenEndpoint === undefined ||
      jwksUri === undefined
    )
      throw unusableProviderRefusal('its discovery document is not complete');
    if (issuer !== undefined && !sameIssuer(issuerText, issuer))
      throw unusableProviderRefusal('its discovery document names another issuer');
    const userInfoEndpoint = configuredUserInfo ?? address('userinfo_endpoint');
    const [endSessionEndpoint, revocationEndpoint] = [
      address('end_session_endpoint'),
      address('revocation_endpoint'),
    ];
    const host = text('msgraph_host');
    const directoryUsersUrl =
      host !== undefined && /^[a-z0-9.-]+(:\d+)?$/i.test(host)
        ? `https://${host}/v1.0/users`
        : undefined;
    return {
      issuer: issuerText,
      authorizationEndpoint,
      tokenEndpoint,
      jwksUri,
      ...omitUndefined({
        userInfoEndpoint,
        endSessionEndpoint,
        directoryUsersUrl,
        revocationEndpoint,
      }),
      ...(Array.isArray(body[authMethodsProperty]) && {
        tokenEndpointAuthMethods: body[authMethodsProperty] as string[],
      }),
      sendsIss: body['authorization_response_iss_parameter_supported'] === true,
    };
  }
}

function unusableProviderRefusal(why: string): Refusal {
  return new Refusal(502, `The identity provider can't be used: ${why}.`, {
    code: 'provider_unusable',
  });
}

/**
 * The directory's shared tenants have a placeholder in their issuer; a trailing slash is ignored.
 */
function sameIssuer(actual: string, configured: string): boolean {
  if (trimEnd(actual, '/') === trimEnd(configured, '/')) return true;
  return actual.includes('{tenantid}') && isMultiTenantIssuer(configured);
}

/** Whether a directory address is the one shared by several tenants. */
export function isMultiTenantIssuer(issuer: string): boolean {
  return /\/(common|organizations|consumers)(\/|$)/.test(issuer);
}

/**
 * Whether a token's issuer is that of the metadata; for a shared tenant that of the token's own
 * tenant.
 */
export function isIssuedBy(
  metadata: OpenIdMetadata,
  claims: { readonly iss?: unknown; readonly tid?: unknown },
): boolean {
  const { iss, tid } = claims;
  if (typeof iss !== 'string') return false;
  const issuer =
    typeof tid === 'string' && /^[0-9a-f-]{36}$/i.test(tid)
      ? metadata.issuer.replace('{tenantid}', tid)
      : metadata.issuer;
  return iss === issuer || canonicalIssuer(iss) === issuer;
}
