import { base, comparable, exact, flag, instant, orderable, type QueryRules, strings } from '../property-rules.js';

/** What queries may ask of devices. */
export const deviceQueryRules: QueryRules = {
  resource: 'Device',
  properties: {
    ...base,
    accountEnabled: { ...flag, default: ['eq', 'in'], advanced: ['ne', 'not'] },
    approximateLastSignInDateTime: instant,
    deviceCategory: exact,
    deviceId: { type: 'string', default: ['eq', 'in', 'startsWith'], advanced: ['ne', 'not'] },
    deviceOwnership: exact,
    displayName: orderable(['eq', 'ge', 'le', 'in', 'startsWith']),
    isCompliant: { ...flag, default: ['eq', 'in'] },
    isManaged: { ...flag, default: ['eq', 'in'] },
    managementType: exact,
    mdmAppId: exact,
    onPremisesLastSyncDateTime: instant,
    onPremisesSyncEnabled: { ...flag, default: ['eq', 'in'], advanced: ['ne', 'not', 'eq null'] },
    operatingSystem: comparable,
    operatingSystemVersion: comparable,
    physicalIds: strings,
    profileType: exact,
    registrationDateTime: instant,
    trustType: exact,
  },
  relationships: { memberOf: { expand: true }, registeredOwners: { expand: true }, registeredUsers: { expand: true } },
};

/** What queries may ask of organizational contacts. */
export const contactQueryRules: QueryRules = {
  resource: 'OrgContact',
  properties: {
    ...base,
    companyName: comparable,
    department: comparable,
    displayName: orderable(['eq', 'ge', 'le', 'in', 'startsWith']),
    givenName: comparable,
    jobTitle: comparable,
    mail: { ...comparable, advanced: ['ne', 'not', 'endsWith', 'eq null'], search: 'prefix' },
    mailNickname: comparable,
    onPremisesSyncEnabled: { ...flag, default: ['eq', 'in'], advanced: ['ne', 'not', 'eq null'] },
    proxyAddresses: strings,
    surname: comparable,
  },
  relationships: { manager: { expand: true }, memberOf: { expand: true } },
};
