import { registration } from '../registration/registration.js';
import { kind } from '../schema/kind.js';
import {
  anyObject,
  boolean,
  dateTime,
  objectList,
  text,
  textList,
} from '../schema/schema-builders.js';

/**
 * An application's representation in the tenant. A registration creates one; values of the
 * application are copied here whenever it changes.
 */
export const servicePrincipal = kind(() => ({
  meaning: 'An instance of an application in the tenant.',
  terraform: { resourceTypes: ['azuread_service_principal'] },
  // not asked of a request that creates one: it is copied from the application
  required: ['displayName'],
  properties: {
    displayName: text('The name, copied from the application.', { nonNullable: true }),

    accountEnabled: boolean('Whether anyone can sign in to the application.'),
    alternativeNames: textList('Names of managed identities.'),
    appId: text('The client id of the application; it never changes.'),
    appRoleAssignmentRequired: boolean(
      registration.properties.assignmentRequired.description ?? '',
    ),
    description: text('What the application is for.'),
    homepage: text('The home page.'),
    loginUrl: text('The address at which people start to sign in.'),
    logoutUrl: text('The address that the directory calls when someone signs out.'),
    notes: text('Notes of administrators about the service principal.'),
    notificationEmailAddresses: textList(
      'Mail addresses that are notified before a certificate expires.',
    ),
    preferredSingleSignOnMode: text('The mode of single sign-on, such as saml or oidc.'),
    preferredTokenSigningKeyThumbprint: text('The certificate that tokens are signed with.'),
    tags: textList('Words that group service principals, such as HideApp to hide it from people.'),
    tokenEncryptionKeyId: text('The key that tokens are encrypted with.'),
    samlMetadataUrl: text('The address of the SAML metadata.', { returned: 'select' }),
    samlSingleSignOnSettings: anyObject('Settings of sign-in by SAML.'),
    addIns: objectList('Endpoints that other services call.'),
    keyCredentials: objectList('Certificates that sign tokens or prove who the application is.'),
    passwordCredentials: objectList('Client secrets, without their values.'),
  },
  setByService: {
    id: 'The object id.',
    deletedDateTime: dateTime('When the service principal was deleted.'),
    appDisplayName: 'The name of the application.',
    appDescription: 'The description of the application.',
    applicationTemplateId: 'The template that the application was made from.',
    appOwnerOrganizationId: 'The tenant of the application.',
    createdDateTime: dateTime('When the service principal was created.'),
    disabledByMicrosoftStatus: 'Whether the cloud has disabled the application.',
    replyUrls: textList('All redirect URIs of the application.'),
    servicePrincipalNames: textList('The client id and the identifier URIs of the application.'),
    servicePrincipalType: 'The type, such as Application or ManagedIdentity.',
    signInAudience: 'Who may sign in.',
    appRoles: objectList('Roles of the application.'),
    info: anyObject('Addresses of the application.'),
    oauth2PermissionScopes: objectList('Permission scopes of the application.'),
    resourceSpecificApplicationPermissions: objectList('Permissions for single resources.'),
    verifiedPublisher: anyObject('The verified publisher.'),
  },
}));
