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
import { registration as registrationKind } from '../../kinds/registration/registration.js';
import { toPrebuiltBindingConfig } from '../internal/binding-config.js';
import { escapeInterpolationIn } from '../internal/interpolation.js';
import type { RegistrationDeclaration } from '../generated/props.js';
import type { MetaArguments } from '../internal/meta-arguments.js';

/** The application object, as the resource type that supports the declaration. */
export type ApplicationResource = Application | ApplicationRegistration;

/**
 * Creates the application object: an `azuread_application` for owners, roles, scopes, identifiers,
 * permissions and tags, otherwise an `azuread_application_registration`, which sends fewer requests
 * and leaves redirect URIs to a resource of their own.
 *
 * @param claims the values of `group_membership_claims`.
 * @param defaultOwner returns the object id of the owner for an application without owners.
 */
export function createApplication(
  scope: Construct,
  props: RegistrationProps,
  claims: string[],
  defaultOwner: () => string,
): ApplicationResource {
  return needsFullApplication(props)
    ? createFullApplication(scope, props, claims, defaultOwner)
    : createRegistrationOnly(scope, props, claims);
}

function needsFullApplication(props: RegistrationProps): boolean {
  const { owners, appRoles, scopes, identifierUris, requiredPermissions, tags } = props;
  return [owners, appRoles, scopes, identifierUris, requiredPermissions, tags].some(
    (each) => each !== undefined,
  );
}

function createRegistrationOnly(
  scope: Construct,
  props: RegistrationProps,
  claims: string[],
): ApplicationRegistration {
  return new ApplicationRegistration(scope, 'Default', {
    ...applicationConfig<ApplicationRegistrationConfig>('azuread_application_registration', props),
    groupMembershipClaims: claims,
  });
}

function createFullApplication(
  scope: Construct,
  props: RegistrationProps,
  claims: string[],
  defaultOwner: () => string,
): Application {
  const { appRoles, scopes, requiredPermissions } = props;
  const type = 'azuread_application';
  return new Application(scope, 'Default', {
    ...applicationConfig<ApplicationConfig>(type, props),
    // without owners, an application that may only manage its own objects would lose access
    owners: objectIdsOf(props.owners) ?? [defaultOwner()],
    groupMembershipClaims: claims,
    web: {
      ...applicationConfig<ApplicationWeb>(type, props, 'web.0.'),
      implicitGrant: applicationConfig(type, props, 'web.0.implicit_grant.0.'),
    },
    api: apiConfig(scopes),
    appRole: appRoles?.map(roleConfig),
    requiredResourceAccess: requiredPermissions?.map(
      ({ resourceAppId, roles = [], scopes: scopeIds = [] }) => ({
        resourceAppId,
        resourceAccess: [
          ...roles.map((id) => ({ id, type: 'Role' })),
          ...scopeIds.map((id) => ({ id, type: 'Scope' })),
        ],
      }),
    ),
    lifecycle: { ignoreChanges: ['web[0].redirect_uris'] }, // azuread_application_redirect_uris manages them
  });
}

function applicationConfig<Config>(
  type: string,
  props: RegistrationProps,
  blockPrefix?: string,
): Config {
  const { signInAudience = 'AzureADMyOrg', idTokens = true } = props;
  return toPrebuiltBindingConfig<Config>(
    registrationKind.properties,
    type,
    { ...props, signInAudience, idTokens, redirectUris: [] },
    blockPrefix,
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
