import { isObject } from '../../../core/values/is-object.js';
import { customProviderSettings } from './custom-provider-settings.js';
import { codehostSettings, microblogSettings, socialSettings } from './oauth-settings.js';
import {
  appleSettings,
  directorySettings,
  personalSettings,
  searchSettings,
} from './openid-settings.js';
import type { ProviderSource } from './common-provider-settings.js';
import type { ConfigReader } from './config-reader.js';
import { claimsUsedByRulesOf } from './requirements.js';
import type { ProviderSettings, Requirement } from './settings.js';

/** The settings of a provider before the claims that rules read are collected. */
type WithoutClaimsUsedByRules<Each = ProviderSettings> = Each extends ProviderSettings
  ? Omit<Each, 'claimsUsedByRules'>
  : never;

/**
 * The settings of every enabled provider.
 *
 * @param requirements the requirements by path, whose claims and groups the providers keep.
 * @param emailDomains the admitted domains of e-mail addresses.
 */
export function providerSettings(
  source: ProviderSource,
  requirements: readonly Requirement[],
  emailDomains: readonly string[],
): ProviderSettings[] {
  const { reader } = source;
  const isEnabled = (key: string): boolean =>
    isObject(reader.value(`identityProviders.${key}`)) &&
    reader.boolean(`identityProviders.${key}.enabled`) !== false;
  const providers: WithoutClaimsUsedByRules[] = [];
  if (isEnabled('azureActiveDirectory')) providers.push(directorySettings(source));
  if (isEnabled('legacyMicrosoftAccount')) providers.push(personalSettings(source));
  if (isEnabled('google')) providers.push(searchSettings(source));
  if (isEnabled('facebook')) providers.push(socialSettings(source));
  if (isEnabled('gitHub')) providers.push(codehostSettings(source));
  if (isEnabled('twitter')) providers.push(microblogSettings(source));
  if (isEnabled('apple')) providers.push(appleSettings(source));
  for (const section of ['customOpenIdConnectProviders', 'openIdConnectProviders']) {
    const customProviders = reader.value(`identityProviders.${section}`);
    for (const name of isObject(customProviders) ? Object.keys(customProviders) : []) {
      if (reader.boolean(`identityProviders.${section}.${name}.enabled`) !== false)
        providers.push(customProviderSettings(source, section, name));
    }
  }
  reportDuplicateNames(reader, providers);
  return providers.map(
    (provider) =>
      ({
        ...provider,
        claimsUsedByRules: claimsUsedByRulesOf(provider, requirements, emailDomains),
      }) as ProviderSettings,
  );
}

function reportDuplicateNames(
  reader: ConfigReader,
  providers: readonly WithoutClaimsUsedByRules[],
): void {
  const takenNames = new Set<string>();
  for (const provider of providers) {
    // Sessions name their provider by its key.
    for (const name of new Set([provider.key, ...provider.pathNames])) {
      if (takenNames.has(name))
        reader.addProblem(
          `identityProviders.${provider.key}`,
          `the name "${name}" is taken by another provider`,
        );
      takenNames.add(name);
    }
  }
}
