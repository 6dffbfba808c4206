import { isObject } from '../../../core/values/is-object.js';
import { isSafeAddress } from './endpoints.js';
import { openPolicy } from './openid-settings.js';
import { claimRules } from './provider-source.js';
import type { ConfigReader } from './reader.js';
import { decisiveNames } from './requirements.js';
import type { OpenIdSettings, ProviderSettings, Requirement } from './settings.js';

const at = 'login.bearer.issuers';

/** `login.bearer.issuers`: whose access tokens are taken although no one signs in there. */
export function bearerIssuers(
  reader: ConfigReader,
  required: readonly Requirement[],
  domains: readonly string[],
): OpenIdSettings[] {
  const entries = reader.at(at);
  if (!Array.isArray(entries)) return [];
  const seen = new Set<string>();
  return entries.filter(isObject).map((entry, index): OpenIdSettings => {
    const place = `${at}.${index}`;
    const issuer = String(entry['issuer']);
    const audiences = reader.listIn(entry, 'audiences');
    if (!isSafeAddress(issuer))
      reader.problem(`${place}.issuer`, 'must be an https URL (http on loopback only)');
    if (seen.has(issuer)) reader.problem(`${place}.issuer`, `"${issuer}" is listed twice`);
    seen.add(issuer);
    if (audiences.length === 0)
      reader.problem(
        `${place}.audiences`,
        'must list at least one audience of tokens for this app',
      );
    const provider = {
      key: issuer,
      pathNames: [issuer] as const,
      label: issuer,
      clientId: '',
      scopes: [],
      trustsEmail: false,
      rules: { groups: [], claims: claimRules(reader, `${place}.requiredClaims`) },
      protocol: 'openid',
      flavor: 'issuer',
      issuer,
      audiences,
      policy: openPolicy,
      loginParameters: [],
      passedParameters: [],
    } as const;
    return { ...provider, decisive: decisiveNames(provider, required, domains) };
  });
}

/** Warns of audiences that the ID tokens of a sign-in have: those would be access tokens here. */
export function warnOfSignInAudiences(
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
          `${at}: "${provider.clientId}" is the client id of ${provider.key}, the audience of its ID tokens: they may be taken for access tokens`,
        );
    }
}
