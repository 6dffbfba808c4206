import type { ConfigReader } from './config-reader.js';

/** Properties that have a meaning only in the cloud, and why. */
const reasons: Readonly<Record<string, string>> = {
  'platform.runtimeVersion': 'the version is that of the installed sidecar',
  'platform.configFilePath': 'the configuration is read from this file',
  'identityProviders.azureActiveDirectory.isAutoProvisioned':
    'the sidecar does not create registrations',
  'identityProviders.azureStaticWebApps': 'this provider exists in Static Web Apps only',
  'login.tokenStore.fileSystem.directory': '--token-store sets where entries are stored',
};

/** Warns about every property that is set and has no effect. */
export function warnAboutIneffectiveSettings(reader: ConfigReader): void {
  for (const [path, reason] of Object.entries(reasons))
    if (reader.value(path) !== undefined && reader.boolean(`${path}.enabled`) !== false)
      reader.warnings.push(`${path} has no effect: ${reason}`);
  if (reader.text('httpSettings.forwardProxy.convention') === 'Custom') return;
  for (const name of ['customHostHeaderName', 'customProtoHeaderName'])
    if (reader.text(`httpSettings.forwardProxy.${name}`) !== undefined)
      reader.warnings.push(
        `httpSettings.forwardProxy.${name} has no effect: the convention is not Custom`,
      );
}
