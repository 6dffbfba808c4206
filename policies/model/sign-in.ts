import type { AuthProps } from '../../kinds/auth/auth.js';
import { builtInProviders } from '../../kinds/auth/provider-names.js';

/** An app's identity providers for sign-in: built-in ones by their type, others by their names. */
export function enabledProviders(auth: AuthProps): readonly string[] {
  const { openIdConnect = {}, ...providers } = auth.providers;
  const builtIn = builtInProviders.filter(
    (name) => providers[name] !== undefined && providers[name]?.enabled !== false,
  );
  const others = Object.entries(openIdConnect).filter(([, provider]) => provider.enabled !== false);
  return [...builtIn, ...others.map(([name]) => name)];
}

/** Whether a requirement for the whole app (`/`) limits which signed-in people get in. */
export function hasRequirementForAll({ requirements }: AuthProps): boolean {
  return (Array.isArray(requirements) ? requirements : []).some(
    ({ path, groups, claims, emailDomains }) =>
      path === '/' && [groups, claims, emailDomains].some(isDemand),
  );
}

/** Whether a value of a requirement demands anything: an empty list or map does not. */
export function isDemand(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
