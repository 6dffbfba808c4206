import { registration } from '../registration/registration.js';
import { kind } from '../schema/kind.js';
import {
  anyObject,
  closedObject,
  boolean,
  dateTime,
  enumOf,
  guid,
  integer,
  list,
  objectList,
  text,
  textList,
} from '../schema/schema-builders.js';

const {
  displayName,
  description,
  groupMembershipClaims,
  identifierUris,
  notes,
  signInAudience,
  tags,
  appRoles,
} = registration.properties;

/**
 * The application object of the directory, which a registration creates. A registration declares
 * its sign-in part, most of it in `web` and `api`; these are the other properties of the object.
 */
export const application = kind(() => ({
  meaning: 'An application object of the directory.',
  terraform: { resourceTypes: registration.terraform.resourceTypes },
  properties: {
    displayName,
    description,
    groupMembershipClaims,
    identifierUris,
    isDeviceOnlyAuthSupported: boolean('Whether devices sign in without a person.'),
    isFallbackPublicClient: boolean(
      'Whether the application counts as a public client where the flow does not determine it.',
    ),
    nativeAuthenticationApisEnabled: text('Whether native authentication is allowed.'),
    notes,
    serviceManagementReference: text(
      'Reference to the application in an asset management database.',
    ),
    signInAudience,
    tags,
    tokenEncryptionKeyId: text('The key that tokens are encrypted with.'),
    samlMetadataUrl: text('The address of the SAML metadata.'),
    defaultRedirectUri: text('The default redirect URI.'),
    optionalClaims: anyObject('Claims that tokens carry besides the usual ones.'),
    servicePrincipalLockConfiguration: anyObject(
      'Properties that are locked on service principals.',
    ),
    requestSignatureVerification: anyObject('How signatures of requests are verified.'),
    oauth2RequirePostResponse: boolean('Whether the response of a sign-in is sent by POST.', {
      returned: 'select',
    }),
    authenticationBehaviors: anyObject('Settings that change the default behaviour.', {
      returned: 'select',
    }),
    addIns: objectList('Endpoints that other services call.'),
    appRoles,
    api: anyObject('The API that the application exposes.'),
    info: anyObject('Addresses of the terms of service, support and so on.'),
    keyCredentials: objectList('Certificates that prove who the application is.'),
    parentalControlSettings: anyObject(
      'Settings for minors, such as countries that require parental consent.',
    ),
    passwordCredentials: objectList('Client secrets, without their values.'),
    publicClient: anyObject('Redirect URIs of applications on devices.'),
    requiredResourceAccess: objectList('Requested permissions for other APIs.'),
    web: anyObject('Redirect URIs and addresses of a web application.'),
    spa: anyObject('Redirect URIs of single-page applications.'),
  },
  setByService: {
    id: 'The object id.',
    deletedDateTime: dateTime('When the application was deleted.'),
    appId: 'The client id.',
    applicationTemplateId: 'The template that the application was made from.',
    disabledByMicrosoftStatus: 'Whether the cloud has disabled the application.',
    createdDateTime: dateTime('When the application was created.'),
    publisherDomain: 'The verified domain of the publisher.',
    uniqueName: 'An alternate key.',
    certification: anyObject('How the application is certified.'),
    verifiedPublisher: anyObject('The verified publisher.'),
  },
}));

const optionalClaim = closedObject(
  {
    name: text('The name of the claim.', { minLength: 1 }),
    source: text('Where the claim is taken from.'),
    essential: boolean('Whether the application needs the claim.'),
    additionalProperties: textList('How the claim is written.'),
  },
  { description: 'An optional claim.' },
);

/**
 * What is inside the objects of an application where a registration does not describe it; the
 * service checks bodies against it.
 */
export const applicationMembers = {
  acceptMappedClaims: boolean('Whether claims are mapped without a signing key of its own.', {
    api: 'api.acceptMappedClaims',
  }),
  requestedAccessTokenVersion: enumOf([1, 2], {
    description: 'The version of access tokens that the API accepts.',
    api: 'api.requestedAccessTokenVersion',
  }),
  knownClientApplications: list(guid('A client id.'), {
    description: 'Clients to which consent is given together with the API.',
    api: 'api.knownClientApplications',
  }),
  preAuthorizedApplications: list(
    closedObject(
      {
        appId: guid('The client id.'),
        delegatedPermissionIds: textList('The scopes that the client gets.'),
      },
      { description: 'A client.' },
    ),
    {
      description: 'Clients for which nobody is asked to consent.',
      api: 'api.preAuthorizedApplications',
    },
  ),
  ...Object.fromEntries(
    ['marketingUrl', 'privacyStatementUrl', 'supportUrl', 'termsOfServiceUrl'].map((name) => [
      name,
      text('An address.', { api: `info.${name}` }),
    ]),
  ),
  ...Object.fromEntries(
    ['accessToken', 'idToken', 'saml2Token'].map((token) => [
      token,
      list(optionalClaim, {
        description: 'The optional claims of a token.',
        api: `optionalClaims.${token}`,
      }),
    ]),
  ),
};

/** A federated identity: a token of another issuer that is accepted in place of a secret. */
export const federatedCredentialSchema = closedObject(
  {
    name: text('The name of the credential.', {
      minLength: 1,
      maxLength: 120,
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
    }),
    issuer: text('The issuer of the tokens.', { minLength: 1, maxLength: 600 }),
    audiences: list(text('An audience.', { maxLength: 600 }), {
      description: 'The audiences that tokens may carry.',
      minItems: 1,
    }),
    subject: text('The subject of the tokens.', { maxLength: 600 }),
    description: text('What the credential is for.', { maxLength: 600 }),
    claimsMatchingExpression: closedObject(
      {
        value: text('The condition.', { minLength: 1 }),
        languageVersion: integer('The version of the language of the condition.', { minimum: 1 }),
      },
      {
        description: 'A condition on the claims of tokens, in place of `subject`.',
        required: ['value', 'languageVersion'],
      },
    ),
  },
  {
    description: 'A federated identity credential of an application.',
    required: ['name', 'issuer', 'audiences'],
  },
);

/** The most federated identities of an application. */
export const maxFederatedCredentials = 20;
