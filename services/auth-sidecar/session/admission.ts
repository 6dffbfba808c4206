import type { SidecarSettings } from '../config/settings.js';
import { type Refusal, refusalIn } from '../http/refusal.js';
import type { Provider } from '../providers/provider.js';
import { checkEmailDomain, type Identity } from './identity.js';

/**
 * Checks that the current rules admit an identity: at the sign-in, at every refresh, and for each
 * session after a reload of the configuration.
 *
 * @throws Refusal 403 `access_denied`
 */
export function requireAdmission(
  provider: Provider,
  identity: Identity,
  { emailDomains }: Pick<SidecarSettings, 'emailDomains'>,
): void {
  provider.authorize(identity.claims);
  checkEmailDomain(identity, provider.emailTrust, emailDomains, domainsRule);
}

const domainsRule = 'globalValidation.allowedEmailDomains';

/** The settings by which a provider's people are admitted; undefined if it admits all. */
export function admissionRuleNames(
  { ruleNames }: Provider,
  { emailDomains }: Pick<SidecarSettings, 'emailDomains'>,
): string | undefined {
  const names = [...ruleNames, ...(emailDomains.length > 0 ? [domainsRule] : [])];
  return names.length === 0 ? undefined : names.join(', ');
}

/** Why the current rules do not admit an identity; undefined if they do. */
export function admissionRefusal(
  ...[provider, identity, settings]: Parameters<typeof requireAdmission>
): Refusal | undefined {
  return refusalIn(() => requireAdmission(provider, identity, settings));
}
