import type { ConfigReader } from './reader.js';

/** Properties that have a meaning only in the cloud, and why. */
const reasons: Readonly<Record<string, string>> = {
  'platform.runtimeVersion': 'this program is its own version',
  'platform.configFilePath': 'the configuration is this file',
  'identityProviders.azureActiveDirectory.isAutoProvisioned': 'registrations are not made here',
  'identityProviders.azureStaticWebApps': 'this provider exists in its own product only',
  'login.tokenStore.fileSystem.directory': '--token-store says where entries are kept',
};

/** Warns about every property that is set and has no effect. */
export function warnOfIneffectiveSettings(reader: ConfigReader): void {
  for (const [path, reason] of Object.entries(reasons))
    if (reader.at(path) !== undefined && reader.boolean(`${path}.enabled`) !== false)
      reader.warnings.push(`${path} has no effect: ${reason}`);
  if (reader.text('httpSettings.forwardProxy.convention') === 'Custom') return;
  for (const name of ['customHostHeaderName', 'customProtoHeaderName'])
    if (reader.text(`httpSettings.forwardProxy.${name}`) !== undefined)
      reader.warnings.push(
        `httpSettings.forwardProxy.${name} has no effect: the convention is not Custom`,
      );
}
