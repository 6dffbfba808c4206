import { randomBytes, randomUUID } from 'node:crypto';
import { badRequest, insufficientPrivileges, objectNotFound, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { DirectoryModule } from '../directory-module.js';
import {
  addRecordOperations,
  type NewRecord,
  type RecordOperations,
} from '../kernel/record-operations.js';
import { formatInstant } from '../kernel/presentation.js';
import type { StoredRecord } from '../store/records.js';
import type { Body } from '../store/objects.js';
import { storePassword, hashPasswordProfile } from '../users/passwords.js';
import { presentMethod } from './present-method.js';
import {
  findMethodOwner,
  methodChangeRights,
  type MethodOwner,
  methodReadRights,
  routeAccessOf,
} from './method-access.js';
import { methodCollection, methodsOf, seedMethods, storeDefaultMethod } from './stored-methods.js';
import { type MethodSubtype, methodSubtypes, passwordSubtype } from './subtypes.js';

const commonOptions = {
  read: routeAccessOf(methodReadRights),
  write: routeAccessOf(methodChangeRights),
  findParent: findMethodOwner,
} satisfies Partial<RecordOperations<MethodOwner>>;
const authenticationPath = '/users/{id}/authentication';

/**
 * The authentication methods of users: read all, and register, change and remove them through the
 * typed collections.
 */
export const authenticationMethodsModule: DirectoryModule = {
  routes(router) {
    addMethodRoutes(router, `${authenticationPath}/methods`);
    for (const subtype of methodSubtypes)
      addMethodRoutes(router, `${authenticationPath}/${subtype.collection}`, subtype);
    for (const [name, state] of Object.entries({
      enableSmsSignIn: 'ready',
      disableSmsSignIn: 'notEnabled',
    }))
      router.on(
        'POST',
        `${authenticationPath}/phoneMethods/{record}/${name}`,
        commonOptions.write,
        (request) => setSmsSignIn(request, state),
      );
    for (const methods of ['methods', passwordSubtype.collection])
      router.on(
        'POST',
        `${authenticationPath}/${methods}/{method}/resetPassword`,
        commonOptions.write,
        resetPassword,
      );
    addRecordOperations<MethodOwner>(router, {
      ...commonOptions,
      path: `${authenticationPath}/operations`,
      collection: operationCollection,
    });
  },
  seedReferences: seedMethods,
};

/**
 * Adds the operations of a collection of methods.
 *
 * @param subtype the kind of methods in the collection; undefined: all kinds.
 */
function addMethodRoutes(router: Router, path: string, subtype?: MethodSubtype): void {
  addRecordOperations<MethodOwner>(router, {
    ...commonOptions,
    path,
    collection: methodCollection,
    list: async ({ directory }, { user }) => {
      const methods = await methodsOf(directory, user);
      return subtype ? methods.filter(({ body }) => body['subtype'] === subtype.name) : methods;
    },
    present: (method, { directory }, { arePhonesMasked }) =>
      presentMethod(directory, method, arePhonesMasked),
    beforeWrite: ({ directory }, { user }) => storeDefaultMethod(directory, user),
    create:
      subtype?.create &&
      ((request, values, owner) => registerMethod(request, subtype, values, owner)),
    change:
      subtype?.update &&
      ((request, method, values, { id }) =>
        changeMethod(request, id, method, subtype.update?.(values, method) ?? {})),
    allowPut: true,
    onRemove: subtype === undefined || subtype.isPermanent ? undefined : requireRemovable,
  });
}

async function registerMethod(
  { directory }: DirectoryRequest,
  subtype: MethodSubtype,
  values: Body,
  { user, isSelf }: MethodOwner,
): Promise<NewRecord> {
  if (isSelf && subtype.byAdministratorsOnly)
    throw insufficientPrivileges('only an administrator can register this authentication method');
  const existing = await methodsOf(directory, user);
  const now = directory.clock.now();
  const {
    id,
    fields,
    onlyInAnswer = {},
    replacedIds = [],
  } = subtype.create?.(values, existing, now) ?? { fields: {} };
  const key = id ?? subtype.fixedId ?? randomUUID();
  if (existing.some((each) => each.id === key))
    throw badRequest(
      `The user already has this authentication method: at most one ${subtype.name} of that kind is allowed.`,
    );
  for (const replaced of replacedIds)
    await directory.records.remove(methodCollection, user.id, replaced);
  const body = { ...fields, subtype: subtype.name, createdDateTime: formatInstant(now) };
  return {
    ...(await directory.records.put(methodCollection, user.id, key, body, now.toISOString())),
    onlyInAnswer,
  };
}

function changeMethod(
  { directory }: DirectoryRequest,
  userId: string,
  { id, body }: StoredRecord,
  fields: Body,
): Promise<void> {
  return directory.records.replace(methodCollection, userId, id, { ...body, ...fields });
}

/** @throws DirectoryError 400 for a mobile phone without which an alternate one cannot be. */
async function requireRemovable(
  { directory }: DirectoryRequest,
  { body }: StoredRecord,
  { user }: MethodOwner,
): Promise<void> {
  const existing = await methodsOf(directory, user);
  if (
    body['phoneType'] === 'mobile' &&
    existing.some((each) => each.body['phoneType'] === 'alternateMobile')
  )
    throw badRequest(
      'The mobile phone cannot be removed while there is an alternateMobile phone.',
      'phoneType',
    );
}

async function setSmsSignIn(request: DirectoryRequest, smsSignInState: string): Promise<Reply> {
  const { directory } = request;
  const { user } = await findMethodOwner(request);
  const id = request.parameter('record');
  return request.runInTransaction(async () => {
    await storeDefaultMethod(directory, user);
    const phone = (await methodsOf(directory, user)).find(
      (each) => each.id === id.toLowerCase() && each.body['phoneType'] !== undefined,
    );
    if (!phone) throw objectNotFound(id);
    if (phone.body['phoneType'] !== 'mobile')
      throw badRequest('Only the mobile phone signs in by text message.', 'phoneType');
    await changeMethod(request, user.id, phone, { smsSignInState });
  });
}

const operationCollection = 'authentication-operation';

/** Resets another user's password. The operation in the answer has already succeeded. */
async function resetPassword(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const { newPassword } = request.optionalJson();
  const { user, isSelf } = await findMethodOwner(request);
  if (isSelf) throw insufficientPrivileges('users cannot reset their own password here');
  const method = request.parameter('method');
  if (method.toLowerCase() !== passwordSubtype.fixedId) throw objectNotFound(method);
  if (newPassword !== undefined && newPassword !== null && typeof newPassword !== 'string')
    throw badRequest('newPassword must be a string.', 'newPassword');
  const password = newPassword ?? `${randomBytes(9).toString('base64url')}aA1!`;
  const profile = await hashPasswordProfile(
    { password, forceChangePasswordNextSignIn: true },
    user.body['passwordPolicies'],
  );
  const id = randomUUID();
  const now = formatInstant(directory.clock.now());
  const operation = {
    createdDateTime: now,
    lastActionDateTime: now,
    resourceLocation: null,
    status: 'succeeded',
    statusDetail: null,
  };
  await directory.sql.transaction(async () => {
    const current = await directory.objects.getOfType('user', user.id);
    if (!current || !profile?.hashedPassword) throw objectNotFound(user.id);
    await storePassword(directory, user.id, profile.hashedPassword);
    await directory.objects.save(current, {
      ...current.body,
      passwordProfile: profile.toStored(current.body['passwordProfile']),
      lastPasswordChangeDateTime: now,
    });
    await directory.records.put(operationCollection, user.id, id, operation);
  });
  return {
    status: 202,
    headers: { location: `${request.base}/users/${user.id}/authentication/operations/${id}` },
    body: request.withContext(`${directory.namespace}.passwordResetResponse`, {
      newPassword: (newPassword ?? null) === null ? password : null,
    }),
  };
}
