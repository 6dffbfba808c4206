import type { ConfigReader } from './reader.js';

/** Properties of the cloud's that mean nothing outside of it, and why. */
const reasons: Readonly<Record<string, string>> = {
  'platform.runtimeVersion': 'this program is its own version',
  'platform.configFilePath': 'the configuration is this file',
  'identityProviders.azureActiveDirectory.isAutoProvisioned': 'registrations are not made here',
  'identityProviders.azureStaticWebApps': 'this provider exists in its own product only',
  'login.tokenStore.fileSystem.directory': '--token-store says where entries are kept',
};

/** Warns of every property that is set and changes nothing. */
export function warnOfWithoutEffect(read: ConfigReader): void {
  for (const [path, reason] of Object.entries(reasons))
    if (read.at(path) !== undefined && read.flag(`${path}.enabled`) !== false) read.warnings.push(`${path} has no effect: ${reason}`);
  if (read.text('httpSettings.forwardProxy.convention') === 'Custom') return;
  for (const name of ['customHostHeaderName', 'customProtoHeaderName'])
    if (read.text(`httpSettings.forwardProxy.${name}`) !== undefined)
      read.warnings.push(`httpSettings.forwardProxy.${name} has no effect: the convention is not Custom`);
}
