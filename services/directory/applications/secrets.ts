import { parseInstant } from '../../../core/values/instant.js';
import type { ObjectType } from '../kernel/object-type.js';
import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { registrationSecretSchema } from '../../../kinds/registration/registration.js';
import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { badRequest, invalidProperty, ok } from '../http/answers.js';
import type { Directory } from '../kernel/directory.js';
import { isObject } from '../../../core/values/is-object.js';
import type { Body, StoredObject } from '../store/objects.js';
import type { Router } from '../http/router.js';
import { storeKeyCredentials } from './certificates.js';
import { validityPeriod } from './validity-period.js';
import { ownedWriteAccess, requireOwnedObject } from './application-type.js';

/** Hashes of client secrets, stored as records of the application or service principal by key id. */
const secretCollection = 'clientSecrets';

/** How long a secret is valid without `endDateTime`. */
const validYears = 2;

/** A new client secret. */
interface NewSecret {
  /** The entry to store in `passwordCredentials`, without the secret. */
  readonly stored: Body;
  /** The entry with the secret, which only the answer to its creation contains. */
  readonly onlyInAnswer: Body;
  /** The id in both entries, by which the hash is found. */
  readonly keyId: string;
  /** SHA-256 of the secret, in Base64: the only form in which it is stored. */
  readonly hash: string;
}

/**
 * Generates a client secret.
 *
 * @param request the `passwordCredential` of the request, if it has one.
 * @throws DirectoryError 400.
 */
export function newSecret(request: unknown, now: Date): NewSecret {
  const options = request ?? {};
  if (!isObject(options)) throw invalidProperty('passwordCredential', 'an object is expected');
  const mistake =
    options['displayName'] == null
      ? undefined
      : mistakeIn(registrationSecretSchema().properties.displayName, options['displayName']);
  if (mistake) throw invalidProperty('displayName', mistake.message);
  const { startDateTime, endDateTime } = validityPeriod(options, now, validYears);
  // The cloud's secrets have this form: three characters, 8Q~, 34 characters.
  const secretText = `${randomBytes(3).toString('base64url').slice(0, 3)}8Q~${randomBytes(26).toString('base64url').slice(0, 34)}`;
  const keyId = randomUUID();
  const stored = {
    customKeyIdentifier:
      typeof options['customKeyIdentifier'] === 'string' ? options['customKeyIdentifier'] : null,
    displayName: typeof options['displayName'] === 'string' ? options['displayName'] : null,
    endDateTime,
    hint: secretText.slice(0, 3),
    keyId,
    secretText: null,
    startDateTime,
  };
  return { stored, onlyInAnswer: { ...stored, secretText }, keyId, hash: hashOf(secretText) };
}

/** Adds a secret to an object's list and stores its hash. Call in a transaction. */
export async function addSecret(
  directory: Directory,
  object: StoredObject,
  secret: NewSecret,
): Promise<void> {
  await directory.records.put(secretCollection, object.id, secret.keyId, { hash: secret.hash });
  await directory.objects.save(object, {
    ...object.body,
    passwordCredentials: [...secretsOf(object.body), secret.stored],
  });
}

/** Removes a secret and its hash. @throws DirectoryError 400 for an unknown key id. */
async function removeSecret(
  directory: Directory,
  object: StoredObject,
  keyId: unknown,
): Promise<void> {
  if (typeof keyId !== 'string')
    throw badRequest("A value is required for property 'keyId'.", 'keyId');
  const target = keyId.toLowerCase();
  const others = secretsOf(object.body).filter(
    (secret) => String(secret['keyId']).toLowerCase() !== target,
  );
  if (others.length === secretsOf(object.body).length)
    throw badRequest(`No password credential found with keyId '${keyId}'.`, 'keyId');
  await directory.records.remove(secretCollection, object.id, target);
  await directory.objects.save(object, { ...object.body, passwordCredentials: others });
}

/**
 * Splits a change into the credentials that the object will have and the other values, and stores
 * the keys of new key credentials. Call in a transaction. Secrets that
 * the change repeats stay as they are; omitted ones are removed.
 *
 * @throws DirectoryError 400 for a new secret of an application.
 */
export async function applyCredentialChanges(
  directory: Directory,
  { id, type, body }: StoredObject,
  { keyCredentials, passwordCredentials, ...otherValues }: Body,
): Promise<{ readonly otherValues: Body; readonly credentials: Body }> {
  const credentials = Array.isArray(passwordCredentials)
    ? passwordCredentials.filter(isObject)
    : [];
  const keyIds = credentials.map((entry) => String(entry['keyId']).toLowerCase());
  const secrets = secretsOf(body).filter((secret) =>
    keyIds.includes(String(secret['keyId']).toLowerCase()),
  );
  // Those of service principals may come with a signing certificate of the client's own.
  if (type === 'application' && secrets.length < credentials.length)
    throw badRequest(
      'New password credentials must be generated with service actions: use addPassword.',
      'passwordCredentials',
    );
  return {
    otherValues,
    credentials: {
      ...(keyCredentials !== undefined && {
        keyCredentials: await storeKeyCredentials(directory, id, body, keyCredentials),
      }),
      ...(passwordCredentials !== undefined && { passwordCredentials: secrets }),
    },
  };
}

/**
 * Whether a client id and secret match and the secret is valid at this time; used by the token
 * issuer.
 *
 * @param appId the client id.
 */
export async function verifyClientSecret(
  directory: Directory,
  appId: string,
  secret: string,
): Promise<boolean> {
  const holders = [
    ...(await directory.objects.findBy('application', 'app_id', appId)),
    ...(await directory.objects.findBy('servicePrincipal', 'app_id', appId)),
  ];
  const now = directory.clock.now().getTime();
  const hash = Buffer.from(hashOf(secret));
  for (const holder of holders)
    for (const credential of secretsOf(holder.body)) {
      const isValidNow =
        parseInstant(String(credential['startDateTime'])) <= now &&
        now < parseInstant(String(credential['endDateTime']));
      const hashRecord = isValidNow
        ? await directory.records.get(secretCollection, holder.id, String(credential['keyId']))
        : undefined;
      if (hashRecord && timingSafeEqual(Buffer.from(String(hashRecord.body['hash'])), hash))
        return true;
    }
  return false;
}

function secretsOf(body: Body): readonly Body[] {
  const { passwordCredentials } = body;
  return Array.isArray(passwordCredentials) ? passwordCredentials.filter(isObject) : [];
}

/** Secrets are random and long, not chosen by people, so a plain hash is safe. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}

/** Adds the operations `addPassword` and `removePassword` of a collection. */
export function addSecretOperations(router: Router, type: ObjectType): void {
  const path = `/${type.collection}`;
  const access = ownedWriteAccess(type);
  router.on('POST', `${path}/{id}/addPassword`, access, async (request) => {
    const { directory } = request;
    const secret = newSecret(request.optionalJson()['passwordCredential'], directory.clock.now());
    await directory.sql.transaction(async () => {
      await addSecret(directory, await requireOwnedObject(request, type), secret);
    });
    return ok(
      request.withContext(`${directory.namespace}.passwordCredential`, secret.onlyInAnswer),
    );
  });
  router.on('POST', `${path}/{id}/removePassword`, access, (request) => {
    const { keyId } = request.json();
    return request.runInTransaction(async () =>
      removeSecret(request.directory, await requireOwnedObject(request, type), keyId),
    );
  });
}
