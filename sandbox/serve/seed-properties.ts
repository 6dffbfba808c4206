import { isTypo, nearest } from '../../core/text/nearest.js';
import { applicationType } from '../../services/directory/applications/application-type.js';
import { contactType } from '../../services/directory/contacts/contacts-module.js';
import { deviceType } from '../../services/directory/devices/device-type.js';
import { groupType } from '../../services/directory/groups/group-type.js';
import type { ObjectType, Property } from '../../services/directory/kernel/object-type.js';
import { servicePrincipalType } from '../../services/directory/service-principals/service-principal-type.js';
import { userType } from '../../services/directory/users/user-type.js';
import { seedListNames } from './seed-lists.js';

type ListName = (typeof seedListNames)[number];

/** The allowed properties of a list's entries, by name. */
export interface SeedProperties {
  readonly schemas: Readonly<Record<string, object>>;
  /** Whether other properties are stored as custom ones, as for objects of the directory. */
  readonly allowsOtherProperties: boolean;
  readonly required: readonly string[];
}

const guid = { type: 'string', format: 'uuid' };
const anyValue = {};
const textList = { type: 'array', items: { type: 'string' } };
const references = { type: 'array', description: 'Ids or user principal names.' };

const jsonTypes: Readonly<Record<Property['type'], object>> = {
  string: { type: ['string', 'null'] },
  boolean: { type: ['boolean', 'null'] },
  integer: { type: ['integer', 'null'] },
  dateTime: { type: ['string', 'null'], format: 'date-time' },
  guid: { type: ['string', 'null'], format: 'uuid' },
  object: { type: ['object', 'null'] },
  strings: textList,
  objects: { type: 'array' },
  any: anyValue,
};

/** The properties of a directory object, and further ones that only seeds have. */
function directoryObject(
  { properties }: ObjectType,
  seedOnly: Readonly<Record<string, object>>,
  required: readonly string[],
): SeedProperties {
  const ownSchemas = Object.entries(properties).map(
    ([name, { type }]) => [name, jsonTypes[type]] as const,
  );
  return {
    schemas: { id: guid, ...Object.fromEntries(ownSchemas), ...seedOnly },
    allowsOtherProperties: true,
    required,
  };
}

/** An object with no other properties than these. */
function closedObject(
  schemas: Readonly<Record<string, object>>,
  required: readonly string[],
): SeedProperties {
  return { schemas, allowsOtherProperties: false, required };
}

const idAndDisplayName = { id: guid, displayName: { type: 'string' } };

/** The properties of every list, from the services' own object types. */
export const seedProperties: Readonly<Record<ListName, SeedProperties>> = {
  snapshot: closedObject(
    {
      people: { enum: ['all', 'named'] },
      properties: textList,
      directReportsOf: textList,
      permissions: { type: 'boolean' },
      named: { type: 'object' },
      unreadGroups: { type: 'object' },
      tenantId: guid,
    },
    ['people'],
  ),
  users: directoryObject(
    userType,
    {
      authenticationMethods: { type: 'array' },
      manager: anyValue,
      passwordProfile: { type: 'object' },
    },
    ['userPrincipalName'],
  ),
  devices: directoryObject(
    deviceType,
    { registeredOwners: references, registeredUsers: references },
    [],
  ),
  servicePrincipals: directoryObject(
    servicePrincipalType,
    { owners: references, appRoleAssignments: { type: 'array' } },
    ['appId'],
  ),
  applications: directoryObject(applicationType, { owners: references }, ['displayName']),
  directoryRoles: {
    schemas: {
      id: guid,
      roleTemplateId: guid,
      displayName: anyValue,
      description: anyValue,
      members: references,
    },
    allowsOtherProperties: true,
    required: ['roleTemplateId'],
  },
  contacts: directoryObject(contactType, { manager: anyValue }, []),
  groups: directoryObject(
    groupType,
    {
      members: references,
      owners: references,
      acceptedSenders: references,
      rejectedSenders: references,
    },
    ['displayName'],
  ),
  capacities: closedObject(
    {
      ...idAndDisplayName,
      id: { ...idAndDisplayName.id, description: 'Workspaces name it by `capacityId`.' },
      sku: anyValue,
      region: anyValue,
      state: { enum: ['Active', 'Inactive'] },
    },
    ['id'],
  ),
  workspaces: {
    ...closedObject(
      {
        ...idAndDisplayName,
        description: anyValue,
        type: anyValue,
        capacityId: guid,
        roleAssignments: { type: 'array' },
      },
      ['id', 'displayName'],
    ),
    allowsOtherProperties: true,
  },
  sensitivityLabels: { ...closedObject(idAndDisplayName, ['id']), allowsOtherProperties: true },
  tags: { ...closedObject(idAndDisplayName, ['id']), allowsOtherProperties: true },
  billing: closedObject(
    {
      billingAccount: anyValue,
      invoice: anyValue,
      transactions: anyValue,
      generate: { type: 'object' },
      import: { type: 'string' },
    },
    ['billingAccount', 'invoice'],
  ),
};

/** Why a key of an entry is refused; undefined for a known or custom one. */
export function invalidKeyReason(list: ListName, key: string): string | undefined {
  const { schemas, allowsOtherProperties } = seedProperties[list];
  if (
    Object.hasOwn(schemas, key) ||
    key.includes('@') ||
    key.includes('.') ||
    key.startsWith('extension_')
  )
    return undefined;
  const nearestName = nearest(key, Object.keys(schemas));
  const suggestion =
    nearestName !== undefined && (!allowsOtherProperties || isTypo(key, nearestName))
      ? nearestName
      : undefined;
  if (suggestion !== undefined)
    return `"${key}" is no property of ${list}; did you mean ${suggestion}?`;
  return allowsOtherProperties
    ? undefined
    : `"${key}" is no property of ${list}; allowed: ${Object.keys(schemas).join(', ')}`;
}

/** The JSON Schema of a seed file, for editors. */
export function seedSchema(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://castellan.dev/schemas/castellan-seed-1.json',
    title: 'seed.yaml',
    description: 'What exists in the sandbox, or in services of castellan serve, from the start.',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      seedListNames.map((list) => {
        const { schemas, allowsOtherProperties, required } = seedProperties[list];
        return [
          list,
          {
            type: ['array', 'null'],
            items: {
              type: 'object',
              properties: schemas,
              required,
              additionalProperties: allowsOtherProperties,
            },
          },
        ];
      }),
    ),
  };
}
