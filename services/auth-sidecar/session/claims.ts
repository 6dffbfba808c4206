import { normalizeId } from '../../../core/values/guid.js';
import type { ClaimsUsedByRules } from '../config/settings.js';

/** A claim's value, or its values. */
export type ClaimValue = string | readonly string[];

/** Claims by their own names, every value as text. */
export type Claims = Readonly<Record<string, ClaimValue>>;

/** Whether a claim has one of the values; object ids, but not names, are equal in any letter case. */
export function hasOneOf(claim: unknown, values: readonly string[]): boolean {
  const allowed = new Set(values.map(normalizeId));
  const claimValues = Array.isArray(claim) ? claim : claim === undefined ? [] : [claim];
  return claimValues.some((each) => allowed.has(normalizeId(claimText(each))));
}

function claimText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/**
 * A time in a claim in whole seconds since 1970; undefined for anything else. It may have a fraction
 * (RFC 7519, 2).
 */
export function parseNumericDate(claim: ClaimValue | undefined): number | undefined {
  return typeof claim === 'string' && /^\d+(\.\d+)?$/.test(claim)
    ? Math.floor(Number(claim))
    : undefined;
}

/**
 * The one name of an issuer that writes several into its tokens: the directory another one into
 * those of its first version, Google its own without `https://` into some.
 */
export function canonicalIssuer(iss: string): string {
  const tenant = /^https:\/\/sts\.windows\.net\/([0-9a-f-]{36})\/$/i.exec(iss)?.[1];
  if (tenant !== undefined) return `https://login.microsoftonline.com/${tenant}/v2.0`;
  return iss === 'accounts.google.com' ? `https://${iss}` : iss;
}

/** The groups that a rule names; object ids are equal in any letter case. */
export function namedGroups(
  groups: readonly string[],
  claimsUsedByRules: Pick<ClaimsUsedByRules, 'groups'>,
): readonly string[] {
  const named = new Set(claimsUsedByRules.groups.map(normalizeId));
  return groups.filter((group) => named.has(normalizeId(group)));
}

/**
 * Drops claims until they fit, for cookies and headers: of the groups those that no rule names,
 * then the longest claims; those that rules read are dropped last.
 *
 * @param isTooLong whether these claims are still too long.
 */
export function dropClaimsToFit(
  claims: Claims,
  { groups, claimNames }: ClaimsUsedByRules,
  isTooLong: (claims: Claims) => boolean,
): Claims {
  if (!isTooLong(claims)) return claims;
  const { groups: allGroups } = claims;
  const remaining = Array.isArray(allGroups)
    ? { ...claims, groups: namedGroups(allGroups, { groups }) }
    : claims;
  const authorizationNames = new Set(groups.length > 0 ? ['groups', ...claimNames] : claimNames);
  const entries = Object.entries(remaining).map(([name, value]) => ({
    name,
    value,
    isReadByRules: authorizationNames.has(name),
    length: JSON.stringify(value).length + name.length,
  }));
  const dropOrder = entries.toSorted(
    (a, b) => Number(a.isReadByRules) - Number(b.isReadByRules) || b.length - a.length,
  );
  const withoutFirst = (count: number): Claims => {
    const dropped = new Set(dropOrder.slice(0, count));
    const kept = entries.filter((each) => !dropped.has(each));
    return Object.fromEntries(kept.map(({ name, value }) => [name, value]));
  };
  // Bisected: a provider may state thousands of claims, and each attempt encodes all that are left.
  let [tooFew, enough] = [-1, entries.length];
  while (enough - tooFew > 1) {
    const count = Math.floor((tooFew + enough) / 2);
    if (isTooLong(withoutFirst(count))) tooFew = count;
    else enough = count;
  }
  return withoutFirst(enough);
}
