import { normalizeId } from '../../../core/values/guid.js';
import type { AuthorizationClaims } from '../config/settings.js';

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
export function timeOf(claim: ClaimValue | undefined): number | undefined {
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
  authorizationClaims: Pick<AuthorizationClaims, 'groups'>,
): readonly string[] {
  const named = new Set(authorizationClaims.groups.map(normalizeId));
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
  { groups, claimNames }: AuthorizationClaims,
  isTooLong: (claims: Claims) => boolean,
): Claims {
  if (!isTooLong(claims)) return claims;
  let result: Record<string, ClaimValue> = { ...claims };
  const groupValues = result['groups'];
  if (Array.isArray(groupValues)) {
    result['groups'] = namedGroups(groupValues, { groups });
  }
  const authorizationNames = new Set(groups.length > 0 ? ['groups', ...claimNames] : claimNames);
  const length = (name: string): number => JSON.stringify(result[name]).length + name.length;
  const order = Object.keys(result).sort(
    (a, b) =>
      Number(authorizationNames.has(a)) - Number(authorizationNames.has(b)) ||
      length(b) - length(a),
  );
  for (const name of order) {
    if (!isTooLong(result)) break;
    const { [name]: _dropped, ...rest } = result;
    result = rest;
  }
  return result;
}
