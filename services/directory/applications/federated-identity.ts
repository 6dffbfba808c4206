import { federatedCredentialSchema, mostFederatedCredentials } from '../../../kinds/application/federated-credential.js';
import { mistakeIn } from '../../../kinds/schema/judge.js';
import { randomUUID } from 'node:crypto';
import { DirectoryError, badRequest, objectNotFound } from '../http/errors.js';
import { created, noContent, ok } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { isObject } from '../../../core/values/is-object.js';
import { ownProperties } from '../kernel/references.js';
import { listItems } from '../kernel/item-list.js';
import type { QueryRules } from '../odata/index.js';
import type { Item } from '../store/items.js';
import type { Body, StoredObject } from '../store/objects.js';
import { applicationRead, applicationWrite, checkOwnedBy, requireByKey } from './find-application.js';

const collection = 'federatedIdentityCredentials';
const { name: nameSchema, issuer: issuerSchema, audiences: audiencesSchema } = federatedCredentialSchema.properties;
const settable = ['name', 'issuer', 'subject', 'audiences', 'description', 'claimsMatchingExpression'];
const text = { type: 'string', default: ['eq', 'startsWith'] } as const;
const rules: QueryRules = {
  resource: 'FederatedIdentityCredential',
  properties: { id: text, name: text, issuer: text, subject: text },
  relationships: {},
};

/** Federated identities of an application: tokens of other issuers that are taken in place of a secret. */
export function federatedIdentityRoutes(router: Router): void {
  const path = '/applications/{id}/federatedIdentityCredentials';
  router.on('GET', path, applicationRead, async (request) => {
    const application = await requireByKey(request, 'application');
    const all = (await request.directory.items.list(collection, application.id)).map(shown);
    return listItems(request, `applications('${application.id}')/federatedIdentityCredentials`, all, rules);
  });
  router.on('POST', path, applicationWrite, create);
  router.on('GET', `${path}/{credential}`, applicationRead, async (request) => {
    const application = await requireByKey(request, 'application');
    return ok({ '@odata.context': `${contextOf(request, application)}/$entity`, ...shown(await requireCredential(request, application)) });
  });
  router.on('PATCH', `${path}/{credential}`, applicationWrite, async (request) => {
    const { id: givenId, ...changes } = ownProperties(request.json());
    await request.directory.sql.write(async () => {
      const application = await requireByKey(request, 'application');
      await checkOwnedBy(request, application);
      const { id, body } = await requireCredential(request, application);
      if (givenId !== undefined && givenId !== id) throw badRequest("The property 'id' is read-only and cannot be set.", 'id');
      if (changes['name'] !== undefined && changes['name'] !== body['name'])
        throw badRequest("The property 'name' cannot be changed.", 'name');
      const next = { ...body, ...changes };
      check(next);
      await request.directory.items.put(collection, application.id, id, next, String(body['name']));
    });
    return noContent;
  });
  router.on('DELETE', `${path}/{credential}`, applicationWrite, async (request) => {
    await request.directory.sql.write(async () => {
      const application = await requireByKey(request, 'application');
      await checkOwnedBy(request, application);
      const { id } = await requireCredential(request, application);
      await request.directory.items.remove(collection, application.id, id);
    });
    return noContent;
  });
}

async function create(request: DirectoryRequest): Promise<ReturnType<typeof created>> {
  const { directory } = request;
  const values = ownProperties(request.json());
  check(values);
  const [application, item] = await directory.sql.write(async () => {
    const owner = await requireByKey(request, 'application');
    await checkOwnedBy(request, owner);
    const standing = await directory.items.list(collection, owner.id);
    const name = String(values['name']);
    if (standing.some(({ body }) => String(body['name']).toLowerCase() === name.toLowerCase()))
      throw new DirectoryError(
        409,
        'Request_MultipleObjectsWithSameKeyValue',
        `FederatedIdentityCredential with name ${name} already exists.`,
      );
    if (standing.length >= mostFederatedCredentials)
      throw badRequest(`An application has at most ${mostFederatedCredentials} federated identity credentials.`);
    const body = { name: null, issuer: null, subject: null, description: null, ...values };
    return [owner, await directory.items.put(collection, owner.id, randomUUID(), body, name)] as const;
  });
  const location = `${request.base}/applications/${application.id}/federatedIdentityCredentials/${item.id}`;
  return created({ '@odata.context': `${contextOf(request, application)}/$entity`, ...shown(item) }, location);
}

function check(values: Body): void {
  const unknown = Object.keys(values).find((name) => !settable.includes(name));
  if (unknown !== undefined)
    throw badRequest(`The property '${unknown}' does not exist on a federated identity credential or is read-only.`, unknown);
  const { name, issuer, subject, audiences, claimsMatchingExpression: expression } = values;
  if (mistakeIn(nameSchema, name) !== undefined)
    throw badRequest(
      `Invalid value specified for property 'name': 1 to ${nameSchema.maxLength} letters, digits, hyphens, underscores and dots are expected, a letter or digit first.`,
      'name',
    );
  if (mistakeIn(issuerSchema, issuer) !== undefined) throw badRequest("A value is required for property 'issuer'.", 'issuer');
  if (mistakeIn(audiencesSchema, audiences) !== undefined) throw badRequest("A value is required for property 'audiences'.", 'audiences');
  const hasSubject = typeof subject === 'string' && subject !== '';
  if (hasSubject === isObject(expression))
    throw badRequest("Exactly one of the properties 'subject' and 'claimsMatchingExpression' is expected.", 'subject');
}

async function requireCredential(request: DirectoryRequest, application: StoredObject): Promise<Item> {
  const key = request.key('credential');
  const wanted = typeof key === 'string' ? key : key.value;
  const item =
    (await request.directory.items.get(collection, application.id, wanted.toLowerCase())) ??
    (await request.directory.items.list(collection, application.id)).find(({ body }) => body['name'] === wanted);
  if (!item) throw objectNotFound(wanted);
  return item;
}

function shown({ id, body }: Item): Record<string, unknown> {
  return { id, ...body };
}

function contextOf(request: DirectoryRequest, application: StoredObject): string {
  return `${request.base}/$metadata#applications('${application.id}')/federatedIdentityCredentials`;
}
