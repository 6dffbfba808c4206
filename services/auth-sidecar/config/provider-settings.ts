import type { Dialect } from '../../../core/dialect/dialect.js';
import { identityProviders } from '../../../core/dialect/dialect.js';
import type { IdentityProviderKey } from '../../../core/dialect/dialect.js';
import { isPlain } from './plain.js';
import type { Endpoints } from './endpoints.js';
import { isSafeAddress } from './endpoints.js';
import type { ConfigReader } from './reader.js';
import type { AuthorizationPolicy, OAuth1Settings, OAuth2Settings, OpenIdSettings, ProviderSettings } from './settings.js';

const openPolicy: AuthorizationPolicy = { applications: [], groups: [], identities: [], claimGroups: [], claimApplications: [] };
const standardScopes = ['openid', 'profile', 'email'];
/** Parameters of the authorization request that are the sidecar's own: `loginParameters` can't replace them. */
const ownParameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
];

/** What the settings of a provider are made from. */
interface Source {
  readonly read: ConfigReader;
  readonly dialect: Dialect;
  readonly endpoints: Endpoints;
}

/** Every enabled provider of the configuration. */
export function providerSettings(source: Source): ProviderSettings[] {
  const { read } = source;
  const enabled = (key: string): boolean =>
    isPlain(read.at(`identityProviders.${key}`)) && read.flag(`identityProviders.${key}.enabled`) !== false;
  const providers: ProviderSettings[] = [];
  if (enabled('azureActiveDirectory')) providers.push(directory(source));
  if (enabled('legacyMicrosoftAccount')) providers.push(personal(source));
  if (enabled('google')) providers.push(search(source));
  if (enabled('facebook')) providers.push(social(source));
  if (enabled('gitHub')) providers.push(codehost(source));
  if (enabled('twitter')) providers.push(microblog(source));
  if (enabled('apple')) providers.push(apple(source));
  if (enabled('azureStaticWebApps')) read.warnings.push('identityProviders.azureStaticWebApps has no effect outside of its own product');
  for (const group of ['customOpenIdConnectProviders', 'openIdConnectProviders']) {
    const custom = read.at(`identityProviders.${group}`);
    for (const name of isPlain(custom) ? Object.keys(custom) : []) {
      if (read.flag(`identityProviders.${group}.${name}.enabled`) !== false) providers.push(customProvider(source, group, name));
    }
  }
  reportDoubleWords(read, providers);
  return providers;
}

function reportDoubleWords(read: ConfigReader, providers: readonly ProviderSettings[]): void {
  const seen = new Set<string>();
  for (const provider of providers) {
    for (const word of provider.words) {
      if (seen.has(word)) read.problem(`identityProviders.${provider.key}`, `the name "${word}" is taken by another provider`);
      seen.add(word);
    }
  }
}

function common(
  source: Source,
  key: IdentityProviderKey,
  label: string,
  names: { id: string; secret: string },
): Pick<ProviderSettings, 'key' | 'words' | 'label' | 'clientId' | 'clientSecret' | 'scopes'> {
  const at = `identityProviders.${key}`;
  const clientSecret = source.read.secret(`${at}.registration.${names.secret}`);
  return {
    key,
    words: identityProviders[key][source.dialect] as unknown as readonly [string, ...string[]],
    label,
    clientId: source.read.required(`${at}.registration.${names.id}`),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    scopes: source.read.list(`${at}.login.scopes`),
  };
}

const byClientId = { id: 'clientId', secret: 'clientSecretSettingName' };

function openIdAddresses(source: Source, key: string, issuer: string): Pick<OpenIdSettings, 'issuer' | 'wellKnown' | 'explicit' | 'user'> {
  const given = source.endpoints[key] ?? {};
  const { authorization, token, keys } = given;
  return {
    issuer: given['issuer'] ?? issuer,
    ...(given['wellKnown'] === undefined ? {} : { wellKnown: given['wellKnown'] }),
    ...(authorization && token && keys ? { explicit: { authorization, token, keys } } : {}),
    ...(given['user'] === undefined ? {} : { user: given['user'] }),
  };
}

function withStandardScopes(scopes: readonly string[]): string[] {
  return [...new Set([...(scopes.length > 0 ? ['openid', ...scopes] : standardScopes)])];
}

function directory(source: Source): OpenIdSettings {
  const { read } = source;
  const at = 'identityProviders.azureActiveDirectory';
  const issuer = read.text(`${at}.registration.openIdIssuer`) ?? 'https://login.microsoftonline.com/common/v2.0';
  if (!isSafeAddress(issuer)) read.problem(`${at}.registration.openIdIssuer`, 'must be an https URL (http on loopback only)');
  const thumbprint = read.text(`${at}.registration.clientSecretCertificateThumbprint`);
  const certificate =
    thumbprint === undefined ? undefined : read.secretNamed(thumbprint, `${at}.registration.clientSecretCertificateThumbprint`);
  const parameters = loginParameters(read, `${at}.login.loginParameters`);
  const scope = parameters.find(([name]) => name === 'scope')?.[1].split(/[ +]+/) ?? [];
  const policyAt = `${at}.validation.defaultAuthorizationPolicy`;
  return {
    ...common(source, 'azureActiveDirectory', 'Directory', byClientId),
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

function personal(source: Source): OpenIdSettings {
  const shared = common(source, 'legacyMicrosoftAccount', 'Personal account', byClientId);
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

function search(source: Source): OpenIdSettings {
  const shared = common(source, 'google', 'Search engine account', byClientId);
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

function apple(source: Source): OpenIdSettings {
  const shared = common(source, 'apple', 'Apple', byClientId);
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

function customProvider(source: Source, group: string, name: string): OpenIdSettings {
  const { read } = source;
  const at = `identityProviders.${group}.${name}`;
  const config = `${at}.registration.openIdConnectConfiguration`;
  if (!/^[A-Za-z0-9][\w-]{0,63}$/.test(name)) read.problem(at, 'a name has letters, digits, - and _ only, at most 64');
  const given = source.endpoints[name] ?? {};
  const wellKnown = given['wellKnown'] ?? (given['issuer'] === undefined ? read.text(`${config}.wellKnownOpenIdConfiguration`) : undefined);
  const issuer = given['issuer'] ?? read.text(`${config}.issuer`);
  const authorization = given['authorization'] ?? read.text(`${config}.authorizationEndpoint`);
  const token = given['token'] ?? read.text(`${config}.tokenEndpoint`);
  const keys = given['keys'] ?? read.text(`${config}.certificationUri`);
  for (const [property, address] of Object.entries({
    wellKnownOpenIdConfiguration: wellKnown,
    issuer,
    authorizationEndpoint: authorization,
    tokenEndpoint: token,
    certificationUri: keys,
  }))
    if (address !== undefined && !isSafeAddress(address))
      read.problem(`${config}.${property}`, 'must be an https URL (http on loopback only)');
  // Discovery wins over the explicit addresses, as in the cloud.
  const explicit = wellKnown === undefined && authorization && token && keys ? { authorization, token, keys } : undefined;
  if (wellKnown === undefined && issuer === undefined)
    read.problem(
      config,
      'needs wellKnownOpenIdConfiguration, or an issuer (with authorizationEndpoint, tokenEndpoint and certificationUri where it has no discovery)',
    );
  const clientSecret = read.secret(`${at}.registration.clientCredential.clientSecretSettingName`);
  const nameClaim = read.text(`${at}.login.nameClaimType`);
  return {
    key: name,
    words: [name],
    label: name,
    clientId: read.required(`${at}.registration.clientId`),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    scopes: withStandardScopes(read.list(`${at}.login.scopes`)),
    protocol: 'openid',
    flavor: 'custom',
    ...(issuer === undefined ? {} : { issuer }),
    ...(wellKnown === undefined ? {} : { wellKnown }),
    ...(explicit === undefined ? {} : { explicit }),
    ...(given['user'] === undefined ? {} : { user: given['user'] }),
    ...(nameClaim === undefined ? {} : { nameClaim }),
    audiences: [],
    policy: openPolicy,
    loginParameters: [],
    passedParameters: read.list(`${at}.login.loginParameterNames`).filter((parameter) => !ownParameters.includes(parameter)),
  };
}

function social(source: Source): OAuth2Settings {
  const given = source.endpoints['facebook'] ?? {};
  const version = source.read.text('identityProviders.facebook.graphApiVersion') ?? 'v19.0';
  if (!/^v\d+\.\d+$/.test(version)) source.read.problem('identityProviders.facebook.graphApiVersion', 'must be like v19.0');
  const inspection = given['debugToken'] ?? (given['user'] === undefined ? `https://graph.facebook.com/${version}/debug_token` : undefined);
  const shared = common(source, 'facebook', 'Social network', { id: 'appId', secret: 'appSecretSettingName' });
  return {
    ...shared,
    scopes: shared.scopes.length > 0 ? shared.scopes : ['public_profile', 'email'],
    protocol: 'oauth2',
    flavor: 'social',
    authorization: given['authorization'] ?? `https://www.facebook.com/${version}/dialog/oauth`,
    token: given['token'] ?? `https://graph.facebook.com/${version}/oauth/access_token`,
    user: given['user'] ?? `https://graph.facebook.com/${version}/me?fields=id,name,email`,
    ...(inspection === undefined ? {} : { inspection }),
  };
}

function codehost(source: Source): OAuth2Settings {
  const given = source.endpoints['gitHub'] ?? {};
  const shared = common(source, 'gitHub', 'Code host', byClientId);
  const inspection =
    given['checkToken'] ??
    (given['user'] === undefined ? `https://api.github.com/applications/${encodeURIComponent(shared.clientId)}/token` : undefined);
  return {
    ...shared,
    scopes: shared.scopes,
    protocol: 'oauth2',
    flavor: 'codehost',
    authorization: given['authorization'] ?? 'https://github.com/login/oauth/authorize',
    token: given['token'] ?? 'https://github.com/login/oauth/access_token',
    user: given['user'] ?? 'https://api.github.com/user',
    ...(inspection === undefined ? {} : { inspection }),
  };
}

function microblog(source: Source): OAuth1Settings {
  const given = source.endpoints['twitter'] ?? {};
  const shared = common(source, 'twitter', 'Microblog', { id: 'consumerKey', secret: 'consumerSecretSettingName' });
  if (source.read.text('identityProviders.twitter.registration.consumerSecretSettingName') === undefined)
    source.read.problem('identityProviders.twitter.registration.consumerSecretSettingName', 'is required');
  return {
    ...shared,
    clientSecret: shared.clientSecret ?? '',
    protocol: 'oauth1',
    requestToken: given['requestToken'] ?? 'https://api.twitter.com/oauth/request_token',
    authenticate: given['authenticate'] ?? 'https://api.twitter.com/oauth/authenticate',
    accessToken: given['accessToken'] ?? 'https://api.twitter.com/oauth/access_token',
    user: given['user'] ?? 'https://api.twitter.com/1.1/account/verify_credentials.json?include_email=true',
  };
}
