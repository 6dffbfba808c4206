import { identityProviders } from '../../../core/dialect/dialect.js';
import { defineRule } from '../../engine/rule.js';

const builtInNames: ReadonlySet<string> = new Set(
  Object.values(identityProviders).flatMap(({ neutral, azure }) => [...neutral, ...azure]),
);

export const authOpenIdProvider = defineRule({
  id: 'auth-open-id-provider',
  title: 'An OpenID Connect provider has a discovery document or all endpoints, and a unique name.',
  why: 'No one could sign in, or a built-in provider would answer instead.',
  severity: 'error',
  source: 'Sign-in rules, "Sign-in endpoints per provider" (any OpenID Connect provider)',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  // only the presence of the addresses matters, not their values
  reads: ['auth.providers.openIdConnect.*.enabled'],
  messages: {
    endpoints:
      'declare wellKnownConfiguration, or all of issuer, authorizationEndpoint, tokenEndpoint and certificationUri; {missing} missing',
    twice:
      '"{given}" and "{other}" are the same path: paths are compared without regard to letter case',
    reserved: '"{given}" is the path of a built-in provider',
  },
  check({ value }, context) {
    const previous = new Map<string, string>();
    for (const [name, provider] of Object.entries(value.auth?.providers?.openIdConnect ?? {})) {
      const path = ['auth', 'providers', 'openIdConnect', name];
      const other = previous.get(name.toLowerCase());
      if (other !== undefined)
        context.report({ messageId: 'twice', path, at: 'key', parameters: { given: name, other } });
      previous.set(name.toLowerCase(), name);
      if (builtInNames.has(name.toLowerCase()))
        context.report({ messageId: 'reserved', path, at: 'key', parameters: { given: name } });
      if (
        provider === null ||
        typeof provider !== 'object' ||
        provider.wellKnownConfiguration !== undefined
      )
        continue;
      const missing = (
        ['issuer', 'authorizationEndpoint', 'tokenEndpoint', 'certificationUri'] as const
      ).filter((key) => provider[key] === undefined);
      if (missing.length === 0) continue;
      const words = `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'}`;
      context.report({ messageId: 'endpoints', path, at: 'key', parameters: { missing: words } });
    }
  },
});
