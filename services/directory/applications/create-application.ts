import { randomUUID } from 'node:crypto';
import { isObject } from '../../../core/values/is-object.js';
import { registration } from '../../../kinds/registration/registration.js';
import { badRequest } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Directory } from '../kernel/directory.js';
import { formatInstant } from '../kernel/presentation.js';
import { boundIds } from '../kernel/references.js';
import { type NewObject } from '../kernel/standard-operations.js';
import { requireObject } from '../kernel/single-object.js';
import { mergeProperties, requireProperties } from '../kernel/body-properties.js';
import type { Body, StoredObject } from '../store/objects.js';
import { applyValuesToApplication } from './application-rules.js';
import {
  applicationDefaults,
  applicationType,
  changesOwnedObjectsOnly,
  mergedApplicationProperties,
  ownerTypes,
} from './application-type.js';
import { storeKeyCredentials } from './certificates.js';
import { addSecret, newSecret } from './secrets.js';

/**
 * Creates an application from a request: binds owners, and returns new secrets this one time. Call
 * in a transaction.
 */
export async function newApplication(
  request: DirectoryRequest,
  values: Record<string, unknown>,
  body: Body,
): Promise<NewObject> {
  const { directory } = request;
  requireProperties(applicationType, values, ['displayName']);
  const id = randomUUID();
  const { passwordCredentials, keyCredentials, ...otherValues } = values;
  const secrets = (Array.isArray(passwordCredentials) ? passwordCredentials : []).map(
    (credential) => newSecret(credential, directory.clock.now()),
  );
  const owners = await initialOwnersOf(request, body);
  const application = await applyValuesToApplication(
    directory,
    id,
    emptyApplication(directory, randomUUID()),
    otherValues,
  );
  return {
    id,
    body: {
      ...application,
      keyCredentials: await storeKeyCredentials(directory, id, {}, keyCredentials),
    },
    afterCreate: async (object) => {
      for (const owner of owners) await directory.links.add(object, 'applicationOwners', owner);
      let current: StoredObject = object;
      for (const secret of secrets) {
        await addSecret(directory, current, secret);
        current = (await directory.objects.get(id)) ?? current;
      }
    },
    ...(secrets.length > 0 && {
      onlyInAnswer: { passwordCredentials: secrets.map((secret) => secret.onlyInAnswer) },
    }),
  };
}

/** An application with default values only. */
export function emptyApplication(directory: Directory, appId: string): Record<string, unknown> {
  return {
    ...applicationDefaults(),
    appId,
    createdDateTime: formatInstant(directory.clock.now()),
    publisherDomain: directory.tenant.defaultDomain,
  };
}

/** A seeded application: the values of its seed entry, plus those that the service sets. */
export function seededApplication(directory: Directory, values: Body, id: string): Body {
  const next = mergeProperties(
    emptyApplication(directory, id),
    values,
    mergedApplicationProperties,
  );
  next['displayName'] ??= id;
  if (Array.isArray(next['appRoles']))
    next['appRoles'] = next['appRoles']
      .filter(isObject)
      .map((role) => ({ isEnabled: true, ...role }));
  return next;
}

/**
 * The owners of a new application or service principal: those of `owners@odata.bind`, otherwise the
 * caller who creates it: a signed-in user, or an application that may only change what it owns.
 *
 * @throws DirectoryError 400 for too many owners, duplicates, or objects that cannot be owners; 404
 *   for an unknown one.
 */
export async function initialOwnersOf(
  request: DirectoryRequest,
  body: Body,
): Promise<readonly StoredObject[]> {
  const { directory, caller } = request;
  const bound = boundIds(directory, body, 'owners', ownerTypes);
  if (bound === undefined) {
    const isOwner = caller.kind === 'user' || changesOwnedObjectsOnly(caller);
    const creator = isOwner ? await directory.objects.get(caller.objectId) : undefined;
    return creator ? [creator] : [];
  }
  if (bound.length > registration.limits.bindsPerRequest)
    throw badRequest(
      `At most ${registration.limits.bindsPerRequest} references can be bound in one request; ${bound.length} were given.`,
      'owners',
    );
  if (new Set(bound.map((id) => id.toLowerCase())).size < bound.length)
    throw badRequest('Request contains a property with duplicate values.', 'owners');
  const owners: StoredObject[] = [];
  for (const id of bound) {
    const owner = await requireObject(directory, id);
    if (!ownerTypes.includes(owner.type))
      throw badRequest(
        `Not a valid reference update: a ${owner.type} can't be an owner.`,
        'owners',
      );
    owners.push(owner);
  }
  return owners;
}
