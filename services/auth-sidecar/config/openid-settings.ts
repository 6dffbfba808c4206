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

/** Where an OpenID Connect provider is: as the endpoints file says, else as configured. */
export function openIdAddresses(
  source: ProviderSource,
  key: string,
  issuer: string,
): Pick<OpenIdSettings, 'issuer' | 'wellKnown' | 'explicit' | 'user'> {
  const given = source.endpoints[key] ?? {};
  const { authorization, token, keys } = given;
  return {
    issuer: given['issuer'] ?? issuer,
    ...(given['wellKnown'] === undefined ? {} : { wellKnown: given['wellKnown'] }),
    ...(authorization && token && keys ? { explicit: { authorization, token, keys } } : {}),
    ...(given['user'] === undefined ? {} : { user: given['user'] }),
  };
}

/** Scopes with `openid` among them; the standard ones where none are configured. */
export function withStandardScopes(scopes: readonly string[]): string[] {
  return [...new Set([...(scopes.length > 0 ? ['openid', ...scopes] : standardScopes)])];
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
    ...common(source, 'azureActiveDirectory', byClientId),
    scopes: withStandardScopes(scope),
    protocol: 'openid',
    flavor: 'directory',
    ...openIdAddresses(source, 'azureActiveDirectory', issuer),
    audiences: read.list(`${at}.validation.allowedAudiences`),
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
  const shared = common(source, 'legacyMicrosoftAccount', byClientId);
  const issuer = 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0';
  return {
    ...shared,
    // The basic profile is always asked for, whatever scopes are configured.
    scopes: [...new Set([...standardScopes.slice(0, 2), ...(shared.scopes.length > 0 ? shared.scopes : ['email'])])],
    protocol: 'openid',
    flavor: 'personal',
    user: 'https://graph.microsoft.com/oidc/userinfo',
    ...openIdAddresses(source, 'legacyMicrosoftAccount', issuer),
    audiences: source.read.list('identityProviders.legacyMicrosoftAccount.validation.allowedAudiences'),
    policy: openPolicy,
    loginParameters: [],
    passedParameters: ['login_hint', 'prompt'],
  };
}

/** The search engine. */
export function search(source: ProviderSource): OpenIdSettings {
  const shared = common(source, 'google', byClientId);
  return {
    ...shared,
    scopes: withStandardScopes(shared.scopes),
    protocol: 'openid',
    flavor: 'search',
    ...openIdAddresses(source, 'google', 'https://accounts.google.com'),
    audiences: source.read.list('identityProviders.google.validation.allowedAudiences'),
    policy: openPolicy,
    loginParameters: [],
    passedParameters: ['access_type', 'prompt', 'login_hint', 'hd'],
  };
}

/** Apple. */
export function apple(source: ProviderSource): OpenIdSettings {
  const shared = common(source, 'apple', byClientId);
  return {
    ...shared,
    scopes: ['openid', ...shared.scopes.filter((scope) => scope !== 'openid')],
    protocol: 'openid',
    flavor: 'apple',
    ...openIdAddresses(source, 'apple', 'https://appleid.apple.com'),
    audiences: [],
    policy: openPolicy,
    loginParameters: [],
    passedParameters: [],
  };
}
