import { randomBytes, randomUUID } from 'node:crypto';
import { badRequest, insufficientPrivileges, objectNotFound, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { DirectoryModule } from '../directory-module.js';
import { addItemOperations, type NewItem } from '../kernel/item-operations.js';
import { formatInstant } from '../kernel/presentation.js';
import type { Item } from '../store/items.js';
import type { Body } from '../store/objects.js';
import { storePassword, readPasswordProfile } from '../users/passwords.js';
import { presentMethod } from './present-method.js';
import {
  accessOf,
  changing,
  collection,
  findOwner,
  storeDefaultMethod,
  type MethodOwner,
  methodsOf,
  reading,
  seedMethods,
} from './stored-methods.js';
import { type MethodSubtype, methodSubtypes, passwordSubtype } from './subtypes.js';

const access = { read: accessOf(reading), write: accessOf(changing), owner: findOwner };
const authentication = '/users/{id}/authentication';

/**
 * The authentication methods of users: read all, and register, change and remove them through the
 * typed collections.
 */
export const authenticationMethodsModule: DirectoryModule = {
  routes(router) {
    methodRoutes(router, `${authentication}/methods`);
    for (const subtype of methodSubtypes)
      methodRoutes(router, `${authentication}/${subtype.collection}`, subtype);
    for (const [name, state] of Object.entries({
      enableSmsSignIn: 'ready',
      disableSmsSignIn: 'notEnabled',
    }))
      router.on('POST', `${authentication}/phoneMethods/{item}/${name}`, access.write, (request) =>
        setSmsSignIn(request, state),
      );
    for (const methods of ['methods', passwordSubtype.collection])
      router.on(
        'POST',
        `${authentication}/${methods}/{method}/resetPassword`,
        access.write,
        resetPassword,
      );
    addItemOperations<MethodOwner>(router, {
      ...access,
      path: `${authentication}/operations`,
      collection: operations,
    });
  },
  linkSeeded: seedMethods,
};

/**
 * @param subtype the kind of method in the collection.
 * @default all kinds
 */
function methodRoutes(router: Router, path: string, subtype?: MethodSubtype): void {
  addItemOperations<MethodOwner>(router, {
    ...access,
    path,
    collection,
    list: async ({ directory }, { user }) => {
      const methods = await methodsOf(directory, user);
      return subtype ? methods.filter(({ body }) => body['subtype'] === subtype.name) : methods;
    },
    present: (method, { directory }, { masked }) => presentMethod(directory, method, masked),
    beforeWrite: ({ directory }, { user }) => storeDefaultMethod(directory, user),
    create:
      subtype?.create && ((request, values, owner) => register(request, subtype, values, owner)),
    change:
      subtype?.update &&
      ((request, method, values, { id }) =>
        change(request, id, method, subtype.update?.(values, method) ?? {})),
    allowPut: true,
    remove: subtype === undefined || subtype.permanent ? undefined : remove,
  });
}

async function register(
  { directory }: DirectoryRequest,
  subtype: MethodSubtype,
  values: Body,
  { user, self }: MethodOwner,
): Promise<NewItem> {
  if (self && subtype.byOthersOnly) throw insufficientPrivileges('an administrator registers it');
  const present = await methodsOf(directory, user);
  const now = directory.clock.now();
  const { id, fields, oneTime = {} } = subtype.create?.(values, present, now) ?? { fields: {} };
  const key = id ?? subtype.fixedId ?? randomUUID();
  if (present.some((each) => each.id === key))
    throw badRequest(
      `The user has this authentication method already: there is one ${subtype.name} of that kind at most.`,
    );
  const body = { ...fields, subtype: subtype.name, createdDateTime: formatInstant(now) };
  return {
    ...(await directory.items.put(collection, user.id, key, body, now.toISOString())),
    oneTime,
  };
}

function change(
  { directory }: DirectoryRequest,
  userId: string,
  { id, body }: Item,
  fields: Body,
): Promise<void> {
  return directory.items.replace(collection, userId, id, { ...body, ...fields });
}

async function remove(
  { directory }: DirectoryRequest,
  { body }: Item,
  { user }: MethodOwner,
): Promise<void> {
  const present = await methodsOf(directory, user);
  if (
    body['phoneType'] === 'mobile' &&
    present.some((each) => each.body['phoneType'] === 'alternateMobile')
  )
    throw badRequest('The mobile phone stays as long as there is an alternate one.', 'phoneType');
}

async function setSmsSignIn(request: DirectoryRequest, smsSignInState: string): Promise<Reply> {
  const { directory } = request;
  const { user } = await findOwner(request);
  const id = request.parameter('item');
  return request.write(async () => {
    await storeDefaultMethod(directory, user);
    const phone = (await methodsOf(directory, user)).find(
      (each) => each.id === id.toLowerCase() && each.body['phoneType'] !== undefined,
    );
    if (!phone) throw objectNotFound(id);
    if (phone.body['phoneType'] !== 'mobile')
      throw badRequest('Only the mobile phone signs in by text message.', 'phoneType');
    await change(request, user.id, phone, { smsSignInState });
  });
}

const operations = 'authentication-operation';

/** Resets another user's password. The operation in the answer has already succeeded. */
async function resetPassword(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const { newPassword } = request.optionalJson();
  const { user, self } = await findOwner(request);
  if (self) throw insufficientPrivileges('an administrator resets the password of another user');
  const method = request.parameter('method');
  if (method.toLowerCase() !== passwordSubtype.fixedId) throw objectNotFound(method);
  if (newPassword !== undefined && newPassword !== null && typeof newPassword !== 'string')
    throw badRequest('newPassword must be a string.', 'newPassword');
  const password = newPassword ?? `${randomBytes(9).toString('base64url')}aA1!`;
  const profile = await readPasswordProfile(
    { password, forceChangePasswordNextSignIn: true },
    user.body['passwordPolicies'],
  );
  const id = randomUUID();
  const now = formatInstant(directory.clock.now());
  const done = {
    createdDateTime: now,
    lastActionDateTime: now,
    resourceLocation: null,
    status: 'succeeded',
    statusDetail: null,
  };
  await directory.sql.write(async () => {
    const current = await directory.objects.getOfType('user', user.id);
    if (!current || !profile?.password) throw objectNotFound(user.id);
    await storePassword(directory, user.id, profile.password);
    await directory.objects.save(current, {
      ...current.body,
      passwordProfile: profile.stored,
      lastPasswordChangeDateTime: now,
    });
    await directory.items.put(operations, user.id, id, done);
  });
  return {
    status: 202,
    headers: { location: `${request.base}/users/${user.id}/authentication/operations/${id}` },
    body: request.withContext(`${directory.namespace}.passwordResetResponse`, {
      newPassword: (newPassword ?? null) === null ? password : null,
    }),
  };
}
