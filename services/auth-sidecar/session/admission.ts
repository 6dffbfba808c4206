import type { SidecarSettings } from '../config/settings.js';
import { Refusal } from '../http/refusal.js';
import type { Provider } from '../providers/provider.js';
import { checkEmailDomain, type Identity } from './identity.js';

/**
 * Decides whether an identity may use the app, by the rules of now: at the sign-in, at every
 * refresh, and for each session after a reload of the configuration.
 *
 * @throws Refusal 403 `access_denied`
 */
export function admit(
  provider: Provider,
  identity: Identity,
  { emailDomains }: Pick<SidecarSettings, 'emailDomains'>,
): void {
  provider.authorize(identity.claims);
  checkEmailDomain(identity, provider.emailTrust, emailDomains);
}

/** Whether an identity may use the app, by the rules of now. */
export function isAdmitted(...[provider, identity, settings]: Parameters<typeof admit>): boolean {
  try {
    admit(provider, identity, settings);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
