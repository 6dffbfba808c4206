import { CastellanError } from '../../../core/errors/castellan-error.js';
import { derivedId } from '../../../core/values/derived-id.js';
import type { SeedEntry, SeedLists } from '../../common/seed.js';
import type { Directory } from '../kernel/directory.js';
import type { StoredRecord } from '../store/records.js';
import type { StoredObject } from '../store/objects.js';
import { findSubtype, methodSubtypes, passwordSubtype, phoneIds } from './subtypes.js';

/** The store's collection of a user's methods. */
export const methodCollection = 'authentication-method';
/** A collection with one record for each user whose methods are stored; others have the default. */
const methodsStoredCollection = 'authentication-methods-named';
const phoneTypes = Object.keys(phoneIds);

/** The methods of a user. By default, a user has a password method. */
export async function methodsOf(directory: Directory, user: StoredObject): Promise<StoredRecord[]> {
  const storedMethods = await directory.records.list(methodCollection, user.id);
  if (
    storedMethods.length > 0 ||
    (await directory.records.get(methodsStoredCollection, user.id, 'seed'))
  )
    return storedMethods;
  const { fixedId, name } = passwordSubtype;
  return [
    { id: fixedId, body: { subtype: name, createdDateTime: user.body['createdDateTime'] ?? null } },
  ];
}

/** Stores the default password method before the first change. Call in a transaction. */
export async function storeDefaultMethod(directory: Directory, user: StoredObject): Promise<void> {
  if (await directory.records.get(methodsStoredCollection, user.id, 'seed')) return;
  for (const [index, method] of (await methodsOf(directory, user)).entries())
    await directory.records.put(
      methodCollection,
      user.id,
      method.id,
      method.body,
      String(index).padStart(6, '0'),
    );
  await directory.records.put(methodsStoredCollection, user.id, 'seed', {});
}

/** Stores the methods of seeded users; existing methods stay unchanged. */
export async function seedMethods(directory: Directory, seedLists: SeedLists): Promise<void> {
  for (const entry of seedLists.users ?? []) {
    const methods = entry['authenticationMethods'];
    if (methods === undefined) continue;
    if (!Array.isArray(methods)) throw seedError(entry, 'authenticationMethods must be a list');
    const user = await findSeededUser(directory, entry);
    if (!user || (await directory.records.get(methodsStoredCollection, user.id, 'seed'))) continue;
    await directory.records.put(methodsStoredCollection, user.id, 'seed', {});
    const ids = new Set<string>();
    for (const [index, method] of (methods as SeedEntry[]).entries()) {
      const { id, body } = parseSeededMethod(entry, user, method, index);
      if (ids.has(id))
        throw seedError(
          entry,
          `two authentication methods have the id ${id}: there is one of that kind at most`,
        );
      ids.add(id);
      await directory.records.put(
        methodCollection,
        user.id,
        id,
        body,
        String(index).padStart(6, '0'),
      );
    }
    if (ids.has(phoneIds['alternateMobile'] ?? '') && !ids.has(phoneIds['mobile'] ?? ''))
      throw seedError(entry, 'an alternateMobile phone needs a mobile phone first');
  }
}

function parseSeededMethod(
  entry: SeedEntry,
  user: StoredObject,
  method: SeedEntry,
  index: number,
): StoredRecord {
  const type = method['@odata.type'] ?? method['odata.type'];
  const subtype = typeof type === 'string' ? findSubtype(type) : undefined;
  if (!subtype)
    throw seedError(
      entry,
      `an authentication method names its kind by @odata.type; "${String(type)}" is none of ${methodSubtypes.map((each) => each.name).join(', ')}`,
    );
  const phoneType = method['authenticationPhoneType'] ?? method['phoneType'];
  if (subtype.collection === 'phoneMethods' && !phoneTypes.includes(String(phoneType)))
    throw seedError(
      entry,
      `a phone's type is one of ${phoneTypes.join(', ')}, not "${String(phoneType)}"`,
    );
  const fixedId =
    subtype.collection === 'phoneMethods' ? phoneIds[String(phoneType)] : subtype.fixedId;
  const ownId = typeof method['id'] === 'string' ? method['id'].toLowerCase() : undefined;
  const fields = Object.fromEntries(
    subtype.fields
      .filter((field) => !subtype.secretFields?.includes(field))
      .map((field) => [field, method[field] ?? null]),
  );
  const isTypedPhone = phoneType !== undefined && subtype.collection === 'phoneMethods';
  const body = {
    ...fields,
    subtype: subtype.name,
    createdDateTime: method['createdDateTime'] ?? method['creationDateTime'] ?? null,
    ...(isTypedPhone && { phoneType }),
  };
  return { id: fixedId ?? ownId ?? derivedId(`${user.id}/${index}`), body };
}

async function findSeededUser(
  directory: Directory,
  entry: SeedEntry,
): Promise<StoredObject | undefined> {
  if (typeof entry['id'] === 'string') return directory.objects.getOfType('user', entry['id']);
  const name = entry['userPrincipalName'];
  return typeof name === 'string'
    ? (await directory.objects.findBy('user', 'user_principal_name', name))[0]
    : undefined;
}

function seedError(entry: SeedEntry, reason: string): CastellanError {
  const name =
    entry['userPrincipalName'] ?? entry['displayName'] ?? entry['id'] ?? 'without a name';
  return new CastellanError('CAS4002', `the seeded user "${String(name)}": ${reason}`, {
    details: { list: 'users' },
  });
}
