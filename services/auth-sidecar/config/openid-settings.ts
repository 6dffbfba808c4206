import type { IdentityProviderKey } from '../../../core/dialect/dialect.js';
import { clientCertificate } from './client-certificate.js';
import { isSafeAddress } from './endpoints.js';
import { byClientId, commonSettings, type ProviderSource } from './provider-source.js';
import type { ConfigReader } from './reader.js';
import type { AuthorizationPolicy, OpenIdSettings } from './settings.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/**
 * Parameters of the authorization request that the sidecar sets itself: `loginParameters` cannot
 * override them.
 */
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
export const openPolicy: AuthorizationPolicy = {
  applications: [],
  groups: [],
  identities: [],
  claimGroups: [],
  claimApplications: [],
};
const standardScopes = ['openid', 'profile', 'email'];

/** The scopes including `openid`; the standard ones by default. */
export function withStandardScopes(scopes: readonly string[]): string[] {
  return [...new Set([...(scopes.length > 0 ? ['openid', ...scopes] : standardScopes)])];
}

/**
 * The OpenID Connect settings of a provider, with the addresses of the endpoints file or of its
 * issuer; everyone with a valid token is admitted.
 */
function openId(
  source: ProviderSource,
  key: IdentityProviderKey,
  configuredIssuer: string,
): Omit<OpenIdSettings, 'flavor' | 'decisive'> {
  const {
    issuer = configuredIssuer,
    wellKnown,
    user,
    groups,
    authorization,
    token,
    keys,
  } = source.endpoints[key] ?? {};
  return {
    ...commonSettings(source, key, byClientId),
    protocol: 'openid',
    issuer,
    ...omitUndefined({ wellKnown }),
    ...(authorization && token && keys && { explicit: { authorization, token, keys } }),
    ...omitUndefined({ user, groups }),
    audiences: source.reader.list(`identityProviders.${key}.validation.allowedAudiences`),
    policy: openPolicy,
    loginParameters: [],
    passedParameters: [],
  };
}

/** The directory provider. */
export function directory(source: ProviderSource): Omit<OpenIdSettings, 'decisive'> {
  const { reader } = source;
  const at = 'identityProviders.azureActiveDirectory';
  if (reader.text(`${at}.registration.openIdIssuer`) === undefined)
    reader.warnings.push(
      `${at}.registration.openIdIssuer is not set: people of any tenant of the directory can sign in`,
    );
  const issuer =
    reader.text(`${at}.registration.openIdIssuer`) ??
    'https://login.microsoftonline.com/common/v2.0';
  if (!isSafeAddress(issuer))
    reader.problem(
      `${at}.registration.openIdIssuer`,
      'must be an https URL (http on loopback only)',
    );
  const certificate = clientCertificate(reader, `${at}.registration`);
  const parameters = loginParameters(reader, `${at}.login.loginParameters`);
  const scope = parameters.find(([name]) => name === 'scope')?.[1].split(/[ +]+/) ?? [];
  const policyAt = `${at}.validation.defaultAuthorizationPolicy`;
  const orNone = { orNone: true };
  return {
    ...openId(source, 'azureActiveDirectory', issuer),
    scopes: withStandardScopes(scope),
    flavor: 'directory',
    policy: {
      applications: reader.admitted(`${policyAt}.allowedApplications`, orNone),
      groups: reader.admitted(`${policyAt}.allowedPrincipals.groups`, orNone),
      identities: reader.admitted(`${policyAt}.allowedPrincipals.identities`, orNone),
      claimGroups: reader.admitted(`${at}.validation.jwtClaimChecks.allowedGroups`, orNone),
      claimApplications: reader.admitted(
        `${at}.validation.jwtClaimChecks.allowedClientApplications`,
        orNone,
      ),
    },
    loginParameters: parameters.filter(([name]) => name !== 'scope'),
    passedParameters: ['domain_hint', 'login_hint', 'prompt'],
    ...omitUndefined({ certificate }),
  };
}

function loginParameters(reader: ConfigReader, at: string): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  reader.list(at).forEach((parameter, index) => {
    const equals = parameter.indexOf('=');
    const name = parameter.slice(0, equals);
    if (equals < 1) reader.problem(`${at}.${index}`, 'must be key=value');
    else if (ownParameters.includes(name))
      reader.warnings.push(`${at}.${index}: ${name} is set by the sidecar and can't be replaced`);
    else pairs.push([name, parameter.slice(equals + 1)]);
  });
  return pairs;
}

/** The personal account provider. */
export function personal(source: ProviderSource): Omit<OpenIdSettings, 'decisive'> {
  const issuer = 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0';
  const settings = openId(source, 'legacyMicrosoftAccount', issuer);
  return {
    user: 'https://graph.microsoft.com/oidc/userinfo',
    ...settings,
    // The basic profile is always requested, whatever scopes are configured.
    scopes: [
      ...new Set([
        ...standardScopes.slice(0, 2),
        ...(settings.scopes.length > 0 ? settings.scopes : ['email']),
      ]),
    ],
    flavor: 'personal',
    passedParameters: ['login_hint', 'prompt'],
  };
}

/** The search engine provider. */
export function search(source: ProviderSource): Omit<OpenIdSettings, 'decisive'> {
  const settings = openId(source, 'google', 'https://accounts.google.com');
  const passedParameters = ['access_type', 'prompt', 'login_hint', 'hd'];
  return {
    ...settings,
    scopes: withStandardScopes(settings.scopes),
    flavor: 'search',
    passedParameters,
  };
}

/** The Apple provider. */
export function apple(source: ProviderSource): Omit<OpenIdSettings, 'decisive'> {
  const settings = openId(source, 'apple', 'https://appleid.apple.com');
  return {
    ...settings,
    scopes: ['openid', ...settings.scopes.filter((scope) => scope !== 'openid')],
    flavor: 'apple',
  };
}
