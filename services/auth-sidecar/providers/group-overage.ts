import type { OpenIdSettings } from '../config/settings.js';
import { Refusal } from '../http/refusal.js';
import type { Log } from '../operations/log.js';
import { plainUrl } from '../operations/external-call-error.js';
import type { Seconds } from '../token-store/entry-store.js';
import type { OpenIdMetadata } from './openid-metadata.js';
import { hasGroupsElsewhere, type OpenIdTokens } from './openid-tokens.js';
import { requireReached } from './refusals.js';
import type { ProviderHttp } from './provider-http.js';
import type { Tokens } from './provider.js';

type Claims = Readonly<Record<string, unknown>>;

/** How long the groups of a bearer token's person are taken for granted, in seconds. */
const freshFor = 300;
const maxCached = 1000;

/**
 * The groups that the directory's tokens leave out: asked at `getMemberObjects`, with a token of the
 * app itself, whose registration needs the permissions `GroupMember.Read.All` and `User.Read.All`.
 */
export class GroupOverage {
  private own: Tokens | undefined;
  private readonly known = new Map<string, { readonly groups: string[]; readonly at: number }>();

  constructor(
    private readonly settings: OpenIdSettings,
    private readonly tokens: OpenIdTokens,
    private readonly http: ProviderHttp,
    private readonly now: Seconds,
    private readonly log: Log | undefined,
  ) {}

  /**
   * The claims with all groups. Where they can't be had, the claims without them: a rule that needs
   * them admits no one.
   *
   * @param isAdmitted whether the rules admit a person with these claims.
   * @throws Refusal 502 or 504 when only the missing groups could admit the person: that says
   *   nothing about the person
   */
  async withAllGroups(
    claims: Claims,
    isAdmitted: (claims: Claims) => boolean,
    signal: AbortSignal,
    age: 'now' | 'recent' = 'now',
  ): Promise<Claims> {
    if (!hasGroupsElsewhere(claims)) return claims;
    const who = { user: String(claims['oid'] ?? claims['sub']) };
    try {
      const groups = await this.groupsOf(claims, signal, age);
      this.log?.info('the token names no groups, so they were looked up', {
        ...who,
        groups: groups.length,
      });
      return { ...claims, groups };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const reason = error.options.reason ?? error.options.code ?? error.message;
      this.log?.warn('the token names no groups, and they could not be looked up', {
        ...who,
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

  private async groupsOf(claims: Claims, signal: AbortSignal, age: 'now' | 'recent') {
    const { oid, tid } = claims;
    if (this.settings.flavor !== 'directory' || typeof oid !== 'string')
      throw unknownGroups('neither the token nor the user endpoint names them');
    const before = age === 'recent' ? this.known.get(oid) : undefined;
    if (before !== undefined && this.now() - before.at < freshFor) return before.groups;
    const metadata = await this.tokens.metadata.get();
    const users = this.settings.groups ?? metadata.groups;
    if (users === undefined) throw unknownGroups('the provider names no address for them');
    const accessToken = await this.ownToken(metadata, new URL(users).origin, tid, signal);
    const url = `${users.replace(/\/+$/, '')}/${encodeURIComponent(oid)}/getMemberObjects`;
    const { status, body } = await this.http(url, {
      json: { securityEnabledOnly: false },
      headers: { authorization: `Bearer ${accessToken}` },
      signal,
    });
    requireReached(status, 'answer');
    const { value } = body;
    if (status !== 200 || !Array.isArray(value))
      throw unknownGroups(`${plainUrl(users)} answered ${String(status)}`);
    const groups = value.filter((each): each is string => typeof each === 'string');
    if (this.known.size >= maxCached) this.known.clear();
    this.known.set(oid, { groups, at: this.now() });
    return groups;
  }

  /** A token of the app for the directory's service. */
  private async ownToken(
    metadata: OpenIdMetadata,
    audience: string,
    tenant: unknown,
    signal: AbortSignal,
  ): Promise<string> {
    const { accessToken, expiresOn = 0 } = this.own ?? {};
    if (accessToken !== undefined && expiresOn - 60 > this.now()) return accessToken;
    // An app has tokens of one tenant, not of the address that several share.
    const token = metadata.token.replace(
      /\/(common|organizations)(?=\/)/,
      () => `/${encodeURIComponent(String(tenant))}`,
    );
    const grant = { grant_type: 'client_credentials', scope: `${audience}/.default` };
    const own = await this.tokens.endpoint.redeem({ ...metadata, token }, grant, signal);
    if (own.accessToken === undefined) throw unknownGroups('the app got no token to ask with');
    if (token === metadata.token) this.own = own;
    return own.accessToken;
  }
}

function unknownGroups(reason: string): Refusal {
  return new Refusal(403, 'The groups are not known.', { code: 'groups_unknown', reason });
}
