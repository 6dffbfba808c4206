import { randomBytes } from 'node:crypto';
import { badRequest } from '../http/errors.js';
import type { DirectoryRequest } from '../http/request.js';
import { wholeSeconds } from '../kernel/present.js';
import type { Item } from '../store/items.js';
import type { Body } from '../store/objects.js';
import { phoneIds } from './subtypes.js';

/** A method about to be stored. */
export interface NewMethod {
  /** The id that such a method always has. @default the subtype's, or a new one */
  readonly id?: string | undefined;
  readonly fields: Body;
  /** What the answer shows this once, such as the text of a pass. */
  readonly shownOnce?: Body;
}

/** How methods of a kind come, change and go. */
export interface Registration {
  readonly create?: (request: DirectoryRequest, given: Body, present: readonly Item[]) => NewMethod;
  /** Gives the fields that change. */
  readonly update?: (given: Body, method: Item) => Body;
  readonly removable?: true;
  /** People can't register it for themselves. */
  readonly byOthersOnly?: true;
}

/** The kinds that can be changed, by their collection; keys and apps register themselves at the device and are only removed here. */
export const registrations: Readonly<Record<string, Registration>> = {
  phoneMethods: { create: newPhone, update: changedPhone, removable: true },
  emailMethods: {
    create: (_request, given) => ({ fields: emailIn(given) }),
    update: emailIn,
    removable: true,
  },
  fido2Methods: { removable: true },
  microsoftAuthenticatorMethods: { removable: true },
  softwareOathMethods: {
    create: (_request, given) => {
      only(given, ['secretKey']);
      const secretKey = given['secretKey'] ?? base32(randomBytes(20));
      if (typeof secretKey !== 'string' || !/^[A-Z2-7]{16,128}=*$/i.test(secretKey))
        throw badRequest('secretKey must be a key in base32.', 'secretKey');
      return { fields: {}, shownOnce: { secretKey } };
    },
    removable: true,
  },
  temporaryAccessPassMethods: { create: newPass, removable: true, byOthersOnly: true },
  windowsHelloForBusinessMethods: { removable: true },
  platformCredentialMethods: { removable: true },
  externalAuthenticationMethods: {
    create: (_request, given) => {
      only(given, ['configurationId', 'displayName']);
      return { fields: { configurationId: text(given, 'configurationId'), displayName: text(given, 'displayName') } };
    },
    removable: true,
  },
  qrCodePinMethod: { removable: true },
};

function newPhone(_request: DirectoryRequest, given: Body, present: readonly Item[]): NewMethod {
  const type = phoneTypeIn(given);
  const phoneNumber = phoneNumberIn(given);
  if (type === undefined) throw badRequest("Required property 'phoneType' is missing.", 'phoneType');
  if (type === 'alternateMobile' && !present.some((each) => each.body['phoneType'] === 'mobile'))
    throw badRequest('An alternateMobile phone needs a mobile phone first.', 'phoneType');
  const smsSignInState = type === 'mobile' ? 'notConfigured' : 'notSupported';
  return { id: phoneIds[type], fields: { phoneNumber, phoneType: type, smsSignInState } };
}

function changedPhone(given: Body, method: Item): Body {
  const type = phoneTypeIn(given);
  if (type !== undefined && type !== method.body['phoneType'])
    throw badRequest('The type of a phone cannot be changed: remove the phone and register another.', 'phoneType');
  return { phoneNumber: phoneNumberIn(given) };
}

/** The type by either of its names. */
function phoneTypeIn(given: Body): string | undefined {
  only(given, ['phoneNumber', 'phoneType', 'authenticationPhoneType']);
  const type = given['phoneType'] ?? given['authenticationPhoneType'];
  if (type === undefined || (typeof type === 'string' && Object.hasOwn(phoneIds, type))) return type;
  throw badRequest(`phoneType must be one of ${Object.keys(phoneIds).join(', ')}.`, 'phoneType');
}

function phoneNumberIn(given: Body): string {
  const number = text(given, 'phoneNumber');
  if (!/^\+\d{1,3} ?\(?\d[\d ()-]{3,18}\d(x\d{1,8})?$/.test(number))
    throw badRequest('phoneNumber must look like +1 2065551234 or +1 2065551234x123.', 'phoneNumber');
  return number;
}

function emailIn(given: Body): Body {
  only(given, ['emailAddress']);
  const emailAddress = text(given, 'emailAddress');
  if (!/^[^\s@]{1,64}@[^\s@]{1,255}$/.test(emailAddress)) throw badRequest('emailAddress must be an e-mail address.', 'emailAddress');
  return { emailAddress };
}

const passMinutes = { least: 10, usual: 60, most: 43_200 } as const;

function newPass(request: DirectoryRequest, given: Body, present: readonly Item[]): NewMethod {
  only(given, ['startDateTime', 'lifetimeInMinutes', 'isUsableOnce', 'isUsable', 'temporaryAccessPass']);
  const now = request.directory.clock.now();
  const { startDateTime = wholeSeconds(now), lifetimeInMinutes = passMinutes.usual, isUsableOnce = false } = given;
  if (!Number.isInteger(lifetimeInMinutes) || Number(lifetimeInMinutes) < passMinutes.least || Number(lifetimeInMinutes) > passMinutes.most)
    throw badRequest(`lifetimeInMinutes must lie between ${passMinutes.least} and ${passMinutes.most}.`, 'lifetimeInMinutes');
  if (typeof isUsableOnce !== 'boolean') throw badRequest('isUsableOnce must be true or false.', 'isUsableOnce');
  if (typeof startDateTime !== 'string' || Number.isNaN(Date.parse(startDateTime)))
    throw badRequest('startDateTime must be a date and time.', 'startDateTime');
  if (present.some((each) => each.body['subtype'] === 'temporaryAccessPassAuthenticationMethod'))
    throw badRequest('The user has a temporary access pass already: remove it first.');
  const temporaryAccessPass = randomBytes(6).toString('base64url');
  return { fields: { startDateTime, lifetimeInMinutes, isUsableOnce }, shownOnce: { temporaryAccessPass } };
}

function text(given: Body, name: string): string {
  const value = given[name];
  if (typeof value === 'string' && value !== '') return value;
  throw badRequest(`Required property '${name}' is missing.`, name);
}

function only(given: Body, names: readonly string[]): void {
  const wrong = Object.keys(given).find((name) => !names.includes(name));
  if (wrong !== undefined) throw badRequest(`Property '${wrong}' cannot be set.`, wrong);
}

function base32(bytes: Buffer): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('');
}
