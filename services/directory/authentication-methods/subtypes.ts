import { randomBytes } from 'node:crypto';
import { parseInstant } from '../../../core/values/instant.js';
import { badRequest } from '../http/answers.js';
import { formatInstant } from '../kernel/presentation.js';
import { propertyTypes, requireKnownProperties } from '../kernel/body-properties.js';
import type { StoredRecord } from '../store/records.js';
import type { Body } from '../store/objects.js';

/** A kind of authentication method, and how to create, change and remove such methods. */
export interface MethodSubtype {
  /** The type's name without its namespace. */
  readonly name: string;
  /** The collection of methods of this kind: `/users/{id}/authentication/phoneMethods`. */
  readonly collection: string;
  /** The fields in the order of an answer, besides `id` and the date. */
  readonly fields: readonly string[];
  /** The fixed id of methods of this kind. */
  readonly fixedId?: string;
  /** Fields that are never returned: always null. */
  readonly secretFields?: readonly string[];
  /** Methods of this kind cannot be removed. */
  readonly isPermanent?: true;
  /** Users cannot register methods of this kind for themselves. */
  readonly byAdministratorsOnly?: true;
  /** Creates a method from a request. @default such methods cannot be created by requests */
  readonly create?: (values: Body, existing: readonly StoredRecord[], now: Date) => NewMethod;
  /** Returns the changed fields. @default such methods cannot be changed */
  readonly update?: (values: Body, method: StoredRecord) => Body;
}

/** A method about to be stored. */
interface NewMethod {
  /** The fixed id of the method. @default the subtype's, or a new one */
  readonly id?: string | undefined;
  /** The properties to store. */
  readonly fields: Body;
  /** Values that only this answer contains, such as a temporary access pass. */
  readonly onlyInAnswer?: Body;
  /** The ids of existing methods that the new one replaces. @default none */
  readonly replacedIds?: readonly string[];
}

/** The ids of phone methods by phone type: one phone per type. */
export const phoneIds: Readonly<Record<string, string>> = {
  mobile: '3179e48a-750b-4051-897c-87b9720928f7',
  alternateMobile: 'b6332ec1-7057-4abe-9331-3d72feddfe41',
  office: 'e37fc753-ff3b-4958-9484-eaa9425c82bc',
};

/** The subtype that every new account has. */
export const passwordSubtype = {
  name: 'passwordAuthenticationMethod',
  collection: 'passwordMethods',
  fields: ['password'],
  fixedId: '28c10230-6103-485e-b985-444c60001490',
  secretFields: ['password'],
  isPermanent: true,
} as const satisfies MethodSubtype;

/**
 * Every kind of authentication method (directory rules, "Authentication method", and the published
 * subtypes).
 */
export const methodSubtypes: readonly MethodSubtype[] = [
  passwordSubtype,
  {
    name: 'phoneAuthenticationMethod',
    collection: 'phoneMethods',
    fields: ['phoneNumber', 'phoneType', 'smsSignInState'],
    create: newPhone,
    update: changePhone,
  },
  {
    name: 'emailAuthenticationMethod',
    collection: 'emailMethods',
    fields: ['emailAddress'],
    fixedId: '3ddfcfc8-9383-446f-83cc-3ab9be4be18f',
    create: (values) => ({ fields: parseEmail(values) }),
    update: parseEmail,
  },
  {
    name: 'fido2AuthenticationMethod',
    collection: 'fido2Methods',
    fields: [
      'aaGuid',
      'attestationCertificates',
      'attestationLevel',
      'displayName',
      'model',
      'passkeyType',
      'publicKeyCredential',
    ],
  },
  {
    name: 'microsoftAuthenticatorAuthenticationMethod',
    collection: 'microsoftAuthenticatorMethods',
    fields: ['deviceTag', 'displayName', 'phoneAppVersion'],
  },
  {
    name: 'softwareOathAuthenticationMethod',
    collection: 'softwareOathMethods',
    fields: ['secretKey'],
    secretFields: ['secretKey'],
    create(values) {
      requireKnownProperties(values, ['secretKey'], 'a code generator');
      const secretKey = values['secretKey'] ?? base32(randomBytes(20));
      if (typeof secretKey !== 'string' || !/^[A-Z2-7]{16,128}=*$/i.test(secretKey))
        throw badRequest('secretKey must be a key in base32.', 'secretKey');
      return { fields: {}, onlyInAnswer: { secretKey } };
    },
  },
  {
    name: 'temporaryAccessPassAuthenticationMethod',
    collection: 'temporaryAccessPassMethods',
    fields: [
      'isUsable',
      'isUsableOnce',
      'lifetimeInMinutes',
      'methodUsabilityReason',
      'startDateTime',
      'temporaryAccessPass',
    ],
    secretFields: ['temporaryAccessPass'],
    byAdministratorsOnly: true,
    create: newAccessPass,
  },
  {
    name: 'windowsHelloForBusinessAuthenticationMethod',
    collection: 'windowsHelloForBusinessMethods',
    fields: ['displayName', 'keyStrength'],
  },
  {
    name: 'platformCredentialAuthenticationMethod',
    collection: 'platformCredentialMethods',
    fields: ['displayName', 'keyStrength', 'platform'],
  },
  {
    name: 'externalAuthenticationMethod',
    collection: 'externalAuthenticationMethods',
    fields: ['configurationId', 'displayName'],
    create(values) {
      requireKnownProperties(values, ['configurationId', 'displayName'], 'an external method');
      return {
        fields: {
          configurationId: requiredText(values, 'configurationId'),
          displayName: requiredText(values, 'displayName'),
        },
      };
    },
  },
  { name: 'qrCodePinAuthenticationMethod', collection: 'qrCodePinMethod', fields: [] },
];

/** The subtype named in a seed or a path, with or without `#` and namespace. */
export function findSubtype(name: string): MethodSubtype | undefined {
  const nameWithoutNamespace = name.replace(/^#?([\w]+\.)*/, '').toLowerCase();
  return methodSubtypes.find((subtype) => subtype.name.toLowerCase() === nameWithoutNamespace);
}

function newPhone(values: Body, existing: readonly StoredRecord[]): NewMethod {
  const type = parsePhoneType(values);
  const phoneNumber = parsePhoneNumber(values);
  if (type === undefined)
    throw badRequest("Required property 'phoneType' is missing.", 'phoneType');
  if (type === 'alternateMobile' && !existing.some((each) => each.body['phoneType'] === 'mobile'))
    throw badRequest('An alternateMobile phone needs a mobile phone first.', 'phoneType');
  const smsSignInState = type === 'mobile' ? 'notConfigured' : 'notSupported';
  return { id: phoneIds[type], fields: { phoneNumber, phoneType: type, smsSignInState } };
}

function changePhone(input: Body, method: StoredRecord): Body {
  const type = parsePhoneType(input);
  if (type !== undefined && type !== method.body['phoneType'])
    throw badRequest(
      'The type of a phone cannot be changed: remove the phone and register another.',
      'phoneType',
    );
  return { phoneNumber: parsePhoneNumber(input) };
}

/** The phone type of a body, by the property's name in either dialect. */
function parsePhoneType(values: Body): string | undefined {
  requireKnownProperties(
    values,
    ['phoneNumber', 'phoneType', 'authenticationPhoneType'],
    'a phone',
  );
  const type = values['phoneType'] ?? values['authenticationPhoneType'];
  if (type === undefined || (typeof type === 'string' && Object.hasOwn(phoneIds, type)))
    return type;
  throw badRequest(`phoneType must be one of ${Object.keys(phoneIds).join(', ')}.`, 'phoneType');
}

function parsePhoneNumber(input: Body): string {
  const number = requiredText(input, 'phoneNumber');
  if (!/^\+\d{1,3} ?\(?\d[\d ()-]{3,18}\d(x\d{1,8})?$/.test(number))
    throw badRequest(
      'phoneNumber must look like +1 2065551234 or +1 2065551234x123.',
      'phoneNumber',
    );
  return number;
}

function parseEmail(values: Body): Body {
  requireKnownProperties(values, ['emailAddress'], 'an e-mail method');
  const emailAddress = requiredText(values, 'emailAddress');
  if (!/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(emailAddress))
    throw badRequest('emailAddress must be an e-mail address.', 'emailAddress');
  return { emailAddress };
}

/** The lifetimes of temporary access passes. */
const accessPassMinutes = { minimum: 10, default: 60, maximum: 43_200 } as const;

function newAccessPass(values: Body, existing: readonly StoredRecord[], now: Date): NewMethod {
  requireKnownProperties(
    values,
    ['startDateTime', 'lifetimeInMinutes', 'isUsableOnce', 'isUsable', 'temporaryAccessPass'],
    'a temporary access pass',
  );
  const startDateTime = values['startDateTime'] ?? formatInstant(now);
  const lifetimeInMinutes = values['lifetimeInMinutes'] ?? accessPassMinutes.default;
  const isUsableOnce = values['isUsableOnce'] ?? false;
  if (
    !Number.isInteger(lifetimeInMinutes) ||
    Number(lifetimeInMinutes) < accessPassMinutes.minimum ||
    Number(lifetimeInMinutes) > accessPassMinutes.maximum
  )
    throw badRequest(
      `lifetimeInMinutes must be an integer from ${accessPassMinutes.minimum} to ${accessPassMinutes.maximum}.`,
      'lifetimeInMinutes',
    );
  if (typeof isUsableOnce !== 'boolean')
    throw badRequest('isUsableOnce must be true or false.', 'isUsableOnce');
  const { matches, expectation } = propertyTypes.dateTime;
  if (!matches(startDateTime))
    throw badRequest(`startDateTime must be ${expectation}.`, 'startDateTime');
  const passes = existing.filter(
    ({ body }) => body['subtype'] === 'temporaryAccessPassAuthenticationMethod',
  );
  if (passes.some(({ body }) => !isExpiredPass(body, now)))
    throw badRequest('The user has a temporary access pass already: remove it first.');
  const temporaryAccessPass = randomBytes(6).toString('base64url');
  return {
    fields: { startDateTime, lifetimeInMinutes, isUsableOnce },
    onlyInAnswer: { temporaryAccessPass },
    replacedIds: passes.map(({ id }) => id),
  };
}

/** Whether the lifetime of a temporary access pass is over. */
export function isExpiredPass({ startDateTime, lifetimeInMinutes }: Body, now: Date): boolean {
  const end = parseInstant(String(startDateTime)) + Number(lifetimeInMinutes) * 60_000;
  return now.getTime() >= end;
}

function requiredText(input: Body, name: string): string {
  const value = input[name];
  if (typeof value === 'string' && value !== '') return value;
  throw badRequest(`Required property '${name}' is missing.`, name);
}

function base32(bytes: Buffer): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('');
}
