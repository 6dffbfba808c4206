import type { Dialect } from '../../../core/dialect/dialect.js';
import { identityProviders } from '../../../core/dialect/dialect.js';
import type { IdentityProviderKey } from '../../../core/dialect/dialect.js';
import type { Endpoints } from './endpoints.js';
import type { ConfigReader } from './reader.js';
import type { ProviderSettings } from './settings.js';

/** What the settings of a provider are made from. */
export interface ProviderSource {
  readonly read: ConfigReader;
  readonly dialect: Dialect;
  readonly endpoints: Endpoints;
}

/** What most providers call the properties of their registration. */
export const byClientId = { id: 'clientId', secret: 'clientSecretSettingName' };

/** What every provider has. @param names what this one calls its client id and the name of its secret */
export function common(
  source: ProviderSource,
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
