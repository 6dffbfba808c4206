import { type Application, type DirectoryClient, quote } from '../../../clients/directory/index.js';
import { valueAtPath } from '../../../kinds/schema/path-steps.js';
import type { PlannedResource } from '../../../policies/engine/planned-resource.js';

/**
 * The client secrets of registrations, from the secrets of the apps that use them: the directory does
 * not return them.
 *
 * @returns the secrets by their addresses in the journal, `{object id}/password/{key id}`.
 */
export async function clientSecretsOf(
  resources: readonly PlannedResource[],
  directory: Pick<DirectoryClient, 'applications'>,
): Promise<Record<string, { readonly value: string }>> {
  const secrets: Record<string, { readonly value: string }> = {};
  for (const authConfig of resources.filter(({ type }) => type === 'azapi_resource')) {
    const registration = valueAtPath(authConfig.after, [
      'body',
      'properties',
      'identityProviders',
      'azureActiveDirectory',
      'registration',
    ]);
    const clientId = valueAtPath(registration, ['clientId']);
    const secretName = valueAtPath(registration, ['clientSecretSettingName']);
    const app = resources.find(
      ({ type, name: appName }) => type === 'azurerm_container_app' && appName === authConfig.name,
    );
    const appSecrets = (valueAtPath(app?.after, ['secret']) ?? []) as readonly {
      readonly name: string;
      readonly value?: string;
    }[];
    const value = appSecrets.find((each) => each.name === secretName)?.value;
    if (typeof clientId !== 'string' || value === undefined) continue;
    const applications = directory.applications.list({ filter: `appId eq ${quote(clientId)}` });
    for await (const { id, passwordCredentials = [] } of applications) {
      const credential = credentialOf(value, passwordCredentials);
      if (credential !== undefined) secrets[`${id}/password/${credential.keyId}`] = { value };
    }
  }
  return secrets;
}

/**
 * The credential whose secret is `value`: the only one whose hint (the first characters of its
 * secret) it has, else the only one there is, if that has no hint.
 */
function credentialOf(
  value: string,
  credentials: NonNullable<Application['passwordCredentials']>,
): (typeof credentials)[number] | undefined {
  const hinted = credentials.filter(({ hint }) => Boolean(hint) && value.startsWith(hint ?? ''));
  const candidates =
    hinted.length === 0 && credentials.every(({ hint }) => !hint) ? credentials : hinted;
  return candidates.length === 1 ? candidates[0] : undefined;
}
