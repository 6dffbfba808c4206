import {
  type Dialect,
  type IdentityProviderKey,
  identityProviders,
} from '../../../core/dialect/dialect.js';
import { isObject } from '../../../core/values/is-object.js';
import type { Endpoints } from './endpoints.js';
import type { ConfigReader } from './config-reader.js';
import type { AccessRules, CommonProviderSettings } from './settings.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** What the settings of a provider are read from. */
export interface ProviderSource {
  readonly reader: ConfigReader;
  readonly dialect: Dialect;
  /** Addresses of `--endpoints`, which override those of the configuration. */
  readonly endpoints: Endpoints;
}

/** The name of each provider on pages, after "Sign in with". */
const labels: Readonly<Record<IdentityProviderKey, Readonly<Record<Dialect, string>>>> = {
  azureActiveDirectory: { neutral: 'the directory', azure: 'Microsoft Entra ID' },
  legacyMicrosoftAccount: { neutral: 'a personal account', azure: 'a Microsoft account' },
  google: { neutral: 'the search engine', azure: 'Google' },
  facebook: { neutral: 'the social network', azure: 'Facebook' },
  gitHub: { neutral: 'the code host', azure: 'GitHub' },
  twitter: { neutral: 'the microblog', azure: 'X' },
  apple: { neutral: 'Apple', azure: 'Apple' },
};

/** The properties with the client id and the secret's name in the registration of most providers. */
export const clientIdProperties = { id: 'clientId', secret: 'clientSecretSettingName' };

/**
 * The settings that all providers have in common.
 *
 * @param properties the properties of the registration with the client id and the secret's name.
 */
export function commonSettings(
  source: ProviderSource,
  key: IdentityProviderKey,
  properties: { id: string; secret: string },
): Omit<CommonProviderSettings, 'claimsUsedByRules'> {
  const property = `identityProviders.${key}`;
  const clientSecret = source.reader.secret(`${property}.registration.${properties.secret}`);
  return {
    key,
    pathNames: identityProviders[key][source.dialect] as unknown as readonly [string, ...string[]],
    label: labels[key][source.dialect],
    clientId: source.reader.requiredText(`${property}.registration.${properties.id}`),
    ...omitUndefined({ clientSecret }),
    scopes: source.reader.list(`${property}.login.scopes`),
    ...validationSettings(source.reader, property),
  };
}

/**
 * `validation` of a provider: which of the people whom it signs in are admitted, and whether
 * their `email` claim counts as verified although the provider does not say so.
 */
export function validationSettings(
  reader: ConfigReader,
  property: string,
): { readonly trustsEmail: boolean; readonly rules: AccessRules } {
  return {
    trustsEmail: reader.boolean(`${property}.validation.trustsEmail`) === true,
    rules: {
      groups: reader.allowList(`${property}.validation.allowedGroups`),
      claims: requiredClaims(reader, `${property}.validation.requiredClaims`),
    },
  };
}

/** Claims with their allowed values. A claim without values is a problem: it would admit no one. */
export function requiredClaims(reader: ConfigReader, property: string): AccessRules['claims'] {
  const claims = reader.value(property);
  if (!isObject(claims)) return {};
  return Object.fromEntries(
    Object.keys(claims).map((name) => {
      const values = reader.listIn(claims, name);
      if (values.length === 0)
        reader.addProblem(`${property}.${name}`, 'must list at least one value that is let in');
      return [name, values];
    }),
  );
}
