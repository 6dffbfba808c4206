import { Application } from '@cdktf/provider-azuread/lib/application';
import { ApplicationRegistration } from '@cdktf/provider-azuread/lib/application-registration';
import { caller, objectIdsOf, type Principal } from '../directory/principal.js';
import type { Construct } from '../internal/cdktf.js';
import { literalData, literalText, optionalText } from '../internal/literal-text.js';
import type { RegistrationDeclaration } from '../generated/props.js';

/** The application object, by whichever resource can say what is declared. */
export type ApplicationResource = Application | ApplicationRegistration;

/**
 * `azuread_application_registration` where it can say everything: it needs fewer requests and leaves redirect URIs to their own
 * resource. `azuread_application` only for owners, roles, scopes, identifiers, permissions and tags.
 */
export function createApplication(scope: Construct, props: ProviderRegistrationProps, claims: string[]): ApplicationResource {
  return needsWholeApplication(props) ? wholeApplication(scope, props, claims) : registration(scope, props, claims);
}

function needsWholeApplication(props: ProviderRegistrationProps): boolean {
  const { owners, appRoles, scopes, identifierUris, requiredPermissions, tags } = props;
  return [owners, appRoles, scopes, identifierUris, requiredPermissions, tags].some((each) => each !== undefined);
}

function registration(scope: Construct, props: ProviderRegistrationProps, claims: string[]): ApplicationRegistration {
  return new ApplicationRegistration(scope, 'Default', {
    ...commonConfig(props),
    groupMembershipClaims: claims,
    homepageUrl: optionalText(props.homepageUrl),
    logoutUrl: optionalText(props.logoutUrl),
    implicitIdTokenIssuanceEnabled: props.idTokens ?? true,
    implicitAccessTokenIssuanceEnabled: props.accessTokens,
  });
}

function wholeApplication(scope: Construct, props: ProviderRegistrationProps, claims: string[]): Application {
  const { appRoles, scopes, identifierUris, requiredPermissions, tags } = props;
  return new Application(scope, 'Default', {
    ...commonConfig(props),
    // without owners, an application that may only manage what it owns locks itself out
    owners: objectIdsOf(props.owners) ?? [caller(scope).objectId],
    groupMembershipClaims: claims,
    identifierUris: identifierUris?.map(literalText),
    tags: tags?.map(literalText),
    web: {
      homepageUrl: optionalText(props.homepageUrl),
      logoutUrl: optionalText(props.logoutUrl),
      implicitGrant: {
        idTokenIssuanceEnabled: props.idTokens ?? true,
        ...(props.accessTokens === undefined ? {} : { accessTokenIssuanceEnabled: props.accessTokens }),
      },
    },
    api: { requestedAccessTokenVersion: 2, oauth2PermissionScope: scopes?.map((each) => literalData(scopeConfig(each))) },
    appRole: appRoles?.map((role) =>
      literalData({ ...role, allowedMemberTypes: [...role.allowedMemberTypes], enabled: role.enabled ?? true }),
    ),
    requiredResourceAccess: requiredPermissions?.map(({ resourceAppId, roles = [], scopes: delegated = [] }) => ({
      resourceAppId,
      resourceAccess: [...roles.map((id) => ({ id, type: 'Role' })), ...delegated.map((id) => ({ id, type: 'Scope' }))],
    })),
    lifecycle: { ignoreChanges: ['web[0].redirect_uris'] }, // azuread_application_redirect_uris has them
  });
}

function commonConfig({ displayName, description, notes, signInAudience }: ProviderRegistrationProps) {
  return {
    displayName: literalText(displayName),
    description: optionalText(description),
    notes: optionalText(notes),
    signInAudience: signInAudience ?? 'AzureADMyOrg',
  };
}

function scopeConfig(scope: NonNullable<ProviderRegistrationProps['scopes']>[number]) {
  return { ...scope, type: scope.type ?? 'User', enabled: scope.enabled ?? true };
}

/** Everything that may be declared of a registration. */
export interface ProviderRegistrationProps extends Omit<RegistrationDeclaration, 'owners'> {
  /** Who manages the registration: users and service principals, as principals or object ids. @default the directory decides. */
  readonly owners?: readonly (Principal | string)[];
}
