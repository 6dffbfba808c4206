import { randomUUID } from 'node:crypto';
import { invalidProperty } from '../http/answers.js';
import type { Router } from '../http/router.js';
import type { ObjectType, Property } from '../kernel/object-type.js';
import { addStandardOperations } from '../kernel/standard-operations.js';
import { mergeProperties, requireProperties } from '../kernel/body-properties.js';
import { sortableText } from '../odata/property-rules.js';
import { isObject } from '../../../core/values/is-object.js';

const text: Property = { type: 'string', returned: 'default' };
/** A claims mapping policy, assigned to service principals by reference. */
export const claimsMappingPolicyType: ObjectType = {
  name: 'claimsMappingPolicy',
  collection: 'policies/claimsMappingPolicies',
  queryRules: {
    resource: 'ClaimsMappingPolicy',
    properties: {
      id: { type: 'guid', operators: ['eq', 'in'] },
      displayName: sortableText(['eq', 'startsWith']),
    },
  },
  readPermissions: [
    'Policy.Read.All',
    'Policy.Read.ApplicationConfiguration',
    'Policy.ReadWrite.ApplicationConfiguration',
    'Directory.Read.All',
    'Directory.ReadWrite.All',
  ],
  writePermissions: ['Policy.ReadWrite.ApplicationConfiguration', 'Directory.ReadWrite.All'],
  writeRoles: ['globalAdministrator', 'applicationAdministrator'],
  softDelete: false,
  properties: {
    deletedDateTime: { ...text, type: 'dateTime', readOnly: true },
    definition: { type: 'strings', returned: 'default', notNull: true },
    description: text,
    displayName: { ...text, notNull: true },
    isOrganizationDefault: { type: 'boolean', returned: 'default', valueWhenAbsent: false },
  },
};

/** Adds the operations of claims mapping policies. */
export function addClaimsMappingRoutes(router: Router): void {
  addStandardOperations(router, {
    type: claimsMappingPolicyType,
    create: (_request, values) => {
      requireProperties(claimsMappingPolicyType, values, ['displayName', 'definition']);
      checkDefinition(values['definition']);
      return Promise.resolve({
        id: randomUUID(),
        body: { isOrganizationDefault: false, ...values },
      });
    },
    change: (_request, current, values) => {
      if (values['definition'] !== undefined) checkDefinition(values['definition']);
      return Promise.resolve(mergeProperties(current.body, values));
    },
  });
}

function checkDefinition(value: unknown): void {
  const [definition] = Array.isArray(value) ? (value as unknown[]) : [];
  if (
    Array.isArray(value) &&
    value.length === 1 &&
    typeof definition === 'string' &&
    isJsonObject(definition)
  )
    return;
  throw invalidProperty('definition', 'a list with one string that is a JSON object is expected');
}

function isJsonObject(document: string): boolean {
  try {
    return isObject(JSON.parse(document));
  } catch {
    return false; // not JSON: the caller refuses it
  }
}
