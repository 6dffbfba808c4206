import type { ObjectType, Property } from '../kernel/object-type.js';
import {
  commonPropertyRules,
  comparableText,
  sameRules,
  exactText,
  booleanRules,
  dateRules,
  sortableText,
  stringCollection,
} from '../odata/property-rules.js';

const text: Property = { type: 'string', returned: 'default' };
const readOnlyText: Property = { ...text, readOnly: true };
const booleanProperty: Property = { type: 'boolean', returned: 'default' };
const dateProperty: Property = { type: 'dateTime', returned: 'default' };
const readOnlyDate: Property = { ...dateProperty, readOnly: true };
const strings: Property = { type: 'strings', returned: 'default' };

const principalTypes = ['user', 'servicePrincipal'];

/** A device that users sign in from. */
export const deviceType: ObjectType = {
  name: 'device',
  collection: 'devices',
  alternateKeys: { deviceId: 'alternate_key' },
  isOpenType: true,
  queryRules: {
    resource: 'Device',
    properties: {
      ...commonPropertyRules,
      displayName: sortableText(['eq', 'ge', 'le', 'in', 'startsWith']),
      deviceId: {
        type: 'string',
        operators: ['eq', 'in', 'startsWith'],
        advancedOperators: ['ne', 'not'],
      },
      ...sameRules(comparableText, 'operatingSystem', 'operatingSystemVersion'),
      ...sameRules(
        exactText,
        'deviceCategory',
        'deviceOwnership',
        'managementType',
        'mdmAppId',
        'profileType',
        'trustType',
      ),
      accountEnabled: {
        ...booleanRules,
        operators: ['eq', 'in'],
        advancedOperators: ['ne', 'not'],
      },
      ...sameRules({ ...booleanRules, operators: ['eq', 'in'] }, 'isCompliant', 'isManaged'),
      onPremisesSyncEnabled: {
        ...booleanRules,
        operators: ['eq', 'in'],
        advancedOperators: ['ne', 'not', 'eq null'],
      },
      ...sameRules(
        dateRules,
        'approximateLastSignInDateTime',
        'onPremisesLastSyncDateTime',
        'registrationDateTime',
      ),
      physicalIds: stringCollection,
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
      references: { targetTypes: principalTypes },
    },
    registeredUsers: {
      relations: ['registeredUsers'],
      direction: 'out',
      references: { targetTypes: principalTypes },
    },
  },
  lookupValues: (body) => ({ alternateKey: body['deviceId'] }),
  filterColumns: { deviceId: 'o.alternate_key' },
  properties: {
    deletedDateTime: readOnlyDate,
    accountEnabled: { ...booleanProperty, notNull: true },
    alternativeSecurityIds: { type: 'objects', returned: 'default' },
    approximateLastSignInDateTime: dateProperty,
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
    isCompliant: booleanProperty,
    isManaged: booleanProperty,
    isManagementRestricted: { ...booleanProperty, returned: 'select', readOnly: true },
    isRooted: booleanProperty,
    managementType: text,
    managementAppId: { ...text, returned: 'select' },
    manufacturer: text,
    mdmAppId: text,
    model: text,
    onPremisesLastSyncDateTime: readOnlyDate,
    onPremisesSecurityIdentifier: readOnlyText,
    onPremisesSyncEnabled: { ...booleanProperty, readOnly: true },
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
