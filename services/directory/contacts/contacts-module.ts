import type { SeedEntry } from '../../common/seed.js';
import { readAccessOf } from '../authorization/access.js';
import type { DirectoryModule } from '../directory-module.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Directory } from '../kernel/directory.js';
import type { ObjectType, Property } from '../kernel/object-type.js';
import { addReferringObjectRoutes } from '../kernel/reference-operations.js';
import { derivedSeedId, seedObject } from '../kernel/seeding.js';
import { requireByPathKey } from '../kernel/single-object.js';
import { addStandardOperations } from '../kernel/standard-operations.js';
import {
  commonPropertyRules,
  comparableText,
  sameRules,
  booleanRules,
  sortableText,
  withPrefixSearch,
  stringCollection,
} from '../odata/property-rules.js';
import type { StoredObject } from '../store/objects.js';
import { addManagerReadRoutes, seedManager } from '../users/manager.js';

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
      ...commonPropertyRules,
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
    const find = (request: DirectoryRequest): Promise<StoredObject> =>
      requireByPathKey(request, contactType);
    addManagerReadRoutes(router, '/contacts/{id}', readAccessOf(contactType), find);
    addReferringObjectRoutes(router, '/contacts/{id}/directReports', {
      access: readAccessOf(contactType),
      find,
      relations: ['manager'],
    });
  },
  async seed(directory, { contacts = [] }) {
    for (const entry of contacts)
      await seedObject(directory, contactType, entry, {
        list: 'contacts',
        notStored: ['manager'],
        uniqueKey: { property: 'mail', column: 'mail' },
        withDefaults: (values, id) => ({ displayName: id, ...values }),
      });
  },
  async seedReferences(directory, { contacts = [] }) {
    for (const entry of contacts) {
      if (entry['manager'] === undefined) continue;
      const contact = await findSeededContact(directory, entry);
      if (contact) await seedManager(directory, 'contacts', contact, entry['manager']);
    }
  },
};

/** The contact of a seed entry; undefined if it was deleted since. */
async function findSeededContact(
  directory: Directory,
  entry: SeedEntry,
): Promise<StoredObject | undefined> {
  const { id, mail } = entry;
  const contact = await directory.objects.getOfType(
    contactType.name,
    typeof id === 'string' ? id : derivedSeedId('contacts', entry),
  );
  if (contact || id !== undefined || typeof mail !== 'string') return contact;
  return (await directory.objects.findBy(contactType.name, 'mail', mail))[0];
}
