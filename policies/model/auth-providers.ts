import type { AuthProps } from '../../kinds/auth/auth.js';
import { builtInProviders } from '../../kinds/auth/provider-names.js';

/** The providers of an app that people can sign in with: the built-in ones by their words, the others by their names. */
export function enabledProviders(auth: AuthProps): readonly string[] {
  const { openIdConnect = {}, ...providers } = auth.providers;
  const builtIn = builtInProviders.filter((name) => providers[name] !== undefined && providers[name]?.enabled !== false);
  const others = Object.entries(openIdConnect).filter(([, provider]) => provider.enabled !== false);
  return [...builtIn, ...others.map(([name]) => name)];
}
