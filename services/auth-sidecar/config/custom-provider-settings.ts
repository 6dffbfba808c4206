import { providerNamePattern } from '../../../kinds/auth/provider-names.js';
import { isSafeAddress } from './endpoints.js';
import { openPolicy, ownParameters, withStandardScopes } from './openid-settings.js';
import type { ProviderSource } from './provider-source.js';
import type { OpenIdSettings } from './settings.js';

/** Any provider of OpenID Connect, by discovery or by its addresses. */
export function customProvider(source: ProviderSource, group: string, name: string): OpenIdSettings {
  const { read } = source;
  const at = `identityProviders.${group}.${name}`;
  const config = `${at}.registration.openIdConnectConfiguration`;
  if (!new RegExp(providerNamePattern).test(name)) read.problem(at, 'a name has letters, digits, - and _ only, at most 64');
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
