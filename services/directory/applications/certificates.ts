import { X509Certificate, randomUUID } from 'node:crypto';
import { isGuid } from '../../../core/values/guid.js';
import { badRequest, invalidProperty } from '../http/answers.js';
import type { Directory } from '../kernel/directory.js';
import { isObject } from '../../../core/values/is-object.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Body, StoredObject } from '../store/objects.js';
import { validityPeriod } from './validity-period.js';

/** Key material, stored as records of the application or service principal by key id. */
const keyCollection = 'keys';

/**
 * Stores the keys of an object's new key credentials, deletes those of removed ones, and returns the
 * new credentials. Clients send the whole list; an entry whose `key` is null keeps the stored key of
 * its `keyId`. Dates, thumbprint and subject of new certificates are filled in. Call in a
 * transaction.
 *
 * @throws DirectoryError 400 for an invalid value, an unreadable certificate, an entry without key
 *   whose id is unknown, or an id that two entries have.
 */
export async function storeKeyCredentials(
  directory: Directory,
  ownerId: string,
  current: Body,
  values: unknown,
): Promise<readonly Body[]> {
  const entries = Array.isArray(values) ? values.filter(isObject) : [];
  const currentKeys = new Map(
    keyCredentialsOf(current).map((entry) => [String(entry['keyId']).toLowerCase(), entry]),
  );
  const next: Body[] = [];
  for (const entry of entries) {
    const keyId = entry['keyId'] ?? randomUUID();
    if (!isGuid(keyId)) throw invalidProperty('keyId', 'a GUID is expected');
    const existing = currentKeys.get(keyId.toLowerCase());
    if (typeof entry['key'] === 'string') {
      const parsedKey = parseKey(entry, entry['key'], directory.clock.now());
      await directory.records.put(keyCollection, ownerId, keyId.toLowerCase(), {
        key: parsedKey.key,
      });
      next.push({ ...parsedKey.entry, keyId });
    } else if (existing) next.push(existing);
    else throw badRequest(`The key credential '${keyId}' has no key.`, 'keyCredentials');
  }
  const keyIds = new Set(next.map((entry) => String(entry['keyId']).toLowerCase()));
  if (keyIds.size < next.length)
    throw badRequest('Request contains a property with duplicate values.', 'keyCredentials');
  for (const keyId of currentKeys.keys())
    if (!keyIds.has(keyId)) await directory.records.remove(keyCollection, ownerId, keyId);
  return next;
}

/** Stores the key of an entry that the service created. */
export async function storeKey(
  directory: Directory,
  ownerId: string,
  keyId: string,
  der: string,
): Promise<void> {
  await directory.records.put(keyCollection, ownerId, keyId.toLowerCase(), { key: der });
}

/** Adds the keys, as base64 of DER, to an answer whose `$select` names the key credentials. */
export async function withKeyMaterial(
  { directory, options }: DirectoryRequest,
  object: StoredObject,
  view: Body,
): Promise<Body> {
  if (!options.select?.includes('keyCredentials')) return view;
  const keyCredentials: Body[] = [];
  for (const entry of keyCredentialsOf(object.body)) {
    const material = await directory.records.get(
      keyCollection,
      object.id,
      String(entry['keyId']).toLowerCase(),
    );
    keyCredentials.push({
      ...entry,
      key: entry['usage'] === 'Sign' ? null : (material?.body['key'] ?? null),
    });
  }
  return { ...view, keyCredentials };
}

const keyTypes: readonly unknown[] = ['AsymmetricX509Cert', 'X509CertAndPassword', 'Symmetric'];
const keyUsages: readonly unknown[] = ['Sign', 'Verify', 'Encrypt'];
/** How long a key that is no certificate is valid without `endDateTime`. */
const validYears = 1;

/** @throws DirectoryError 400. */
function parseKey(entry: Body, key: string, now: Date): { key: string; entry: Body } {
  const type = entry['type'] ?? 'AsymmetricX509Cert';
  const usage = entry['usage'] ?? 'Verify';
  if (!keyTypes.includes(type)) throw invalidProperty('type', `allowed are ${keyTypes.join(', ')}`);
  if (!keyUsages.includes(usage))
    throw invalidProperty('usage', `allowed are ${keyUsages.join(', ')}`);
  const common = { type, usage, key: null };
  if (type !== 'AsymmetricX509Cert')
    return {
      key,
      entry: {
        customKeyIdentifier: entry['customKeyIdentifier'] ?? null,
        displayName: entry['displayName'] ?? null,
        ...common,
        ...validityPeriod(entry, now, validYears),
      },
    };
  const { raw, fingerprint, subject, validFrom, validTo } = parseCertificate(key);
  return {
    key: raw.toString('base64'),
    entry: {
      customKeyIdentifier: Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64'),
      displayName: entry['displayName'] ?? subject.replaceAll('\n', ', '),
      ...common,
      ...validityPeriod(entry, new Date(validFrom), new Date(validTo)),
    },
  };
}

/** @param key base64 of PEM text or of DER, or PEM text itself. */
function parseCertificate(key: string): X509Certificate {
  try {
    return new X509Certificate(key.includes('-----BEGIN') ? key : Buffer.from(key, 'base64'));
  } catch {
    throw badRequest(
      'Key credential is invalid: the key is not a certificate in PEM or DER.',
      'keyCredentials',
      'KeyCredentialsInvalidCertificate',
    );
  }
}

function keyCredentialsOf(body: Body): readonly Body[] {
  const { keyCredentials } = body;
  return Array.isArray(keyCredentials) ? keyCredentials.filter(isObject) : [];
}
