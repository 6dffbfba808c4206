/** A kind of authentication method. */
export interface MethodSubtype {
  /** The type's name without namespace. */
  readonly name: string;
  /** The collection of methods of this kind: `/users/{id}/authentication/phoneMethods`. */
  readonly collection: string;
  /** Fields beside `id` and the date, in the order of an answer. */
  readonly fields: readonly string[];
  /** The one id that every method of this kind has. */
  readonly fixedId?: string;
  /** Fields that are never shown: always null. */
  readonly secret?: readonly string[];
}

/** The ids of phone methods by their phone type: one phone of each. */
export const phoneIds: Readonly<Record<string, string>> = {
  mobile: '3179e48a-750b-4051-897c-87b9720928f7',
  alternateMobile: 'b6332ec1-7057-4abe-9331-3d72feddfe41',
  office: 'e37fc753-ff3b-4958-9484-eaa9425c82bc',
};

/** Every kind of authentication method (directory rules, "Authentication method", and the published subtypes). */
export const methodSubtypes: readonly MethodSubtype[] = [
  {
    name: 'passwordAuthenticationMethod',
    collection: 'passwordMethods',
    fields: ['password'],
    fixedId: '28c10230-6103-485e-b985-444c60001490',
    secret: ['password'],
  },
  { name: 'phoneAuthenticationMethod', collection: 'phoneMethods', fields: ['phoneNumber', 'phoneType', 'smsSignInState'] },
  {
    name: 'emailAuthenticationMethod',
    collection: 'emailMethods',
    fields: ['emailAddress'],
    fixedId: '3ddfcfc8-9383-446f-83cc-3ab9be4be18f',
  },
  {
    name: 'fido2AuthenticationMethod',
    collection: 'fido2Methods',
    fields: ['aaGuid', 'attestationCertificates', 'attestationLevel', 'displayName', 'model', 'passkeyType', 'publicKeyCredential'],
  },
  {
    name: 'microsoftAuthenticatorAuthenticationMethod',
    collection: 'microsoftAuthenticatorMethods',
    fields: ['deviceTag', 'displayName', 'phoneAppVersion'],
  },
  { name: 'softwareOathAuthenticationMethod', collection: 'softwareOathMethods', fields: ['secretKey'], secret: ['secretKey'] },
  {
    name: 'temporaryAccessPassAuthenticationMethod',
    collection: 'temporaryAccessPassMethods',
    fields: ['isUsable', 'isUsableOnce', 'lifetimeInMinutes', 'methodUsabilityReason', 'startDateTime', 'temporaryAccessPass'],
    secret: ['temporaryAccessPass'],
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
  { name: 'externalAuthenticationMethod', collection: 'externalAuthenticationMethods', fields: ['configurationId', 'displayName'] },
  { name: 'qrCodePinAuthenticationMethod', collection: 'qrCodePinMethod', fields: [] },
];

/** The subtype that a seed or a path names, with or without `#` and namespace. */
export function findSubtype(name: string): MethodSubtype | undefined {
  const bare = name.replace(/^#?([\w]+\.)*/, '').toLowerCase();
  return methodSubtypes.find((subtype) => subtype.name.toLowerCase() === bare);
}
