import { requireByPathKey } from '../kernel/single-object.js';
import {
  applicationReadAccess,
  applicationType,
  applicationWriteAccess,
  requireOwnership,
} from './application-type.js';
import { randomUUID } from 'node:crypto';
import { isObject } from '../../../core/values/is-object.js';
import {
  federatedCredentialSchema,
  maxFederatedCredentials,
} from '../../../kinds/application/application.js';
import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { badRequest, DirectoryError, invalidProperty } from '../http/answers.js';
import type { Router } from '../http/router.js';
import { addRecordOperations } from '../kernel/record-operations.js';
import { requireKnownProperties, withoutAnnotations } from '../kernel/body-properties.js';
import { textRules } from '../odata/property-rules.js';
import type { Body, StoredObject } from '../store/objects.js';
import type { StoredRecord } from '../store/records.js';

const collection = 'federatedIdentityCredentials';
const {
  name: nameSchema,
  issuer: issuerSchema,
  audiences: audiencesSchema,
} = federatedCredentialSchema.properties;
const settableProperties = [
  'name',
  'issuer',
  'subject',
  'audiences',
  'description',
  'claimsMatchingExpression',
];
const optionalProperties = ['subject', 'description', 'claimsMatchingExpression'] as const;
const queryRules = textRules(
  'FederatedIdentityCredential',
  ['eq', 'startsWith'],
  'id',
  'name',
  'issuer',
  'subject',
);

/**
 * Adds the operations of an application's federated identity credentials: tokens of other issuers
 * that are accepted in place of a secret.
 */
export function addFederatedIdentityRoutes(router: Router): void {
  addRecordOperations<StoredObject>(router, {
    path: `/applications/{id}/${collection}`,
    read: applicationReadAccess,
    write: applicationWriteAccess,
    findParent: (request) => requireByPathKey(request, applicationType),
    queryRules,
    upsertKey: 'name',
    beforeWrite: requireOwnership,
    find: async ({ directory }, key, application) =>
      (await directory.records.list(collection, application.id)).find(
        ({ id, body }) => id === key.toLowerCase() || body['name'] === key,
      ),
    create: async ({ directory }, values, application) => {
      checkCredential(values);
      const existing = await directory.records.list(collection, application.id);
      requireUniqueCredential(existing, values);
      if (existing.length >= maxFederatedCredentials)
        throw badRequest(
          `An application has at most ${maxFederatedCredentials} federated identity credentials.`,
        );
      const body = { name: null, issuer: null, subject: null, description: null, ...values };
      const name = String(values['name']);
      return directory.records.put(collection, application.id, randomUUID(), body, name);
    },
    change: async ({ directory }, { id, body }, changes, application) => {
      if (changes['name'] !== undefined && changes['name'] !== body['name'])
        throw badRequest("The property 'name' cannot be changed.", 'name');
      const next = { ...body, ...changes };
      checkCredential(next);
      const existing = await directory.records.list(collection, application.id);
      requireUniqueCredential(
        existing.filter((each) => each.id !== id),
        next,
      );
      await directory.records.put(collection, application.id, id, next, String(body['name']));
    },
    allowRemove: true,
  });
}

/**
 * Checks that an application has no other credential with the name, or with the issuer and subject.
 *
 * @throws DirectoryError 409.
 */
function requireUniqueCredential(existing: readonly StoredRecord[], values: Body): void {
  const { issuer, subject } = values;
  const name = String(values['name']);
  const hasName = existing.some(
    ({ body }) => String(body['name']).toLowerCase() === name.toLowerCase(),
  );
  const hasSubject =
    Boolean(subject) &&
    existing.some(({ body }) => body['issuer'] === issuer && body['subject'] === subject);
  if (!hasName && !hasSubject) return;
  const duplicate = hasName
    ? `name ${name}`
    : `issuer ${String(issuer)} and subject ${String(subject)}`;
  throw new DirectoryError(
    409,
    'Request_MultipleObjectsWithSameKeyValue',
    `FederatedIdentityCredential with ${duplicate} already exists.`,
  );
}

function checkCredential(values: Body): void {
  requireKnownProperties(values, settableProperties, 'a federated identity credential');
  const { name, issuer, subject, audiences, claimsMatchingExpression: expression } = values;
  if (mistakeIn(nameSchema, name) !== undefined)
    throw invalidProperty(
      'name',
      `1 to ${nameSchema.maxLength} letters, digits, hyphens, underscores and dots are expected, a letter or digit first`,
    );
  if (mistakeIn(issuerSchema, issuer) !== undefined)
    throw badRequest("A value is required for property 'issuer'.", 'issuer');
  if (mistakeIn(audiencesSchema, audiences) !== undefined)
    throw badRequest("A value is required for property 'audiences'.", 'audiences');
  for (const property of optionalProperties) {
    const value = withoutAnnotations(values[property] ?? undefined);
    const mistake =
      value === undefined
        ? undefined
        : mistakeIn(federatedCredentialSchema.properties[property], value);
    if (mistake !== undefined) throw invalidProperty(property, mistake.message);
  }
  const hasSubject = typeof subject === 'string' && subject !== '';
  if (hasSubject === isObject(expression))
    throw badRequest(
      "Exactly one of the properties 'subject' and 'claimsMatchingExpression' is expected.",
      'subject',
    );
}
