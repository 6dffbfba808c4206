import { guidRegexSource } from '../../core/values/guid.js';

/**
 * The tenant of services whose issuer names none: with `--no-auth`, or with an issuer whose address
 * has no tenant id.
 */
export const defaultTenantId = '7f0c2a54-6d2b-4f0e-9a43-5b8f3a1de201';

/**
 * The tenant of the first issuer whose address names one: `https://login.example/{tenant}/v2.0`.
 */
export function tenantOfIssuers(issuers: readonly string[]): string | undefined {
  for (const issuer of issuers) {
    const id = new RegExp(`/(${guidRegexSource})(?:/|$)`).exec(issuer)?.[1];
    if (id !== undefined) return id.toLowerCase();
  }
  return undefined;
}
