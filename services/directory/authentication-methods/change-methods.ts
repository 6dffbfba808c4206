import { randomUUID, randomBytes } from 'node:crypto';
import { badRequest, denied, objectNotFound } from '../http/errors.js';
import { created, noContent, ok, type Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { wholeSeconds } from '../kernel/present.js';
import { ownProperties } from '../kernel/references.js';
import type { Item } from '../store/items.js';
import type { Body } from '../store/objects.js';
import { accessOf, addMethod, changeMethod, changing, findOwner, methodsOf, reading, removeMethod } from './stored-methods.js';
import { presentMethod } from './present-method.js';
import { type Registration, registrations } from './registrations.js';
import { type MethodSubtype, methodSubtypes } from './subtypes.js';
import { keepPassword, readPasswordProfile } from '../users/passwords.js';

const change = accessOf(changing);

/** Registering, changing and removing methods, by the typed collections: what can't be done with a kind is answered 405. */
export function changeRoutes(router: Router): void {
  for (const subtype of methodSubtypes) {
    const path = `/users/{id}/authentication/${subtype.collection}`;
    const registration = registrations[subtype.collection];
    if (!registration) continue;
    if (registration.create) router.on('POST', path, change, (request) => create(request, subtype, registration));
    if (registration.update)
      for (const method of ['PATCH', 'PUT'])
        router.on(method, `${path}/{method}`, change, (request) => update(request, subtype, registration));
    if (registration.removable) router.on('DELETE', `${path}/{method}`, change, (request) => remove(request, subtype));
  }
  for (const [name, state] of [
    ['enableSmsSignIn', 'ready'],
    ['disableSmsSignIn', 'notEnabled'],
  ] as const)
    router.on('POST', `/users/{id}/authentication/phoneMethods/{method}/${name}`, change, (request) => setSmsSignIn(request, state));
}

async function create(request: DirectoryRequest, subtype: MethodSubtype, registration: Registration): Promise<Reply> {
  const { directory } = request;
  const given = ownProperties(request.json());
  const { user, self, masked } = await findOwner(request, changing);
  if (self && registration.byOthersOnly) throw denied('Insufficient privileges to complete the operation: an administrator registers it.');
  const { method, shown } = await directory.sql.write(async () => {
    const present = await methodsOf(directory, user);
    const { id, fields, shownOnce } = registration.create?.(request, given, present) ?? { fields: {} };
    const key = id ?? subtype.fixedId ?? randomUUID();
    if (present.some((each) => each.id === key))
      throw badRequest(`The user has this authentication method already: there is one ${subtype.name} of that kind at most.`);
    const body = { ...fields, subtype: subtype.name, createdDateTime: wholeSeconds(directory.clock.now()) };
    return { method: await addMethod(directory, user, { id: key, body }), shown: shownOnce };
  });
  const address = `${request.base}/users/${user.id}/authentication/${subtype.collection}`;
  const context = `${request.base}/$metadata#users('${user.id}')/authentication/${subtype.collection}/$entity`;
  return created({ '@odata.context': context, ...presentMethod(directory, method, masked), ...shown }, `${address}/${method.id}`);
}

async function update(request: DirectoryRequest, subtype: MethodSubtype, registration: Registration): Promise<Reply> {
  const { id, ...given } = ownProperties(request.json());
  if (id !== undefined && id !== request.parameter('method')) throw badRequest('The id of a method cannot be changed.', 'id');
  await changeOne(request, subtype, (method) => registration.update?.(given, method) ?? {});
  return noContent;
}

async function setSmsSignIn(request: DirectoryRequest, smsSignInState: string): Promise<Reply> {
  const phones = methodSubtypes.find((each) => each.collection === 'phoneMethods') as MethodSubtype;
  await changeOne(request, phones, (method) => {
    if (method.body['phoneType'] !== 'mobile') throw badRequest('Only the mobile phone signs in by text message.', 'phoneType');
    return { smsSignInState };
  });
  return noContent;
}

async function changeOne(request: DirectoryRequest, subtype: MethodSubtype, fieldsOf: (method: Item) => Body): Promise<void> {
  const { directory } = request;
  const { user } = await findOwner(request, changing);
  await directory.sql.write(async () => {
    const { id, body } = methodIn(request, await methodsOf(directory, user), subtype);
    await changeMethod(directory, user, { id, body: { ...body, ...fieldsOf({ id, body }) } });
  });
}

async function remove(request: DirectoryRequest, subtype: MethodSubtype): Promise<Reply> {
  const { directory } = request;
  const { user } = await findOwner(request, changing);
  await directory.sql.write(async () => {
    const present = await methodsOf(directory, user);
    const method = methodIn(request, present, subtype);
    if (method.body['phoneType'] === 'mobile' && present.some((each) => each.body['phoneType'] === 'alternateMobile'))
      throw badRequest('The mobile phone stays as long as there is an alternate one.', 'phoneType');
    await removeMethod(directory, user, method.id);
  });
  return noContent;
}

/** @throws DirectoryError 404. */
function methodIn(request: DirectoryRequest, methods: readonly Item[], subtype: MethodSubtype): Item {
  const id = request.parameter('method');
  const method = methods.find((each) => each.id === id.toLowerCase() && each.body['subtype'] === subtype.name);
  if (!method) throw objectNotFound(id);
  return method;
}

const operations = 'authentication-operation';

/** Resetting somebody's password, and the operation that says how far it got: here it is done at once. */
export function passwordRoutes(router: Router): void {
  for (const collection of ['methods', 'passwordMethods'])
    router.on('POST', `/users/{id}/authentication/${collection}/{method}/resetPassword`, accessOf(changing), resetPassword);
  router.on('GET', '/users/{id}/authentication/operations/{operation}', accessOf(reading), getOperation);
}

async function resetPassword(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const { newPassword } = request.optionalJson();
  const { user, self } = await findOwner(request, changing);
  if (self) throw denied('Insufficient privileges to complete the operation: an administrator resets the password of somebody else.');
  const method = request.parameter('method');
  if (method.toLowerCase() !== methodSubtypes[0]?.fixedId) throw objectNotFound(method);
  if (newPassword !== undefined && newPassword !== null && typeof newPassword !== 'string')
    throw badRequest('newPassword must be a string.', 'newPassword');
  const password = newPassword ?? `${randomBytes(9).toString('base64url')}aA1!`;
  const profile = await readPasswordProfile({ password, forceChangePasswordNextSignIn: true }, user.body['passwordPolicies']);
  const id = randomUUID();
  const now = wholeSeconds(directory.clock.now());
  await directory.sql.write(async () => {
    const current = await directory.objects.getOfType('user', user.id);
    if (!current || !profile?.password) throw objectNotFound(user.id);
    await keepPassword(directory, user.id, profile.password);
    await directory.objects.save(current, { ...current.body, passwordProfile: profile.shown, lastPasswordChangeDateTime: now });
    await directory.items.put(operations, user.id, id, { status: 'succeeded', statusDetail: null, createdDateTime: now });
  });
  return {
    status: 202,
    headers: { location: `${request.base}/users/${user.id}/authentication/operations/${id}` },
    body: {
      ...request.context(`${directory.namespace}.passwordResetResponse`),
      newPassword: newPassword === undefined || newPassword === null ? password : null,
    },
  };
}

async function getOperation(request: DirectoryRequest): Promise<Reply> {
  const { user } = await findOwner(request, reading);
  const id = request.parameter('operation');
  const operation = await request.directory.items.get(operations, user.id, id);
  if (!operation) throw objectNotFound(id);
  const { createdDateTime, ...state } = operation.body;
  return ok({
    ...request.context(`users('${user.id}')/authentication/operations/$entity`),
    id,
    createdDateTime,
    lastActionDateTime: createdDateTime,
    resourceLocation: null,
    ...state,
  });
}
