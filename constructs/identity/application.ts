import {
  Application,
  type ApplicationConfig,
  type ApplicationWeb,
} from '@cdktf/provider-azuread/lib/application';
import {
  ApplicationRegistration,
  type ApplicationRegistrationConfig,
} from '@cdktf/provider-azuread/lib/application-registration';
import { type IPrincipal, objectIdsOf } from '../directory/references.js';
import type { Construct } from '../internal/cdktf.js';
import { registration as described } from '../../kinds/registration/registration.js';
import { bindingBlockOf } from '../internal/declared-attributes.js';
import { escapeInterpolationIn } from '../internal/interpolation.js';
import type { RegistrationDeclaration } from '../generated/props.js';
import type { MetaArguments } from '../internal/meta-arguments.js';

/** The application object, as the resource type that supports the declaration. */
export type ApplicationResource = Application | ApplicationRegistration;

/**
 * `azuread_application_registration` if it supports everything: it sends fewer requests and leaves
 * redirect URIs to their own resource. `azuread_application` only for owners, roles, scopes,
 * identifiers, permissions and tags.
 *
 * @param defaultOwner the object id of the owner of an application without owners.
 */
export function createApplication(
  scope: Construct,
  props: RegistrationProps,
  claims: string[],
  defaultOwner: () => string,
): ApplicationResource {
  return needsWholeApplication(props)
    ? wholeApplication(scope, props, claims, defaultOwner)
    : registration(scope, props, claims);
}

function needsWholeApplication(props: RegistrationProps): boolean {
  const { owners, appRoles, scopes, identifierUris, requiredPermissions, tags } = props;
  return [owners, appRoles, scopes, identifierUris, requiredPermissions, tags].some(
    (each) => each !== undefined,
  );
}

function registration(
  scope: Construct,
  props: RegistrationProps,
  claims: string[],
): ApplicationRegistration {
  return new ApplicationRegistration(scope, 'Default', {
    ...configOf<ApplicationRegistrationConfig>('azuread_application_registration', props),
    groupMembershipClaims: claims,
  });
}

function wholeApplication(
  scope: Construct,
  props: RegistrationProps,
  claims: string[],
  defaultOwner: () => string,
): Application {
  const { appRoles, scopes, requiredPermissions } = props;
  const type = 'azuread_application';
  return new Application(scope, 'Default', {
    ...configOf<ApplicationConfig>(type, props),
    // without owners, an application that may only manage its own objects would lose access
    owners: objectIdsOf(props.owners) ?? [defaultOwner()],
    groupMembershipClaims: claims,
    web: {
      ...configOf<ApplicationWeb>(type, props, 'web.0.'),
      implicitGrant: configOf(type, props, 'web.0.implicit_grant.0.'),
    },
    api: apiConfig(scopes),
    appRole: appRoles?.map(roleConfig),
    requiredResourceAccess: requiredPermissions?.map(
      ({ resourceAppId, roles = [], scopes: delegated = [] }) => ({
        resourceAppId,
        resourceAccess: [
          ...roles.map((id) => ({ id, type: 'Role' })),
          ...delegated.map((id) => ({ id, type: 'Scope' })),
        ],
      }),
    ),
    lifecycle: { ignoreChanges: ['web[0].redirect_uris'] }, // azuread_application_redirect_uris manages them
  });
}

function configOf<Config>(type: string, props: RegistrationProps, below?: string): Config {
  const { signInAudience = 'AzureADMyOrg', idTokens = true } = props;
  return bindingBlockOf<Config>(
    described.properties,
    type,
    { ...props, signInAudience, idTokens, redirectUris: [] },
    below,
  );
}

function roleConfig(role: AppRole) {
  return escapeInterpolationIn({
    ...role,
    allowedMemberTypes: [...role.allowedMemberTypes],
    enabled: role.enabled ?? true,
  });
}

function apiConfig(scopes: RegistrationProps['scopes']) {
  return { requestedAccessTokenVersion: 2, oauth2PermissionScope: scopes?.map(scopeConfig) };
}

function scopeConfig(scope: ApiScope) {
  return escapeInterpolationIn({
    ...scope,
    type: scope.type ?? 'User',
    enabled: scope.enabled ?? true,
  });
}

/** Writes the roles and scopes of a registration to its application. */
export function writeRolesAndScopes(
  application: Application,
  { appRoles = [], scopes = [] }: RegistrationProps,
): void {
  if (appRoles.length > 0) application.putAppRole(appRoles.map(roleConfig));
  if (scopes.length > 0) application.putApi(apiConfig(scopes));
}

/** A role that an application defines for its users, or for other applications. */
export type AppRole = NonNullable<RegistrationDeclaration['appRoles']>[number];
/** A permission scope of the API that a registration exposes. */
export type ApiScope = NonNullable<RegistrationDeclaration['scopes']>[number];

/** The properties of a registration. */
export interface RegistrationProps extends Omit<RegistrationDeclaration, 'owners'>, MetaArguments {
  /**
   * The owners of the registration: users and service principals, as principals or object ids.
   * @default the directory decides.
   */
  readonly owners?: readonly (IPrincipal | string)[] | undefined;
}
