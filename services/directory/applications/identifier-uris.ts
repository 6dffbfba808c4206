import { conflict } from '../http/errors.js';
import type { Stores } from '../store/stores.js';
import { fold } from '../odata/index.js';
import type { Body } from '../store/objects.js';

/** Which application uses an identifier URI: things of the tenant, by the folded URI. */
const collection = 'identifierUris';

/**
 * Holds the identifier URIs of an application against uniqueness in the tenant, itself included.
 *
 * @throws DirectoryError 400.
 */
export async function checkIdentifierUris(directory: Stores, uris: unknown, ownId: string): Promise<void> {
  const seen = new Set<string>();
  for (const uri of urisOf(uris)) {
    const key = fold(uri);
    const user = await directory.items.get(collection, '', key);
    if (seen.has(key) || (user && user.body['applicationId'] !== ownId))
      throw conflict('identifierUris', 'Another object with the same value for property identifierUris already exists.');
    seen.add(key);
  }
}

/** Follows an application's URIs as it is created, changed and deleted. */
export async function followIdentifierUris(
  directory: Stores,
  id: string,
  before: Body | undefined,
  after: Body | undefined,
): Promise<void> {
  const [old, fresh] = [urisOf(before?.['identifierUris']), urisOf(after?.['identifierUris'])];
  if (old.join('\n') === fresh.join('\n') && before && after) return;
  for (const uri of old) await directory.items.remove(collection, '', fold(uri));
  for (const uri of fresh) await directory.items.put(collection, '', fold(uri), { applicationId: id });
}

function urisOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
