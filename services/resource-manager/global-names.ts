import { conflict } from './errors.js';
import { entryOf } from './json.js';
import { resourceKey, type ResourceStore, type StoredResource } from './store.js';

/** The codes of the errors for a taken name, by the types whose names are unique in the cloud. */
const codesByType: Readonly<Record<string, string>> = {
  'microsoft.containerregistry/registries': 'AlreadyInUse',
  'microsoft.keyvault/vaults': 'VaultAlreadyExists',
  'microsoft.storage/storageaccounts': 'StorageAccountAlreadyTaken',
};

/** The resource of a type that has a name, in any group, subscription and letter case. */
export async function findResourceByName(
  store: ResourceStore,
  type: string,
  name: string,
): Promise<StoredResource | undefined> {
  const resources = await store.list({ type });
  return resources.find((each) => resourceKey(each.name) === resourceKey(name));
}

/**
 * Refuses the name of a new resource that another one has, where names are part of an address and so
 * unique in the cloud.
 *
 * @throws ArmError 409
 */
export async function requireFreeName(
  store: ResourceStore,
  type: string,
  name: string,
): Promise<void> {
  const code = entryOf(codesByType, type.toLowerCase());
  const holder = code === undefined ? undefined : await findResourceByName(store, type, name);
  if (code === undefined || holder === undefined) return;
  throw conflict(
    code,
    `The name '${name}' is taken by '${holder.id}': names of this type are unique in the cloud. Give it another one.`,
  );
}
