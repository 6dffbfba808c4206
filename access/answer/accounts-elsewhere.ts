import type { AppAccess } from '../stack/apps.js';

/** Describes who gets in by a provider whose people cannot be listed. */
export function describeAccountsAt({ settings }: AppAccess, provider: string): string {
  const rules = settings?.providers.find(({ pathNames }) => pathNames[0] === provider)?.rules;
  return rules !== undefined && rules.groups.length + Object.keys(rules.claims).length > 0
    ? `those with an account at ${provider} whom allowedGroups and requiredClaims let in`
    : `anyone with an account at ${provider}`;
}
