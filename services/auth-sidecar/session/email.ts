import { domainToASCII } from 'node:url';
import { Refusal } from '../http/refusal.js';
import type { Identity } from './identity.js';

/**
 * The e-mail address of an identity, when its provider has made sure that it is the person's: `email_verified` says so, or nothing is said
 * and the provider is one that vouches for its addresses.
 *
 * @param vouches false for a directory of several tenants, each of which writes any address into its tokens.
 */
export function verifiedEmail({ claims }: Identity, vouches: boolean): string | undefined {
  const verified = claims['email_verified'] ?? claims['xms_edov'];
  if (verified === undefined ? !vouches : !/^(true|1)$/i.test(String(verified))) return undefined;
  const names = [claims['email'], ...(vouches ? [claims['preferred_username'], claims['upn']] : [])];
  return names.find((name): name is string => typeof name === 'string' && /^[^\s@<>"(),:;[\]\\]+@[\p{L}\p{M}\p{N}.-]+$/u.test(name));
}

/**
 * Lets in whose e-mail address is of an allowed domain.
 *
 * @param domains `contoso.example`, or `*.contoso.example` for the domains below it; empty lets everybody in. @throws Refusal 403
 */
export function checkEmailDomain(identity: Identity, vouches: boolean, domains: readonly string[]): void {
  if (domains.length === 0) return;
  const address = verifiedEmail(identity, vouches);
  const domain = domainToASCII(address?.slice(address.indexOf('@') + 1) ?? '');
  const allowed = domains.some((each) => (each.startsWith('*.') ? domain.endsWith(each.slice(1)) : domain === each));
  if (domain === '' || !allowed)
    throw new Refusal(403, 'Only people with a verified e-mail address of certain domains are let in here.', { code: 'access_denied' });
}
