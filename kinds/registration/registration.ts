import {
  identifierUriMistake,
  signOutAddressMistake,
  webAddressMistake,
  webRedirectMistake,
} from './registration-uris.js';
import { kind } from '../schema/kind.js';
import {
  closedObject,
  type DeclarationOf,
  boolean,
  guid,
  list,
  reference,
  text,
  enumOf,
} from '../schema/schema-builders.js';

/** The client secret of a registration. */
export const registrationSecretSchema = () =>
  closedObject(
    {
      displayName: text('The display name of the secret in the directory.', {
        minLength: 1,
        maxLength: 120,
        terraform: {
          azuread_application_password: 'display_name',
          azuread_application: 'password.0.display_name',
        },
      }),
      expires: text(
        'When the secret ends: ISO 8601 in UTC without fractions, such as 2027-05-01T00:00:00Z.',
        {
          minLength: 1,
          terraform: {
            azuread_application_password: { at: 'end_date', dropsFractionalSeconds: true },
            azuread_application: { at: 'password.0.end_date', dropsFractionalSeconds: true },
          },
        },
      ),
      rotation: text(
        'Any word; when it changes, a new secret is created before the old one is deleted.',
        {
          minLength: 1,
          terraform: { azuread_application_password: 'rotate_when_changed.rotation' },
        },
      ),
    },
    { description: 'The client secret of the registration.' },
  );

const emptyTextForNone = {
  values: [''],
  because: 'the official provider sends an empty text for none',
} as const;

/** The limits of the value of a role or scope in a token. */
const claimValue = {
  pattern: '^\\S{1,120}$',
  patternDescription: 'at most 120 characters without blanks',
  terraform: 'value',
  validate: claimValueMistake,
  alsoAcceptedByApi: {
    pattern: "^$|^(?!\\.)[\\w:!#$%&'()*+,\\-.\\/;<=>?@[\\]^`{|}~]{1,249}$",
    because: 'the official provider sends words of up to 249 characters, and an empty one for none',
  },
} as const;

/** A role that an application defines for its users or for other applications. */
export const appRoleSchema = () =>
  closedObject(
    {
      id: guid('The id of the role; it must never change.', { terraform: 'id' }),
      displayName: text('The name of the role.', { minLength: 1, terraform: 'display_name' }),
      description: text('What members of the role may do.', {
        minLength: 1,
        terraform: 'description',
      }),
      value: text('The word in the `roles` claim.', claimValue),
      allowedMemberTypes: list(enumOf(['User', 'Application']), {
        description: 'Who may have the role.',
        minItems: 1,
        terraform: 'allowed_member_types',
      }),
      enabled: boolean('Whether the role can be assigned.', {
        default: true,
        terraform: 'enabled',
        api: 'isEnabled',
      }),
    },
    {
      description: 'A role that the application defines.',
      required: ['id', 'displayName', 'description', 'allowedMemberTypes'],
    },
  );

/** A permission scope of a registration's API. */
export const apiScopeSchema = () =>
  closedObject(
    {
      id: guid('The id of the scope; it must never change.', { terraform: 'id' }),
      value: text('The word in the `scp` claim.', claimValue),
      adminConsentDisplayName: text('The title of the request to an administrator.', {
        minLength: 1,
        terraform: 'admin_consent_display_name',
      }),
      adminConsentDescription: text('What the consent of an administrator allows.', {
        minLength: 1,
        terraform: 'admin_consent_description',
      }),
      userConsentDisplayName: text('The title of the request to a user.', {
        minLength: 1,
        terraform: 'user_consent_display_name',
        alsoAcceptedByApi: emptyTextForNone,
      }),
      userConsentDescription: text('What the consent of a user allows.', {
        minLength: 1,
        terraform: 'user_consent_description',
        alsoAcceptedByApi: emptyTextForNone,
      }),
      type: enumOf(['User', 'Admin'], { description: 'Who may consent.', terraform: 'type' }),
      enabled: boolean('Whether the scope can be requested.', {
        default: true,
        terraform: 'enabled',
        api: 'isEnabled',
      }),
    },
    {
      description: 'A permission scope of the API that the registration exposes.',
      required: ['id', 'value', 'adminConsentDisplayName', 'adminConsentDescription'],
    },
  );

/** The permissions for another API that a registration requests. */
export const requiredPermissionsSchema = () =>
  closedObject(
    {
      resourceAppId: guid('The application id of the API.', { terraform: 'resource_app_id' }),
      roles: list(guid('An application permission.'), {
        description: 'Application permissions, by id.',
        terraform: { at: 'resource_access', where: { type: 'Role' }, member: 'id' },
      }),
      scopes: list(guid('A delegated permission.'), {
        description: 'Delegated permissions, by id.',
        terraform: { at: 'resource_access', where: { type: 'Scope' }, member: 'id' },
      }),
    },
    { description: 'Requested permissions for another API.', required: ['resourceAppId'] },
  );

const emptyTextClears = {
  values: [''],
  because: 'clients clear an address with an empty text',
} as const;

/** The attributes of a property in the short resource and in the full one. */
const shortOrFull = (short: string, full: string) =>
  ({ terraform: { azuread_application_registration: short, azuread_application: full } }) as const;
/**
 * The attribute of a property that only the full resource has: declaring the first of these
 * properties, or removing the last one, replaces the resource.
 */
const fullOnly = (attribute: string) =>
  ({
    terraform: { azuread_application: attribute },
    replacementLoses: 'the client id, and with it every sign-in and permission',
  }) as const;

/**
 * The application registration of an identity provider in the directory (Sign-in rules,
 * "Configuring the directory identity provider").
 */
export const registration = kind(() => ({
  meaning: 'An application registration of the directory, for signing in.',
  terraform: {
    resourceTypes: ['azuread_application_registration', 'azuread_application'],
    additionalResourceTypes: [
      'azuread_application_redirect_uris',
      'azuread_application_password',
      'azuread_service_principal',
    ],
  },
  deletionLoses: 'the client id, and with it every sign-in and permission',
  required: ['displayName'],
  properties: {
    displayName: text('The name that people see when they sign in.', {
      minLength: 1,
      maxLength: 256,
      nonNullable: true,
      terraform: 'display_name',
    }),
    description: text('What the registration is for.', {
      maxLength: 1024,
      terraform: 'description',
    }),
    signInAudience: enumOf(
      [
        'AzureADMyOrg',
        'AzureADMultipleOrgs',
        'AzureADandPersonalMicrosoftAccount',
        'PersonalMicrosoftAccount',
      ],
      {
        description: 'Who may sign in. The sign-in layer needs the home tenant.',
        default: 'AzureADMyOrg',
        terraform: 'sign_in_audience',
      },
    ),
    idTokens: boolean('Whether ID tokens are issued; the sign-in layer needs them.', {
      default: true,
      ...shortOrFull(
        'implicit_id_token_issuance_enabled',
        'web.0.implicit_grant.0.id_token_issuance_enabled',
      ),
      api: 'web.implicitGrantSettings.enableIdTokenIssuance',
    }),
    accessTokens: boolean('Whether access tokens are issued by the implicit flow.', {
      default: false,
      ...shortOrFull(
        'implicit_access_token_issuance_enabled',
        'web.0.implicit_grant.0.access_token_issuance_enabled',
      ),
      api: 'web.implicitGrantSettings.enableAccessTokenIssuance',
    }),
    redirectUris: list(
      text('A web redirect URI.', { minLength: 1, maxLength: 256, validate: webRedirectMistake }),
      {
        description:
          'Web redirect URIs in addition to those of the apps that use the registration, which are added automatically.',
        maxItems: 256,
        terraform: {
          azuread_application_redirect_uris: 'redirect_uris',
          azuread_application: 'web.0.redirect_uris',
        },
        api: 'web.redirectUris',
      },
    ),
    logoutUrl: text('The address that the directory calls when someone signs out.', {
      minLength: 1,
      maxLength: 255,
      ...shortOrFull('logout_url', 'web.0.logout_url'),
      api: 'web.logoutUrl',
      validate: signOutAddressMistake,
      alsoAcceptedByApi: emptyTextClears,
    }),
    homepageUrl: text("The application's home page.", {
      minLength: 1,
      ...shortOrFull('homepage_url', 'web.0.homepage_url'),
      api: 'web.homePageUrl',
      validate: webAddressMistake,
      alsoAcceptedByApi: emptyTextClears,
    }),
    owners: list(reference(['principals'], 'A user or service principal.'), {
      description: 'Owners by principal name.',
      minItems: 1,
      maxItems: 100,
      ...fullOnly('owners'),
      separateRequest: true,
    }),
    secret: registrationSecretSchema(),
    assignmentRequired: boolean('Whether only principals with an assignment may sign in.', {
      default: false,
      terraform: { azuread_service_principal: 'app_role_assignment_required' },
      api: 'appRoleAssignmentRequired',
      separateRequest: true,
    }),
    groupMembershipClaims: list(
      enumOf(['All', 'None', 'ApplicationGroup', 'DirectoryRole', 'SecurityGroup']),
      {
        description: 'Which groups tokens contain.',
        terraform: 'group_membership_claims',
        separator: ',',
      },
    ),
    identifierUris: list(
      text('An identifier URI.', { minLength: 1, validate: identifierUriMistake }),
      {
        description: 'The URIs that identify the API.',
        ...fullOnly('identifier_uris'),
      },
    ),
    appRoles: list(appRoleSchema(), {
      description: 'Roles that the application defines.',
      ...fullOnly('app_role'),
    }),
    scopes: list(apiScopeSchema(), {
      description: 'Permission scopes of the API that the registration exposes.',
      ...fullOnly('api.0.oauth2_permission_scope'),
      api: 'api.oauth2PermissionScopes',
    }),
    requiredPermissions: list(requiredPermissionsSchema(), {
      description: 'Requested permissions for other APIs.',
      ...fullOnly('required_resource_access'),
      api: 'requiredResourceAccess',
    }),
    notes: text('Notes for the people who manage the registration.', {
      maxLength: 1024,
      terraform: 'notes',
    }),
    tags: list(text('A tag.', { minLength: 1, maxLength: 256 }), {
      description: 'Tags of the application.',
      ...fullOnly('tags'),
    }),
  },
  limits: {
    /** Longer names can't be edited in the portal. */
    portalDisplayName: 120,
    /** The most `@odata.bind` references in a request. */
    bindsPerRequest: 20,
    /**
     * A secret is valid for two years at most, one of them a leap year; many tenants' policies
     * shorten longer ones.
     */
    secretLifetimeInDays: { maximum: 731, warnBefore: 30 },
  },
}));

/** An application registration of the directory, for signing in. */
export type RegistrationProps = DeclarationOf<typeof registration.schema>;

/** Checks that the value of a role or scope has no character that tokens can't have there. */
function claimValueMistake(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.includes('${')) return undefined;
  if (value.startsWith('.')) return 'it cannot begin with a period';
  const forbiddenCharacter = [...value].find(
    (letter) => !/[\s\w:!#$%&'()*+,\-./;<=>?@[\]^`{|}~]/.test(letter),
  );
  return forbiddenCharacter === undefined
    ? undefined
    : `"${forbiddenCharacter}" is not allowed in it`;
}

/**
 * Which groups the tokens of a registration contain: as declared, otherwise what its apps need.
 * Security groups only if they suffice: the more groups a token lists, the sooner the list is cut
 * off.
 *
 * @param areSecurityGroups for each group that an app lets in, whether it is declared as a security
 *   group.
 */
export function groupClaimsOf(
  declared: readonly string[] | undefined,
  areSecurityGroups: readonly boolean[],
): readonly string[] {
  if (declared !== undefined) return declared;
  if (areSecurityGroups.length === 0) return [];
  return [areSecurityGroups.every(Boolean) ? 'SecurityGroup' : 'All'];
}
