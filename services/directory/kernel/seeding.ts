import { derivedId } from '../../../core/values/derived-id.js';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { SeedEntry } from '../../common/seed.js';
import type { Body, LookupColumn, StoredObject } from '../store/objects.js';
import type { Directory } from './directory.js';
import type { ObjectType } from './object-type.js';
import { plainProperties } from './references.js';
import { isGuid } from '../../../core/values/guid.js';

/** Options for creating an object from a seed entry. */
interface SeedRules {
  /** The list's name in messages, such as `users`. */
  readonly list: string;
  /** Properties that are not stored in the object, such as `authenticationMethods`. */
  readonly notStored?: readonly string[];
  /**
   * The property, with its column, that identifies an entry without an id on a second start.
   *
   * @default the type's alternate key
   */
  readonly uniqueKey?: { readonly property: string; readonly column: LookupColumn };
  /** Makes the error for an entry with an id whose key another object has. @default no error */
  readonly conflict?: (key: string, existingId: string, seededId: string) => CastellanError;
  /** Adds the default values of an object to an entry. */
  readonly withDefaults: (entry: Body, id: string) => Body;
}

/**
 * Stores the object of a seed entry unless it exists (or was deleted since).
 *
 * @returns the new object, or undefined if there was nothing to do.
 * @throws CAS4002 for an id that isn't a GUID.
 */
export async function seedObject(
  directory: Directory,
  type: ObjectType,
  entry: SeedEntry,
  rules: SeedRules,
): Promise<StoredObject | undefined> {
  const ownId = validatedId(rules.list, entry);
  const id = ownId ?? derivedSeedId(rules.list, entry);
  if ((await directory.objects.get(id)) ?? (await directory.deletion.findDeleted(id)))
    return undefined;
  const uniqueKey = rules.uniqueKey ?? alternateKeyOf(type);
  const keyValue = uniqueKey && entry[uniqueKey.property];
  const [existing] =
    uniqueKey && typeof keyValue === 'string'
      ? await directory.objects.findBy(type.name, uniqueKey.column, keyValue)
      : [];
  if (existing && ownId === undefined) return undefined;
  if (existing && rules.conflict) throw rules.conflict(String(keyValue), existing.id, id);
  const properties = plainProperties(entry);
  for (const name of ['id', ...(rules.notStored ?? [])]) delete properties[name];
  for (const name of Object.keys(properties))
    if (name.startsWith('odata.')) delete properties[name];
  return directory.objects.create(type, id, rules.withDefaults(properties, id));
}

function alternateKeyOf({ alternateKeys = {} }: ObjectType): SeedRules['uniqueKey'] {
  const [key] = Object.entries(alternateKeys);
  return key && { property: key[0], column: key[1] };
}

/** The id of an entry, in lower case. @throws CAS4002 for one that isn't a GUID. */
export function validatedId(list: string, { id }: SeedEntry): string | undefined {
  if (id === undefined) return undefined;
  if (!isGuid(id))
    throw new CastellanError('CAS4002', `${list}: the id ${JSON.stringify(id)} is not a GUID`);
  return id.toLowerCase();
}

/**
 * Finds the target of a seeded reference by id or user principal name.
 *
 * @throws CAS4002 when there is none.
 */
export async function resolveSeedReference(
  directory: Directory,
  list: string,
  reference: unknown,
): Promise<StoredObject> {
  const text = typeof reference === 'string' ? reference : '';
  const object = isGuid(text)
    ? await directory.objects.get(text)
    : (await directory.objects.findBy('user', 'user_principal_name', text))[0];
  if (object) return object;
  throw new CastellanError(
    'CAS4002',
    `${list}: ${JSON.stringify(reference)} is neither the id of an object nor a user principal name`,
  );
}

/** A deterministic id for an entry without one, so that a second start finds the object. */
export function derivedSeedId(list: string, entry: SeedEntry): string {
  return derivedId(`${list}\n${JSON.stringify(entry)}`);
}
