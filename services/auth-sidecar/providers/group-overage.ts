import type { OpenIdSettings } from '../config/settings.js';
import { Refusal } from '../http/refusal.js';
import type { Log } from '../operations/log.js';
import { urlWithoutSecrets } from '../operations/external-call-error.js';
import type { SecondsClock } from '../seconds-clock.js';
import type { OpenIdMetadata } from './openid-metadata.js';
import { hasGroupsElsewhere, type OpenIdTokens } from './openid-tokens.js';
import { requireProviderAnswer } from './provider-refusals.js';
import type { ProviderHttp } from './provider-http.js';
import type { Tokens } from './provider.js';

type Claims = Readonly<Record<string, unknown>>;

/** How long the groups of a bearer token's person are cached, in seconds. */
const cacheSeconds = 300;
const maxCached = 1000;

/**
 * Looks up the groups of people whose tokens leave them out because there are too many. It calls
 * `getMemberObjects` of the directory service with a token of the app itself, whose registration needs
 * the permissions `GroupMember.Read.All` and `User.Read.All`.
 */
export class GroupOverage {
  private appToken: Tokens | undefined;
  /** By tenant and object id of the person. */
  private readonly cachedGroups = new Map<
    string,
    { readonly groups: string[]; readonly cachedAt: number }
  >();

  constructor(
    private readonly settings: OpenIdSettings,
    private readonly openIdTokens: OpenIdTokens,
    private readonly http: ProviderHttp,
    private readonly now: SecondsClock,
    private readonly log: Log | undefined,
  ) {}

  /**
   * The claims with all groups, or unchanged if the groups can't be looked up.
   *
   * @param isAdmitted whether the rules admit a person with these claims.
   * @param freshness `cached` accepts groups that were looked up a moment ago.
   * @throws Refusal 502 or 504 when the groups can't be looked up and the person is not admitted
   *   without them
   */
  async withAllGroups(
    claims: Claims,
    isAdmitted: (claims: Claims) => boolean,
    signal: AbortSignal,
    freshness: 'fresh' | 'cached' = 'fresh',
  ): Promise<Claims> {
    if (!hasGroupsElsewhere(claims)) return claims;
    const cacheKey = JSON.stringify([claims['tid'], claims['oid']]);
    const cached = freshness === 'cached' ? this.cachedGroups.get(cacheKey) : undefined;
    if (cached !== undefined && this.now() - cached.cachedAt < cacheSeconds)
      return { ...claims, groups: cached.groups };
    const logFields = { user: String(claims['oid'] ?? claims['sub']) };
    try {
      const groups = await this.fetchGroups(claims, signal);
      if (this.cachedGroups.size >= maxCached) this.cachedGroups.clear();
      this.cachedGroups.set(cacheKey, { groups, cachedAt: this.now() });
      this.log?.info('the token names no groups, so they were looked up', {
        ...logFields,
        groups: groups.length,
      });
      return { ...claims, groups };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const reason = error.options.reason ?? error.options.code ?? error.message;
      this.log?.warn('the token names no groups, and they could not be looked up', {
        ...logFields,
        reason,
      });
      if (isAdmitted(claims)) return claims;
      throw new Refusal(
        error.status >= 500 ? error.status : 502,
        'The identity provider did not say in which groups you are.',
        { code: 'groups_unknown', reason },
      );
    }
  }

  private async fetchGroups({ oid, tid }: Claims, signal: AbortSignal): Promise<string[]> {
    if (this.settings.flavor !== 'directory' || typeof oid !== 'string')
      throw groupsUnknownRefusal('neither the token nor the user endpoint names them');
    const metadata = await this.openIdTokens.metadata.get();
    const usersUrl = this.settings.directoryUsersUrl ?? metadata.directoryUsersUrl;
    if (usersUrl === undefined)
      throw groupsUnknownRefusal('the provider names no address for them');
    const accessToken = await this.getAppToken(metadata, new URL(usersUrl).origin, tid, signal);
    const url = `${usersUrl.replace(/\/+$/, '')}/${encodeURIComponent(oid)}/getMemberObjects`;
    const { status, body } = await this.http(url, {
      json: { securityEnabledOnly: false },
      headers: { authorization: `Bearer ${accessToken}` },
      signal,
    });
    requireProviderAnswer(status, 'answer');
    const { value } = body;
    if (status !== 200 || !Array.isArray(value))
      throw groupsUnknownRefusal(`${urlWithoutSecrets(usersUrl)} answered ${String(status)}`);
    return value.filter((each): each is string => typeof each === 'string');
  }

  /** A token of the app for the directory's service. */
  private async getAppToken(
    metadata: OpenIdMetadata,
    audience: string,
    tenant: unknown,
    signal: AbortSignal,
  ): Promise<string> {
    const { accessToken, expiresOn = 0 } = this.appToken ?? {};
    if (accessToken !== undefined && expiresOn - 60 > this.now()) return accessToken;
    // The address that all tenants share issues no tokens to an app: the person's tenant does.
    const tokenEndpoint = metadata.tokenEndpoint.replace(
      /\/(common|organizations)(?=\/)/,
      () => `/${encodeURIComponent(String(tenant))}`,
    );
    const grant = { grant_type: 'client_credentials', scope: `${audience}/.default` };
    const redeemedTokens = await this.openIdTokens.tokenEndpoint.redeem(
      { ...metadata, tokenEndpoint },
      grant,
      signal,
    );
    if (redeemedTokens.accessToken === undefined)
      throw groupsUnknownRefusal('the app got no token to ask with');
    if (tokenEndpoint === metadata.tokenEndpoint) this.appToken = redeemedTokens;
    return redeemedTokens.accessToken;
  }
}

function groupsUnknownRefusal(reason: string): Refusal {
  return new Refusal(403, 'The groups are not known.', { code: 'groups_unknown', reason });
}
