import { Optional } from '@sinclair/typebox';
import { webRedirectMistake } from './redirect-uri.js';
import { kind } from '../schema/kind.js';
import type { Declared } from '../schema/shapes.js';
import { closed, flag, guid, list, reference, text, words } from '../schema/shapes.js';

/** The client secret of a registration. */
export const registrationSecretSchema = closed(
  {
    displayName: Optional(text('What the directory shows the secret as.', { minLength: 1, maxLength: 120 })),
    expires: Optional(text('When the secret ends: ISO 8601 in UTC without fractions, such as 2027-05-01T00:00:00Z.', { minLength: 1 })),
    rotation: Optional(text('Any word; when it changes, a new secret is made before the old one is removed.', { minLength: 1 })),
  },
  { description: 'The client secret of the registration.' },
);

/** A role that an application defines for its users or for other applications. */
export const appRoleSchema = closed(
  {
    id: guid('The id of the role; it must never change.'),
    displayName: text('The name of the role.', { minLength: 1 }),
    description: text('What who holds the role may do.', { minLength: 1 }),
    value: Optional(text('The word in the `roles` claim.', { pattern: '^\\S{1,120}$' })),
    allowedMemberTypes: list(words(['User', 'Application']), { description: 'Who may hold the role.', minItems: 1 }),
    enabled: Optional(flag('Whether the role can be given.', { default: true })),
  },
  { description: 'A role that the application defines.' },
);

/** A permission scope of an API that a registration exposes. */
export const apiScopeSchema = closed(
  {
    id: guid('The id of the scope; it must never change.'),
    value: text('The word in the `scp` claim.', { pattern: '^\\S{1,120}$' }),
    adminConsentDisplayName: text('What an administrator is asked for.', { minLength: 1 }),
    adminConsentDescription: text('What consent allows.', { minLength: 1 }),
    userConsentDisplayName: Optional(text('What a user is asked for.', { minLength: 1 })),
    userConsentDescription: Optional(text('What consent of a user allows.', { minLength: 1 })),
    type: Optional(words(['User', 'Admin'], { description: 'Who may consent.' })),
    enabled: Optional(flag('Whether the scope can be asked for.', { default: true })),
  },
  { description: 'A permission scope of the API that the registration exposes.' },
);

/** The permissions that a registration asks of another API. */
export const requiredPermissionsSchema = closed(
  {
    resourceAppId: guid('The application id of the API.'),
    roles: Optional(list(guid('An application permission.'), { description: 'Application permissions, by id.' })),
    scopes: Optional(list(guid('A delegated permission.'), { description: 'Delegated permissions, by id.' })),
  },
  { description: 'Permissions asked of another API.' },
);

/** The application registration of an identity provider in the directory (spec 000, "Configuring the directory identity provider"). */
export const registration = kind({
  meaning: 'An application registration of the directory, for signing in.',
  terraform: {
    whole: ['azuread_application_registration', 'azuread_application'],
    beside: ['azuread_application_redirect_uris', 'azuread_application_password'],
  },
  properties: {
    displayName: text('The name that people see when they sign in.', { minLength: 1, maxLength: 256, terraform: 'display_name' }),
    description: Optional(text('What the registration is for.', { maxLength: 1024 })),
    signInAudience: Optional(
      words(['AzureADMyOrg', 'AzureADMultipleOrgs', 'AzureADandPersonalMicrosoftAccount', 'PersonalMicrosoftAccount'], {
        description: 'Who may sign in. The sign-in layer needs the home tenant.',
        default: 'AzureADMyOrg',
      }),
    ),
    idTokens: Optional(flag('Whether ID tokens are issued; the sign-in layer needs them.', { default: true })),
    accessTokens: Optional(flag('Whether access tokens are issued by the implicit flow.', { default: false })),
    redirectUris: Optional(
      list(text('A web redirect URI.', { minLength: 1, maxLength: 256, refuses: webRedirectMistake }), {
        description: 'Web redirect URIs besides those of the apps that use the registration, which are added by themselves.',
        maxItems: 256,
      }),
    ),
    logoutUrl: Optional(text('The address that the directory calls when someone signs out.', { minLength: 1, maxLength: 255 })),
    homepageUrl: Optional(text("The application's home page.", { minLength: 1 })),
    owners: Optional(
      list(reference(['principals'], 'A user or service principal.'), {
        description: 'Owners by principal name.',
        minItems: 1,
        maxItems: 100,
      }),
    ),
    secret: Optional(registrationSecretSchema),
    assignmentRequired: Optional(flag('Whether only principals with an assignment may sign in.', { default: false })),
    groupMembershipClaims: Optional(
      list(words(['All', 'None', 'ApplicationGroup', 'DirectoryRole', 'SecurityGroup']), { description: 'Which groups tokens name.' }),
    ),
    identifierUris: Optional(list(text('An identifier URI.', { minLength: 1 }), { description: 'The URIs that name the API.' })),
    appRoles: Optional(list(appRoleSchema, { description: 'Roles that the application defines.' })),
    scopes: Optional(list(apiScopeSchema, { description: 'Permission scopes of the API that the registration exposes.' })),
    requiredPermissions: Optional(list(requiredPermissionsSchema, { description: 'Permissions asked of other APIs.' })),
    notes: Optional(text('Notes for the people who manage the registration.', { maxLength: 1024 })),
    tags: Optional(list(text('A tag.', { minLength: 1, maxLength: 256 }), { description: 'Tags of the application.' })),
  },
  limits: {
    /** Longer names can't be edited in the portal. */
    portalDisplayName: 120,
    bindsPerRequest: 20,
    /** A secret lives for two years at most, one of them a leap year; longer ones are cut off by many tenants' policies. */
    secretLifetimeInDays: { maximum: 731, warnBefore: 30 },
  },
});

/** An application registration of the directory, for signing in. */
export type RegistrationProps = Declared<typeof registration.schema>;
