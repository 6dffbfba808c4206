import { decodeJwt, type JWTPayload } from 'jose';
import type { OpenIdSettings } from '../config/settings.js';
import { accessAudiences } from './openid-posted-tokens.js';
import { compactSerialization, type OpenIdTokens } from './openid-tokens.js';

/**
 * Claims of a bearer token: the directory, and issuers of the configuration, issue tokens for this
 * app to other programs.
 *
 * @param origin of the request
 * @returns undefined for a token that can't be this provider's
 * @throws Refusal 401 for one that is not valid, 502 or 504 when the provider can't be asked
 */
export async function bearerClaims(
  settings: OpenIdSettings,
  openIdTokens: OpenIdTokens,
  token: string,
  origin: string,
): Promise<JWTPayload | undefined> {
  if (!compactSerialization.test(token)) return undefined;
  const { flavor, issuer, audiences } = settings;
  const isOtherIssuer = flavor === 'bearer-issuer' && unverifiedClaims(token).iss !== issuer;
  if (isOtherIssuer) return undefined; // so that a token never makes other issuers be asked
  return openIdTokens.verifyAccessToken(
    token,
    flavor === 'bearer-issuer'
      ? audiences
      : [...accessAudiences(settings), ...resourceAudiences(token, origin)],
  );
}

/**
 * Audiences of a token that are this app's address: the resource in the protected-resource
 * metadata, or one below it, for which clients request tokens (RFC 8707). Not verified yet: they
 * are passed to the token's verification.
 */
function resourceAudiences(token: string, origin: string): string[] {
  const { aud = [] } = unverifiedClaims(token);
  const texts = [aud].flat().filter((each: unknown) => typeof each === 'string');
  return texts.filter((each) => each === origin || each.startsWith(`${origin}/`));
}

/** Claims of a token before its verification, which reports where there are none. */
function unverifiedClaims(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}
