import { readAccessOf } from '../authorization/access.js';
import type { DirectoryModule } from '../directory-module.js';
import type { ObjectType, Property } from '../kernel/object-type.js';
import { seedObject } from '../kernel/seeding.js';
import { addStandardOperations } from '../kernel/standard-operations.js';
import {
  directoryObjectRules,
  comparableText,
  sameRules,
  booleanRules,
  sortableText,
  withPrefixSearch,
  stringCollection,
} from '../odata/property-rules.js';

const readOnlyText: Property = { type: 'string', returned: 'default', readOnly: true };
const readOnlyObjects: Property = { type: 'objects', returned: 'default', readOnly: true };

/** An organizational contact: read-only, as in the cloud; seed files create them. */
export const contactType: ObjectType = {
  name: 'orgContact',
  collection: 'contacts',
  isOpenType: true,
  queryRules: {
    resource: 'OrgContact',
    properties: {
      ...directoryObjectRules,
      displayName: sortableText(['eq', 'ge', 'le', 'in', 'startsWith']),
      ...sameRules(
        comparableText,
        'companyName',
        'department',
        'givenName',
        'jobTitle',
        'mailNickname',
        'surname',
      ),
      mail: withPrefixSearch({
        ...comparableText,
        advancedOperators: ['ne', 'not', 'endsWith', 'eq null'],
      }),
      onPremisesSyncEnabled: {
        ...booleanRules,
        operators: ['eq', 'in'],
        advancedOperators: ['ne', 'not', 'eq null'],
      },
      proxyAddresses: stringCollection,
    },
    expand: ['manager', 'memberOf'],
  },
  readPermissions: ['OrgContact.Read.All', 'Directory.Read.All', 'Directory.ReadWrite.All'],
  writePermissions: [],
  writeRoles: [],
  softDelete: false,
  navigations: {
    manager: { relations: ['manager'], direction: 'out', single: true },
    memberOf: { relations: ['members', 'unitMembers'], direction: 'in' },
  },
  properties: {
    deletedDateTime: { ...readOnlyText, type: 'dateTime' },
    addresses: readOnlyObjects,
    companyName: readOnlyText,
    department: readOnlyText,
    displayName: readOnlyText,
    givenName: readOnlyText,
    jobTitle: readOnlyText,
    mail: readOnlyText,
    mailNickname: readOnlyText,
    onPremisesLastSyncDateTime: { ...readOnlyText, type: 'dateTime' },
    onPremisesProvisioningErrors: readOnlyObjects,
    onPremisesSyncEnabled: { ...readOnlyText, type: 'boolean' },
    phones: readOnlyObjects,
    proxyAddresses: { ...readOnlyText, type: 'strings' },
    serviceProvisioningErrors: readOnlyObjects,
    surname: readOnlyText,
  },
};

/** Organizational contacts. */
export const contactsModule: DirectoryModule = {
  types: [contactType],
  routes(router) {
    addStandardOperations(router, {
      type: contactType,
      deltaRelations: ['manager'],
      read: { ...readAccessOf(contactType), allowsGuests: false },
      readOne: readAccessOf(contactType),
      deletable: false,
    });
  },
  async seed(directory, { contacts = [] }) {
    for (const entry of contacts)
      await seedObject(directory, contactType, entry, {
        list: 'contacts',
        uniqueKey: { property: 'mail', column: 'mail' },
        withDefaults: (values, id) => ({ displayName: id, ...values }),
      });
  },
};
