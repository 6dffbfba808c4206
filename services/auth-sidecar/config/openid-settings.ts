import type { IdentityProviderKey } from '../../../core/dialect/dialect.js';
import { clientCertificate } from './client-certificate.js';
import { isSafeAddress } from './endpoints.js';
import {
  clientIdProperties,
  commonSettings,
  type ProviderSource,
} from './common-provider-settings.js';
import type { ConfigReader } from './config-reader.js';
import type { AuthorizationPolicy, OpenIdSettings } from './settings.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/**
 * Parameters of the authorization request that the sidecar sets itself: `loginParameters` cannot
 * override them.
 */
export const reservedParameters: readonly string[] = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
];

/** A policy that admits everyone. */
export const unrestrictedPolicy: AuthorizationPolicy = {
  applications: [],
  groups: [],
  identities: [],
  claimGroups: [],
  claimApplications: [],
};
const standardScopes = ['openid', 'profile', 'email'];

/** The configured scopes and `openid`; the standard ones if none are configured. */
export function withStandardScopes(scopes: readonly string[]): string[] {
  return [...new Set(scopes.length > 0 ? ['openid', ...scopes] : standardScopes)];
}

/**
 * The OpenID Connect settings of a provider, with the addresses of the endpoints file or of its
 * issuer; everyone with a valid token is admitted.
 */
function openIdSettings(
  source: ProviderSource,
  key: IdentityProviderKey,
  configuredIssuer: string,
): Omit<OpenIdSettings, 'flavor' | 'claimsUsedByRules'> {
  const {
    issuer = configuredIssuer,
    wellKnown,
    user: userInfoEndpoint,
    groups: directoryUsersUrl,
    authorization,
    token,
    keys,
  } = source.endpoints[key] ?? {};
  return {
    ...commonSettings(source, key, clientIdProperties),
    protocol: 'openid',
    issuer,
    ...omitUndefined({ wellKnown }),
    ...(authorization &&
      token &&
      keys && {
        explicitEndpoints: {
          authorizationEndpoint: authorization,
          tokenEndpoint: token,
          jwksUri: keys,
        },
      }),
    ...omitUndefined({ userInfoEndpoint, directoryUsersUrl }),
    audiences: source.reader.list(`identityProviders.${key}.validation.allowedAudiences`),
    policy: unrestrictedPolicy,
    loginParameters: [],
    forwardedParameters: [],
  };
}

/** The settings of the directory provider. */
export function directorySettings(
  source: ProviderSource,
): Omit<OpenIdSettings, 'claimsUsedByRules'> {
  const { reader } = source;
  const property = 'identityProviders.azureActiveDirectory';
  if (reader.text(`${property}.registration.openIdIssuer`) === undefined)
    reader.warnings.push(
      `${property}.registration.openIdIssuer is not set: people of any tenant of the directory can sign in`,
    );
  const issuer =
    reader.text(`${property}.registration.openIdIssuer`) ??
    'https://login.microsoftonline.com/common/v2.0';
  if (!isSafeAddress(issuer))
    reader.addProblem(
      `${property}.registration.openIdIssuer`,
      'must be an https URL (http on loopback only)',
    );
  const certificate = clientCertificate(reader, `${property}.registration`);
  const parameters = loginParameters(reader, `${property}.login.loginParameters`);
  const scope = parameters.find(([name]) => name === 'scope')?.[1].split(/[ +]+/) ?? [];
  const policyProperty = `${property}.validation.defaultAuthorizationPolicy`;
  const emptyAllowed = { allowEmpty: true };
  return {
    ...openIdSettings(source, 'azureActiveDirectory', issuer),
    scopes: withStandardScopes(scope),
    flavor: 'directory',
    policy: {
      applications: reader.allowList(`${policyProperty}.allowedApplications`, emptyAllowed),
      groups: reader.allowList(`${policyProperty}.allowedPrincipals.groups`, emptyAllowed),
      identities: reader.allowList(`${policyProperty}.allowedPrincipals.identities`, emptyAllowed),
      claimGroups: reader.allowList(
        `${property}.validation.jwtClaimChecks.allowedGroups`,
        emptyAllowed,
      ),
      claimApplications: reader.allowList(
        `${property}.validation.jwtClaimChecks.allowedClientApplications`,
        emptyAllowed,
      ),
    },
    loginParameters: parameters.filter(([name]) => name !== 'scope'),
    forwardedParameters: ['domain_hint', 'login_hint', 'prompt'],
    ...omitUndefined({ certificate }),
  };
}

function loginParameters(reader: ConfigReader, property: string): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  reader.list(property).forEach((parameter, index) => {
    const equals = parameter.indexOf('=');
    const name = parameter.slice(0, equals);
    if (equals < 1) reader.addProblem(`${property}.${index}`, 'must be key=value');
    else if (reservedParameters.includes(name))
      reader.warnings.push(
        `${property}.${index}: ${name} is set by the sidecar and can't be replaced`,
      );
    else pairs.push([name, parameter.slice(equals + 1)]);
  });
  return pairs;
}

/** The settings of the personal account provider. */
export function personalSettings(
  source: ProviderSource,
): Omit<OpenIdSettings, 'claimsUsedByRules'> {
  const issuer = 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0';
  const settings = openIdSettings(source, 'legacyMicrosoftAccount', issuer);
  return {
    userInfoEndpoint: 'https://graph.microsoft.com/oidc/userinfo',
    ...settings,
    // The basic profile is always requested, whatever scopes are configured.
    scopes: [
      ...new Set([
        ...standardScopes.slice(0, 2),
        ...(settings.scopes.length > 0 ? settings.scopes : ['email']),
      ]),
    ],
    flavor: 'personal',
    forwardedParameters: ['login_hint', 'prompt'],
  };
}

/** The settings of the search engine provider. */
export function searchSettings(source: ProviderSource): Omit<OpenIdSettings, 'claimsUsedByRules'> {
  const settings = openIdSettings(source, 'google', 'https://accounts.google.com');
  return {
    ...settings,
    scopes: withStandardScopes(settings.scopes),
    flavor: 'search',
    forwardedParameters: ['access_type', 'prompt', 'login_hint', 'hd'],
  };
}

/** The settings of the Apple provider. */
export function appleSettings(source: ProviderSource): Omit<OpenIdSettings, 'claimsUsedByRules'> {
  const settings = openIdSettings(source, 'apple', 'https://appleid.apple.com');
  return {
    ...settings,
    scopes: ['openid', ...settings.scopes.filter((scope) => scope !== 'openid')],
    flavor: 'apple',
  };
}
