import { isObject } from '../../../core/values/is-object.js';
import { isSafeAddress } from './endpoints.js';
import { openPolicy } from './openid-settings.js';
import { claimRules } from './provider-source.js';
import type { ConfigReader } from './reader.js';
import { decisiveNames } from './requirements.js';
import type { OpenIdSettings, Requirement } from './settings.js';

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
