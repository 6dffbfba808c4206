import { clientSecretsOf } from '../../../../cli/commands/adopt/client-secrets.js';
import type { DirectoryClient } from '../../../../clients/directory/index.js';
import type { PlannedResource } from '../../../../policies/engine/planned-resource.js';
import { unchangedResource } from '../../../../policies/sources/state/read-state.js';

const resource = (type: string, values: Record<string, unknown>): PlannedResource =>
  unchangedResource(
    { address: `${type}.shop`, mode: 'managed', type, name: 'shop', providerName: '' },
    values,
  );
const registration = { clientId: 'client', clientSecretSettingName: 'login-secret' };
const resources = [
  resource('azurerm_container_app', {
    secret: [
      { name: 'api-key', value: 'xyz' },
      { name: 'login-secret', value: 'abcdef' },
    ],
  }),
  resource('azapi_resource', {
    body: { properties: { identityProviders: { azureActiveDirectory: { registration } } } },
  }),
];

describe('the client secrets of registrations that apps use', () => {
  const filters: unknown[] = [];
  const keysWithSecret = async (...hints: (string | null)[]): Promise<unknown> => {
    const passwordCredentials = hints.map((hint, index) => ({ keyId: `key-${index}`, hint }));
    async function* list({ filter }: { filter: string }) {
      filters.push(filter);
      yield await Promise.resolve({ id: 'app', passwordCredentials });
    }
    const directory = { applications: { list } } as unknown as DirectoryClient;
    return clientSecretsOf(resources, directory);
  };

  it('are those of the credential whose hint begins the secret', async () => {
    expect(await keysWithSecret('xyz', 'abc', null)).toEqual({
      'app/password/key-1': { value: 'abcdef' },
    });
    expect(filters).toEqual(["appId eq 'client'"]);
  });

  it('are those of the only credential, if it has no hint', async () => {
    expect(await keysWithSecret(null)).toEqual({ 'app/password/key-0': { value: 'abcdef' } });
    expect(await keysWithSecret('xyz')).toEqual({});
  });

  it('are not known if several credentials may have them', async () => {
    expect(await keysWithSecret('abc', 'abc')).toEqual({});
    expect(await keysWithSecret(null, null)).toEqual({});
    expect(await keysWithSecret(null, 'xyz')).toEqual({});
  });
});
