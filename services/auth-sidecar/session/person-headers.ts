import type { Provider, Tokens } from '../providers/provider.js';
import type { Runtime } from '../runtime.js';
import { namedGroups } from './claims.js';
import { type Identity, trustedEmail } from './identity.js';
import {
  forwardedUserHeaders,
  identityHeaders,
  type IdentityHeaders,
  tokenHeaderLines,
} from './principal.js';

/**
 * Token header lines by token set, which is the same object while the store's entry does not
 * change.
 */
const linesOfTokens = new WeakMap<
  Tokens,
  { readonly provider: Provider; readonly lines: string }
>();

/** The header lines of a session's tokens. */
export function cachedTokenLines(
  tokens: Tokens,
  provider: Provider,
  { settings }: Pick<Runtime, 'settings'>,
): string {
  const cached = linesOfTokens.get(tokens);
  if (cached?.provider === provider) return cached.lines;
  const lines = tokenHeaderLines(tokens, provider.pathNames[0], settings.dialect);
  linesOfTokens.set(tokens, { provider, lines });
  return lines;
}

/** The headers about a signed-in person, as the settings have them. */
export function personHeaders(
  { forwardsUser, settings }: Pick<Runtime, 'forwardsUser' | 'settings'>,
  provider: Provider,
  fullIdentity: Identity,
  tokenLines: string,
): IdentityHeaders {
  const { claimsUsedByRules, emailTrust } = provider;
  const [providerName] = provider.pathNames;
  const identity =
    settings.forwardedGroups === 'named'
      ? withNamedGroups(fullIdentity, claimsUsedByRules)
      : fullIdentity;
  const user =
    settings.forwardedUser === 'subject' ? identity.id : `${providerName}|${identity.id}`;
  const email = trustedEmail(identity, emailTrust);
  const userHeaders = forwardsUser
    ? forwardedUserHeaders({ identity, claimsUsedByRules }, user, email, tokenLines.length)
    : { lines: '', omitted: [] };
  return identityHeaders({ identity, providerName, claimsUsedByRules }, settings.dialect, {
    ...userHeaders,
    lines: tokenLines + userHeaders.lines,
  });
}

/** An identity with those groups only that a rule names. */
function withNamedGroups(
  identity: Identity,
  claimsUsedByRules: Provider['claimsUsedByRules'],
): Identity {
  const { groups } = identity.claims;
  if (groups === undefined) return identity;
  const groupsOfRules = namedGroups([groups].flat(), claimsUsedByRules);
  return { ...identity, claims: { ...identity.claims, groups: groupsOfRules } };
}
