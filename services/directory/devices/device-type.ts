import type { ObjectType, Property } from '../kernel/object-type.js';
import {
  objectRules,
  comparable,
  sameRules,
  exact,
  booleanRules as asked,
  instant,
  sortableText,
  strings as listed,
} from '../odata/property-rules.js';

const text: Property = { type: 'string', returned: 'default' };
const readOnlyText: Property = { ...text, readOnly: true };
const flag: Property = { type: 'boolean', returned: 'default' };
const date: Property = { type: 'dateTime', returned: 'default' };
const readOnlyDate: Property = { ...date, readOnly: true };
const strings: Property = { type: 'strings', returned: 'default' };

const people = ['user', 'servicePrincipal'];

/** A device that users sign in from. */
export const deviceType: ObjectType = {
  name: 'device',
  collection: 'devices',
  keys: { deviceId: 'alternate_key' },
  open: true,
  queryRules: {
    resource: 'Device',
    properties: {
      ...objectRules,
      displayName: sortableText(['eq', 'ge', 'le', 'in', 'startsWith']),
      deviceId: { type: 'string', default: ['eq', 'in', 'startsWith'], advanced: ['ne', 'not'] },
      ...sameRules(comparable, 'operatingSystem', 'operatingSystemVersion'),
      ...sameRules(
        exact,
        'deviceCategory',
        'deviceOwnership',
        'managementType',
        'mdmAppId',
        'profileType',
        'trustType',
      ),
      accountEnabled: { ...asked, default: ['eq', 'in'], advanced: ['ne', 'not'] },
      ...sameRules({ ...asked, default: ['eq', 'in'] }, 'isCompliant', 'isManaged'),
      onPremisesSyncEnabled: {
        ...asked,
        default: ['eq', 'in'],
        advanced: ['ne', 'not', 'eq null'],
      },
      ...sameRules(
        instant,
        'approximateLastSignInDateTime',
        'onPremisesLastSyncDateTime',
        'registrationDateTime',
      ),
      physicalIds: listed,
    },
    expand: ['memberOf', 'registeredOwners', 'registeredUsers'],
  },
  readPermissions: [
    'Device.Read.All',
    'Device.ReadWrite.All',
    'Directory.Read.All',
    'Directory.ReadWrite.All',
  ],
  writePermissions: ['Device.ReadWrite.All', 'Directory.ReadWrite.All'],
  writeRoles: [
    'globalAdministrator',
    'intuneAdministrator',
    'cloudDeviceAdministrator',
    'directoryWriters',
  ],
  softDelete: true,
  navigations: {
    memberOf: { relations: ['members', 'unitMembers'], direction: 'in' },
    registeredOwners: {
      relations: ['registeredOwners'],
      direction: 'out',
      references: { targetTypes: people },
    },
    registeredUsers: {
      relations: ['registeredUsers'],
      direction: 'out',
      references: { targetTypes: people },
    },
  },
  lookups: (body) => ({ alternateKey: body['deviceId'] }),
  lookupColumns: { deviceId: 'o.alternate_key' },
  properties: {
    deletedDateTime: readOnlyDate,
    accountEnabled: { ...flag, notNull: true },
    alternativeSecurityIds: { type: 'objects', returned: 'default' },
    approximateLastSignInDateTime: date,
    complianceExpirationDateTime: readOnlyDate,
    deviceCategory: text,
    deviceId: { ...text, notNull: true },
    deviceMetadata: text,
    deviceOwnership: text,
    deviceVersion: { type: 'integer', returned: 'default' },
    displayName: { ...text, notNull: true },
    domainName: text,
    enrollmentProfileName: text,
    enrollmentType: text,
    extensionAttributes: { type: 'object', returned: 'default' },
    externalSourceName: text,
    hostnames: { ...strings, returned: 'select' },
    isCompliant: flag,
    isManaged: flag,
    isManagementRestricted: { ...flag, returned: 'select', readOnly: true },
    isRooted: flag,
    managementType: text,
    managementAppId: { ...text, returned: 'select' },
    manufacturer: text,
    mdmAppId: text,
    model: text,
    onPremisesLastSyncDateTime: readOnlyDate,
    onPremisesSecurityIdentifier: readOnlyText,
    onPremisesSyncEnabled: { ...flag, readOnly: true },
    operatingSystem: { ...text, notNull: true },
    operatingSystemVersion: { ...text, notNull: true },
    physicalIds: strings,
    profileType: text,
    registrationDateTime: readOnlyDate,
    sourceType: text,
    systemLabels: strings,
    trustType: text,
  },
};
