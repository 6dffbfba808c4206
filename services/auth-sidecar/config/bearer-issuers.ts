import { isObject } from '../../../core/values/is-object.js';
import { isSafeAddress } from './endpoints.js';
import { unrestrictedPolicy } from './openid-settings.js';
import { requiredClaims } from './common-provider-settings.js';
import type { ConfigReader } from './config-reader.js';
import { claimsUsedByRulesOf } from './requirements.js';
import type { OpenIdSettings, ProviderSettings, Requirement } from './settings.js';

const issuersProperty = 'login.bearer.issuers';

/** `login.bearer.issuers`: issuers whose access tokens are accepted, but at which no one signs in. */
export function bearerIssuers(
  reader: ConfigReader,
  requirements: readonly Requirement[],
  domains: readonly string[],
): OpenIdSettings[] {
  const issuers = reader.value(issuersProperty);
  if (!Array.isArray(issuers)) return [];
  const listedIssuers = new Set<string>();
  return issuers.filter(isObject).map((entry, index): OpenIdSettings => {
    const entryProperty = `${issuersProperty}.${index}`;
    const issuer = String(entry['issuer']);
    const audiences = reader.listIn(entry, 'audiences');
    if (!isSafeAddress(issuer))
      reader.addProblem(`${entryProperty}.issuer`, 'must be an https URL (http on loopback only)');
    if (listedIssuers.has(issuer))
      reader.addProblem(`${entryProperty}.issuer`, `"${issuer}" is listed twice`);
    listedIssuers.add(issuer);
    if (audiences.length === 0)
      reader.addProblem(
        `${entryProperty}.audiences`,
        'must list at least one audience of tokens for this app',
      );
    const provider = {
      key: issuer,
      pathNames: [issuer] as const,
      label: issuer,
      clientId: '',
      scopes: [],
      trustsEmail: false,
      rules: { groups: [], claims: requiredClaims(reader, `${entryProperty}.requiredClaims`) },
      protocol: 'openid',
      flavor: 'bearer-issuer',
      issuer,
      audiences,
      policy: unrestrictedPolicy,
      loginParameters: [],
      forwardedParameters: [],
    } as const;
    return {
      ...provider,
      claimsUsedByRules: claimsUsedByRulesOf(provider, requirements, domains),
    };
  });
}

/**
 * Warns about audiences that are the client id of a sign-in at the same issuer: its ID tokens would
 * be accepted as access tokens.
 */
export function warnAboutSignInAudiences(
  reader: ConfigReader,
  issuers: readonly OpenIdSettings[],
  providers: readonly ProviderSettings[],
): void {
  for (const { issuer, audiences } of issuers)
    for (const provider of providers) {
      if (provider.protocol !== 'openid' || !audiences.includes(provider.clientId)) continue;
      const address = provider.wellKnown ?? provider.issuer;
      if (address === issuer || address === `${issuer}/.well-known/openid-configuration`)
        reader.warnings.push(
          `${issuersProperty}: "${provider.clientId}" is the client id of ${provider.key}, the audience of its ID tokens: they may be taken for access tokens`,
        );
    }
}
