import { X509Certificate, randomUUID } from 'node:crypto';
import { badRequest } from '../http/answers.js';
import type { Directory } from '../kernel/directory.js';
import { isObject } from '../../../core/values/is-object.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Body, StoredObject } from '../store/objects.js';
import { formatInstant } from '../kernel/presentation.js';

/** Key material, stored as records of the application or service principal by key id. */
const keyCollection = 'keys';

/**
 * Stores the keys of an object's new key credentials, deletes those of removed ones, and returns the
 * new credentials. Clients send the whole list; an entry whose `key` is null keeps the stored key of
 * its `keyId`. Dates, thumbprint and subject of new certificates are filled in. Call in a
 * transaction.
 *
 * @throws DirectoryError 400 for an unreadable certificate, or an entry without key whose id is
 *   unknown.
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
    const keyId = typeof entry['keyId'] === 'string' ? entry['keyId'] : randomUUID();
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

function parseKey(entry: Body, key: string, now: Date): { key: string; entry: Body } {
  const start = typeof entry['startDateTime'] === 'string' ? entry['startDateTime'] : undefined;
  const end = typeof entry['endDateTime'] === 'string' ? entry['endDateTime'] : undefined;
  const usage = entry['usage'] ?? 'Verify';
  const common = { type: entry['type'] ?? 'AsymmetricX509Cert', usage, key: null };
  if (common.type !== 'AsymmetricX509Cert') {
    const startOrNow = start ?? formatInstant(now);
    return {
      key,
      entry: {
        customKeyIdentifier: entry['customKeyIdentifier'] ?? null,
        displayName: entry['displayName'] ?? null,
        ...common,
        startDateTime: startOrNow,
        endDateTime: end ?? addYears(startOrNow, 1),
      },
    };
  }
  const certificate = parseCertificate(key);
  return {
    key: certificate.raw.toString('base64'),
    entry: {
      customKeyIdentifier: Buffer.from(certificate.fingerprint.replaceAll(':', ''), 'hex').toString(
        'base64',
      ),
      displayName: entry['displayName'] ?? certificate.subject.replaceAll('\n', ', '),
      ...common,
      startDateTime: start ?? formatInstant(new Date(certificate.validFrom)),
      endDateTime: end ?? formatInstant(new Date(certificate.validTo)),
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

/** The same day some years later. */
export function addYears(start: string, years: number): string {
  const date = new Date(start);
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return formatInstant(date);
}
