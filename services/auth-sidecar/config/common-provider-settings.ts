import {
  type Dialect,
  type IdentityProviderKey,
  identityProviders,
} from '../../../core/dialect/dialect.js';
import { isObject } from '../../../core/values/is-object.js';
import type { Endpoints } from './endpoints.js';
import type { ConfigReader } from './reader.js';
import type { AccessRules, CommonProviderSettings } from './settings.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** The inputs of a provider's settings. */
export interface ProviderSource {
  readonly reader: ConfigReader;
  readonly dialect: Dialect;
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

/** The usual names of a registration's properties. */
export const byClientId = { id: 'clientId', secret: 'clientSecretSettingName' };

/**
 * The settings of every provider. @param names the provider's names of the client id and the secret
 */
export function commonSettings(
  source: ProviderSource,
  key: IdentityProviderKey,
  names: { id: string; secret: string },
): Omit<CommonProviderSettings, 'decisive'> {
  const at = `identityProviders.${key}`;
  const clientSecret = source.reader.secret(`${at}.registration.${names.secret}`);
  return {
    key,
    pathNames: identityProviders[key][source.dialect] as unknown as readonly [string, ...string[]],
    label: labels[key][source.dialect],
    clientId: source.reader.required(`${at}.registration.${names.id}`),
    ...omitUndefined({ clientSecret }),
    scopes: source.reader.list(`${at}.login.scopes`),
    ...validationOf(source.reader, at),
  };
}

/** `validation` of a provider: the rules for the people whom it signs in. */
export function validationOf(
  reader: ConfigReader,
  at: string,
): { readonly trustsEmail: boolean; readonly rules: AccessRules } {
  return {
    trustsEmail: reader.boolean(`${at}.validation.trustsEmail`) === true,
    rules: {
      groups: reader.admitted(`${at}.validation.allowedGroups`),
      claims: claimRules(reader, `${at}.validation.requiredClaims`),
    },
  };
}

/** Claims with their allowed values. A claim without values would admit no one: a problem. */
export function claimRules(reader: ConfigReader, at: string): AccessRules['claims'] {
  const names = reader.at(at);
  if (!isObject(names)) return {};
  return Object.fromEntries(
    Object.keys(names).map((name) => {
      const values = reader.listIn(names, name);
      if (values.length === 0)
        reader.problem(`${at}.${name}`, 'must list at least one value that is let in');
      return [name, values];
    }),
  );
}
