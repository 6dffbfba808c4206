import type { RuleSubject } from '../../../kinds/membership-rule/index.js';

/** An object as rules look at it. */
export interface EvaluatedObject {
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Reads one property of an object. */
export type ReadProperty = (object: EvaluatedObject) => unknown;

/** Where rules call a property otherwise than the API does. */
const renamed: Readonly<Record<RuleSubject, Readonly<Record<string, string>>>> = {
  user: {
    mailNickName: 'mailNickname',
    mobile: 'mobilePhone',
    facsimileTelephoneNumber: 'faxNumber',
    physicalDeliveryOfficeName: 'officeLocation',
    dirSyncEnabled: 'onPremisesSyncEnabled',
  },
  device: {
    deviceManufacturer: 'manufacturer',
    deviceModel: 'model',
    deviceOSType: 'operatingSystem',
    deviceOSVersion: 'operatingSystemVersion',
    deviceTrustType: 'trustType',
    devicePhysicalIds: 'physicalIds',
    deviceManagementAppId: 'managementAppId',
  },
};

/** Rules see the first value of what the API keeps as a list. */
const firstOf: Readonly<Record<string, string>> = { telephoneNumber: 'businessPhones', sipProxyAddress: 'imAddresses' };

const extensionHolder = { user: 'onPremisesExtensionAttributes', device: 'extensionAttributes' } as const;

/** The API's property that holds what rules know by a name. */
export function apiPropertyOf(subject: RuleSubject, name: string): string {
  if (/^extensionAttribute\d+$/.test(name)) return extensionHolder[subject];
  return (subject === 'user' ? firstOf[name] : undefined) ?? renamed[subject][name] ?? name;
}

/** The way from a rule's property to the object's value. */
export function readerOf(subject: RuleSubject, name: string): ReadProperty {
  if (name === 'objectId') return (object) => object.id;
  const list = subject === 'user' ? firstOf[name] : undefined;
  if (list !== undefined) return ({ body }) => (Array.isArray(body[list]) ? (body[list] as unknown[])[0] : undefined);
  if (/^extensionAttribute\d+$/.test(name)) {
    const holder = extensionHolder[subject];
    return ({ body }) => (body[holder] as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  }
  const property = apiPropertyOf(subject, name);
  return ({ body }) => body[property];
}
