import { isObject } from '../../../core/values/is-object.js';
import { codehost, microblog, social } from './oauth-settings.js';
import { apple, directory, personal, search, openPolicy, ownParameters, withStandardScopes } from './openid-settings.js';
import type { ConfigReader } from './reader.js';
import type { ProviderSettings, OpenIdSettings } from './settings.js';
import { type Dialect, type IdentityProviderKey, identityProviders } from '../../../core/dialect/dialect.js';
import { type Endpoints, isSafeAddress } from './endpoints.js';
import { providerNamePattern } from '../../../kinds/auth/provider-names.js';

/** Every enabled provider of the configuration. */
export function providerSettings(source: ProviderSource): ProviderSettings[] {
  const { read } = source;
  const enabled = (key: string): boolean =>
    isObject(read.at(`identityProviders.${key}`)) && read.flag(`identityProviders.${key}.enabled`) !== false;
  const providers: ProviderSettings[] = [];
  if (enabled('azureActiveDirectory')) providers.push(directory(source));
  if (enabled('legacyMicrosoftAccount')) providers.push(personal(source));
  if (enabled('google')) providers.push(search(source));
  if (enabled('facebook')) providers.push(social(source));
  if (enabled('gitHub')) providers.push(codehost(source));
  if (enabled('twitter')) providers.push(microblog(source));
  if (enabled('apple')) providers.push(apple(source));
  for (const group of ['customOpenIdConnectProviders', 'openIdConnectProviders']) {
    const custom = read.at(`identityProviders.${group}`);
    for (const name of isObject(custom) ? Object.keys(custom) : []) {
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

/** What the settings of a provider are made from. */
export interface ProviderSource {
  readonly read: ConfigReader;
  readonly dialect: Dialect;
  readonly endpoints: Endpoints;
}

/** What people call each provider on a page, after "Sign in with". */
const labels: Readonly<Record<IdentityProviderKey, Readonly<Record<Dialect, string>>>> = {
  azureActiveDirectory: { neutral: 'the directory', azure: 'Microsoft Entra ID' },
  legacyMicrosoftAccount: { neutral: 'a personal account', azure: 'a Microsoft account' },
  google: { neutral: 'the search engine', azure: 'Google' },
  facebook: { neutral: 'the social network', azure: 'Facebook' },
  gitHub: { neutral: 'the code host', azure: 'GitHub' },
  twitter: { neutral: 'the microblog', azure: 'X' },
  apple: { neutral: 'Apple', azure: 'Apple' },
};

/** What most providers call the properties of their registration. */
export const byClientId = { id: 'clientId', secret: 'clientSecretSettingName' };

/** What every provider has. @param names what this one calls its client id and the name of its secret */
export function common(
  source: ProviderSource,
  key: IdentityProviderKey,
  names: { id: string; secret: string },
): Pick<ProviderSettings, 'key' | 'words' | 'label' | 'clientId' | 'clientSecret' | 'scopes'> {
  const at = `identityProviders.${key}`;
  const clientSecret = source.read.secret(`${at}.registration.${names.secret}`);
  return {
    key,
    words: identityProviders[key][source.dialect] as unknown as readonly [string, ...string[]],
    label: labels[key][source.dialect],
    clientId: source.read.required(`${at}.registration.${names.id}`),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    scopes: source.read.list(`${at}.login.scopes`),
  };
}

/** Any provider of OpenID Connect, by discovery or by its addresses. */
export function customProvider(source: ProviderSource, group: string, name: string): OpenIdSettings {
  const { read } = source;
  const at = `identityProviders.${group}.${name}`;
  const config = `${at}.registration.openIdConnectConfiguration`;
  if (!new RegExp(providerNamePattern).test(name)) read.problem(at, 'a name has letters, digits, - and _ only, at most 64');
  const addresses = source.endpoints[name] ?? {};
  const wellKnown =
    addresses['wellKnown'] ?? (addresses['issuer'] === undefined ? read.text(`${config}.wellKnownOpenIdConfiguration`) : undefined);
  const issuer = addresses['issuer'] ?? read.text(`${config}.issuer`);
  const authorization = addresses['authorization'] ?? read.text(`${config}.authorizationEndpoint`);
  const token = addresses['token'] ?? read.text(`${config}.tokenEndpoint`);
  const keys = addresses['keys'] ?? read.text(`${config}.certificationUri`);
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
    ...(addresses['user'] === undefined ? {} : { user: addresses['user'] }),
    ...(nameClaim === undefined ? {} : { nameClaim }),
    audiences: [],
    policy: openPolicy,
    loginParameters: [],
    passedParameters: read.list(`${at}.login.loginParameterNames`).filter((parameter) => !ownParameters.includes(parameter)),
  };
}
