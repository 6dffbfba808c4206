import type { IdentityProviderKey } from '../../../core/dialect/dialect.js';
import { clientCertificate } from './client-certificate.js';
import { isSafeAddress } from './endpoints.js';
import { byClientId, common, type ProviderSource } from './provider-source.js';
import type { ConfigReader } from './reader.js';
import type { AuthorizationPolicy, OpenIdSettings } from './settings.js';

/** Parameters of the authorization request that are the sidecar's own: `loginParameters` can't replace them. */
export const ownParameters: readonly string[] = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
];

/** A policy without restrictions. */
export const openPolicy: AuthorizationPolicy = { applications: [], groups: [], identities: [], claimGroups: [], claimApplications: [] };
const standardScopes = ['openid', 'profile', 'email'];

/** Scopes with `openid` among them; the standard ones where none are configured. */
export function withStandardScopes(scopes: readonly string[]): string[] {
  return [...new Set([...(scopes.length > 0 ? ['openid', ...scopes] : standardScopes)])];
}

/** What a provider has by OpenID Connect, at the addresses of the endpoints file or of its issuer: everyone gets in with a valid token. */
function openId(source: ProviderSource, key: IdentityProviderKey, configured: string): Omit<OpenIdSettings, 'flavor'> {
  const { issuer = configured, wellKnown, user, authorization, token, keys } = source.endpoints[key] ?? {};
  return {
    ...common(source, key, byClientId),
    protocol: 'openid',
    issuer,
    ...(wellKnown === undefined ? {} : { wellKnown }),
    ...(authorization && token && keys ? { explicit: { authorization, token, keys } } : {}),
    ...(user === undefined ? {} : { user }),
    audiences: source.read.list(`identityProviders.${key}.validation.allowedAudiences`),
    policy: openPolicy,
    loginParameters: [],
    passedParameters: [],
  };
}

/** The directory. */
export function directory(source: ProviderSource): OpenIdSettings {
  const { read } = source;
  const at = 'identityProviders.azureActiveDirectory';
  const issuer = read.text(`${at}.registration.openIdIssuer`) ?? 'https://login.microsoftonline.com/common/v2.0';
  if (!isSafeAddress(issuer)) read.problem(`${at}.registration.openIdIssuer`, 'must be an https URL (http on loopback only)');
  const certificate = clientCertificate(read, `${at}.registration`);
  const parameters = loginParameters(read, `${at}.login.loginParameters`);
  const scope = parameters.find(([name]) => name === 'scope')?.[1].split(/[ +]+/) ?? [];
  const policyAt = `${at}.validation.defaultAuthorizationPolicy`;
  return {
    ...openId(source, 'azureActiveDirectory', issuer),
    scopes: withStandardScopes(scope),
    flavor: 'directory',
    policy: {
      applications: read.list(`${policyAt}.allowedApplications`),
      groups: read.list(`${policyAt}.allowedPrincipals.groups`),
      identities: read.list(`${policyAt}.allowedPrincipals.identities`),
      claimGroups: read.list(`${at}.validation.jwtClaimChecks.allowedGroups`),
      claimApplications: read.list(`${at}.validation.jwtClaimChecks.allowedClientApplications`),
    },
    loginParameters: parameters.filter(([name]) => name !== 'scope'),
    passedParameters: ['domain_hint', 'login_hint', 'prompt'],
    ...(certificate === undefined ? {} : { certificate }),
  };
}

function loginParameters(read: ConfigReader, at: string): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  read.list(at).forEach((parameter, index) => {
    const cut = parameter.indexOf('=');
    const name = parameter.slice(0, cut);
    if (cut < 1) read.problem(`${at}.${index}`, 'must be key=value');
    else if (ownParameters.includes(name)) read.warnings.push(`${at}.${index}: ${name} is set by the sidecar and can't be replaced`);
    else pairs.push([name, parameter.slice(cut + 1)]);
  });
  return pairs;
}

/** The personal account. */
export function personal(source: ProviderSource): OpenIdSettings {
  const issuer = 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0';
  const settings = openId(source, 'legacyMicrosoftAccount', issuer);
  return {
    user: 'https://graph.microsoft.com/oidc/userinfo',
    ...settings,
    // The basic profile is always asked for, whatever scopes are configured.
    scopes: [...new Set([...standardScopes.slice(0, 2), ...(settings.scopes.length > 0 ? settings.scopes : ['email'])])],
    flavor: 'personal',
    passedParameters: ['login_hint', 'prompt'],
  };
}

/** The search engine. */
export function search(source: ProviderSource): OpenIdSettings {
  const settings = openId(source, 'google', 'https://accounts.google.com');
  const passedParameters = ['access_type', 'prompt', 'login_hint', 'hd'];
  return { ...settings, scopes: withStandardScopes(settings.scopes), flavor: 'search', passedParameters };
}

/** Apple. */
export function apple(source: ProviderSource): OpenIdSettings {
  const settings = openId(source, 'apple', 'https://appleid.apple.com');
  return { ...settings, scopes: ['openid', ...settings.scopes.filter((scope) => scope !== 'openid')], flavor: 'apple' };
}
