import { isObject } from '../../../core/values/is-object.js';
import { customProvider } from './custom-provider-settings.js';
import { codehost, microblog, social } from './oauth-settings.js';
import { apple, directory, personal, search } from './openid-settings.js';
import type { ProviderSource } from './provider-source.js';
import type { ConfigReader } from './reader.js';
import { decisiveNames } from './requirements.js';
import type { ProviderSettings, Requirement } from './settings.js';

/** A provider before the names that rules read are collected. */
type Undecided<Each = ProviderSettings> = Each extends ProviderSettings
  ? Omit<Each, 'decisive'>
  : never;

/** Every enabled provider of the configuration. @param requirements rules by path. @param emailDomains admitted domains */
export function providerSettings(
  source: ProviderSource,
  requirements: readonly Requirement[],
  emailDomains: readonly string[],
): ProviderSettings[] {
  const { reader } = source;
  const enabled = (key: string): boolean =>
    isObject(reader.at(`identityProviders.${key}`)) &&
    reader.boolean(`identityProviders.${key}.enabled`) !== false;
  const providers: Undecided[] = [];
  if (enabled('azureActiveDirectory')) providers.push(directory(source));
  if (enabled('legacyMicrosoftAccount')) providers.push(personal(source));
  if (enabled('google')) providers.push(search(source));
  if (enabled('facebook')) providers.push(social(source));
  if (enabled('gitHub')) providers.push(codehost(source));
  if (enabled('twitter')) providers.push(microblog(source));
  if (enabled('apple')) providers.push(apple(source));
  for (const group of ['customOpenIdConnectProviders', 'openIdConnectProviders']) {
    const custom = reader.at(`identityProviders.${group}`);
    for (const name of isObject(custom) ? Object.keys(custom) : []) {
      if (reader.boolean(`identityProviders.${group}.${name}.enabled`) !== false)
        providers.push(customProvider(source, group, name));
    }
  }
  reportDoubleWords(reader, providers);
  return providers.map(
    (provider) =>
      ({
        ...provider,
        decisive: decisiveNames(provider, requirements, emailDomains),
      }) as ProviderSettings,
  );
}

function reportDoubleWords(reader: ConfigReader, providers: readonly Undecided[]): void {
  const previous = new Set<string>();
  for (const provider of providers) {
    for (const word of provider.pathNames) {
      if (previous.has(word))
        reader.problem(
          `identityProviders.${provider.key}`,
          `the name "${word}" is taken by another provider`,
        );
      previous.add(word);
    }
  }
}
