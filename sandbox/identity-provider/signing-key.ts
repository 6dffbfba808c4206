import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../../services/common/clock.js';
import type { JWK, JWTPayload, JWTVerifyGetKey } from 'jose';

/** The signing key of the sandbox's tokens. */
export interface SigningKey {
  /** The private key, for the settings file and for oidc-provider. */
  readonly privateJwk: JWK;
  /** The answer of `/discovery/v2.0/keys`. */
  readonly jwks: { readonly keys: readonly JWK[] };
  /** Finds the public key of a token's header, for verifiers of this process. */
  readonly resolvePublicKey: JWTVerifyGetKey;
  /**
   * Signs claims, valid from now for `seconds` unless they have `iat`, `nbf` or `exp` of their own.
   */
  sign(claims: JWTPayload, lifetimeSeconds: number): Promise<string>;
}

/** Loads the key in the settings, or creates one. */
export async function loadOrCreateSigningKey(
  jwk: Readonly<Record<string, unknown>> | undefined,
  clock: Clock = systemClock,
): Promise<SigningKey> {
  const { createLocalJWKSet, exportJWK, generateKeyPair, importJWK, SignJWT } =
    await import('jose');
  let privateJwk = jwk as JWK | undefined;
  if (privateJwk === undefined) {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    privateJwk = { ...(await exportJWK(privateKey)), kid: randomUUID(), use: 'sig', alg: 'RS256' };
  }
  const { kty, n, e, kid, use, alg } = privateJwk;
  const jwks = { keys: [{ kty, n, e, kid, use, alg } as JWK] };
  const key = await importJWK(privateJwk, 'RS256');
  const header = { alg: 'RS256', typ: 'JWT', kid: kid as string };
  return {
    privateJwk,
    jwks,
    resolvePublicKey: createLocalJWKSet({ keys: [...jwks.keys] }),
    sign(claims, lifetimeSeconds) {
      const now = Math.floor(clock.now().getTime() / 1000);
      return new SignJWT({ iat: now, nbf: now, exp: now + lifetimeSeconds, ...claims })
        .setProtectedHeader(header)
        .sign(key);
    },
  };
}
