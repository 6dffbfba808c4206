import { providerNamePattern } from '../../../kinds/auth/provider-names.js';
import { isSafeAddress } from './endpoints.js';
import { parsePrivateKey } from '../providers/client-assertion.js';
import { unrestrictedPolicy, reservedParameters, withStandardScopes } from './openid-settings.js';
import { type ProviderSource, validationSettings } from './common-provider-settings.js';
import type { ConfigReader } from './config-reader.js';
import type { ClientAuthMethod, OpenIdSettings } from './settings.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** Any OpenID Connect provider, by discovery or by explicit addresses. */
export function customProviderSettings(
  source: ProviderSource,
  section: string,
  name: string,
): Omit<OpenIdSettings, 'claimsUsedByRules'> {
  const { reader } = source;
  const property = `identityProviders.${section}.${name}`;
  const configProperty = `${property}.registration.openIdConnectConfiguration`;
  if (!new RegExp(providerNamePattern).test(name))
    reader.addProblem(property, 'a name has letters, digits, - and _ only, at most 64');
  const addresses = Object.hasOwn(source.endpoints, name) ? (source.endpoints[name] ?? {}) : {};
  const wellKnown =
    addresses['wellKnown'] ??
    (addresses['issuer'] === undefined
      ? reader.text(`${configProperty}.wellKnownOpenIdConfiguration`)
      : undefined);
  const issuer = addresses['issuer'] ?? reader.text(`${configProperty}.issuer`);
  const authorizationEndpoint =
    addresses['authorization'] ?? reader.text(`${configProperty}.authorizationEndpoint`);
  const tokenEndpoint = addresses['token'] ?? reader.text(`${configProperty}.tokenEndpoint`);
  const jwksUri = addresses['keys'] ?? reader.text(`${configProperty}.certificationUri`);
  for (const [endpointProperty, address] of Object.entries({
    wellKnownOpenIdConfiguration: wellKnown,
    issuer,
    authorizationEndpoint,
    tokenEndpoint,
    certificationUri: jwksUri,
  }))
    if (address !== undefined && !isSafeAddress(address))
      reader.addProblem(
        `${configProperty}.${endpointProperty}`,
        'must be an https URL (http on loopback only)',
      );
  // Discovery takes precedence over explicit addresses, as in the cloud.
  const explicitEndpoints =
    wellKnown === undefined && authorizationEndpoint && tokenEndpoint && jwksUri
      ? { authorizationEndpoint, tokenEndpoint, jwksUri }
      : undefined;
  if (wellKnown === undefined && issuer === undefined)
    reader.addProblem(
      configProperty,
      'needs wellKnownOpenIdConfiguration, or an issuer (with authorizationEndpoint, tokenEndpoint and certificationUri where it has no discovery)',
    );
  const clientSecret = reader.secret(
    `${property}.registration.clientCredential.clientSecretSettingName`,
  );
  const nameClaim = reader.text(`${property}.login.nameClaimType`);
  return {
    key: name,
    pathNames: [name],
    label: name,
    clientId: reader.requiredText(`${property}.registration.clientId`),
    ...clientCredential(reader, property, clientSecret),
    scopes: withStandardScopes(reader.list(`${property}.login.scopes`)),
    ...validationSettings(reader, property),
    protocol: 'openid',
    flavor: 'custom',
    ...omitUndefined({
      issuer,
      wellKnown,
      explicitEndpoints,
      userInfoEndpoint: addresses['user'],
      nameClaim,
    }),
    audiences: [],
    policy: unrestrictedPolicy,
    loginParameters: [],
    forwardedParameters: reader
      .list(`${property}.login.loginParameterNames`)
      .filter((parameter) => !reservedParameters.includes(parameter)),
  };
}

/** The client's secret or private key, and how it is used. */
function clientCredential(
  reader: ConfigReader,
  property: string,
  secret: string | undefined,
): Pick<OpenIdSettings, 'clientSecret' | 'certificate' | 'clientAuthMethod'> {
  const methodProperty = `${property}.registration.clientAuthMethod`;
  const method = reader.text(methodProperty) as ClientAuthMethod | undefined;
  if (method === undefined) return secret === undefined ? {} : { clientSecret: secret };
  const secretProperty = `${property}.registration.clientCredential.clientSecretSettingName`;
  if (reader.text(secretProperty) === undefined)
    reader.addProblem(methodProperty, `needs ${secretProperty}`);
  if (secret === undefined) return { clientAuthMethod: method };
  if (method !== 'private_key_jwt') return { clientSecret: secret, clientAuthMethod: method };
  if (parsePrivateKey(secret) === undefined)
    reader.addProblem(
      secretProperty,
      'for private_key_jwt its secret must be a private key (RSA, or EC on P-256), as PEM or JWK',
    );
  return { certificate: secret, clientAuthMethod: method };
}
