import type { ProviderSettings } from '../../services/auth-sidecar/access-decisions.js';
import type { AppAccess } from '../stack/apps.js';

/** Describes who gets in by a provider whose people cannot be listed. */
export function describeAccountsAt({ settings }: AppAccess, provider: string): string {
  const rules = settings?.providers.find(({ pathNames }) => pathNames[0] === provider)?.rules;
  return rules !== undefined && limitsAccounts(rules)
    ? `those with an account at ${provider} whom allowedGroups and requiredClaims let in`
    : `anyone with an account at ${provider}`;
}

/** Whether a provider's rules list groups or claims, so that not each of its accounts gets in. */
export function limitsAccounts({ groups, claims }: ProviderSettings['rules']): boolean {
  return groups.length + Object.keys(claims).length > 0;
}
