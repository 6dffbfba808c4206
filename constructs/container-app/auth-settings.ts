import { identityProviders } from '../../core/dialect/dialect.js';
import { isGuid } from '../../core/values/guid.js';
import { defaultApiPrefix } from '../../kinds/auth/path-pattern.js';
import { issuerOfTenant, providerKeys } from '../../kinds/auth/auth-body.js';
import { mapRequiredGroups } from '../../kinds/auth/requirements.js';
import { type ResolvedAuth, mapDirectoryProvider } from '../../kinds/auth/resolved-auth.js';
import { currentClientConfig } from '../directory/client-config.js';
import { type IGroup, type IPrincipal, objectIdOf, objectIdsOf } from '../directory/references.js';
import type { ContainerAppDeclaration } from '../generated/props.js';
import type { IRegistration } from '../identity/registration.js';
import { type Construct, type TerraformProvider, Token } from '../internal/cdktf.js';
import { cloudSettings } from '../internal/cloud-settings.js';

type AuthDeclaration = NonNullable<ContainerAppDeclaration['auth']>;
type RequirementDeclaration = NonNullable<AuthDeclaration['requirements']>[number];
type DirectoryDeclaration = NonNullable<AuthDeclaration['providers']['directory']>;

/** The directory identity platform as a provider of an app. */
export interface DirectoryProvider extends Omit<
  DirectoryDeclaration,
  'registration' | 'allowedGroups' | 'allowedPrincipals' | 'claimGroups'
> {
  /**
   * The registration to sign in with. One of the app's program sets client id, secret and redirect
   * URI; one that exists already sets the client id and needs a `clientSecret`. Otherwise give
   * `clientId`.
   */
  readonly registration?: IRegistration | undefined;
  /** Only members of these groups get in. */
  readonly allowedGroups?: readonly (IGroup | string)[] | undefined;
  /** Only these users and service principals get in. */
  readonly allowedPrincipals?: readonly (IPrincipal | string)[] | undefined;
  /** Groups of which the `groups` claim of a token must name one. */
  readonly claimGroups?: readonly (IGroup | string)[] | undefined;
}

/** The identity providers of an app, by their names in castellan.yaml. */
export interface AuthProviders extends Omit<AuthDeclaration['providers'], 'directory'> {
  /** The directory identity platform. */
  readonly directory?: DirectoryProvider | undefined;
}

/** The properties of an app's sign-in layer. */
export interface AuthSettings extends Omit<AuthDeclaration, 'providers' | 'requirements'> {
  /** The identity providers for sign-in. */
  readonly providers: AuthProviders;
  /**
   * What people need for paths of the app, beyond a sign-in; the longest matching path applies.
   * The sandbox and `castellan sidecar` enforce requirements, the cloud does not have them.
   */
  readonly requirements?: readonly AuthRequirement[] | undefined;
}

/** What people need to reach a path of an app, and all paths below it. */
export interface AuthRequirement extends Omit<RequirementDeclaration, 'groups'> {
  /** Groups of which a person needs one. */
  readonly groups?: readonly (IGroup | string)[] | undefined;
}

/** Sign-in settings with resolved references: object ids, and values known after apply. */
export function resolveAuth(
  scope: Construct,
  auth: AuthSettings,
  azuread: TerraformProvider | undefined,
): ResolvedAuth {
  const { openIdConnect } = auth.providers;
  // custom providers have their own group names; a token may stand for a whole list
  const groupName = (group: IGroup | string): string =>
    typeof group === 'string' &&
    (Token.isUnresolved([group]) || (openIdConnect !== undefined && !isGuid(group)))
      ? group
      : objectIdOf(group);
  return mapDirectoryProvider(
    { ...auth, requirements: mapRequiredGroups(auth.requirements, groupName) },
    ({ allowedGroups, allowedPrincipals, claimGroups, tenantId, issuer, ...provider }) => ({
      ...provider,
      issuer:
        issuer ??
        issuerOfTenant(
          tenantId ?? cloudSettings(scope).tenantId ?? currentClientConfig(scope, azuread).tenantId,
        ),
      allowedGroups: toObjectIds(allowedGroups),
      allowedPrincipals: toObjectIds(allowedPrincipals),
      claimGroups: toObjectIds(claimGroups),
    }),
    // secrets are still objects, which `AppSecrets` takes like references
  ) as ResolvedAuth;
}

/** The object ids of a list; an empty one stays empty, as it lets nobody in. */
function toObjectIds(
  references: readonly (IPrincipal | string)[] | undefined,
): string[] | undefined {
  return references?.length === 0 ? [] : objectIdsOf(references);
}

/**
 * Sign-in settings in the form of castellan.yaml: an existing registration is a client id there.
 */
export function toDeclaredAuth(auth: AuthSettings): AuthSettings {
  return mapDirectoryProvider(auth, ({ registration, ...provider }) =>
    registration === undefined || 'clientSecret' in registration
      ? { ...provider, registration }
      : { clientId: registration.clientId, ...provider },
  );
}

/** The path of a provider's redirect URI, by the name that a dialect has for the provider. */
export function callbackPath(
  provider: keyof typeof providerKeys,
  prefix: string = defaultApiPrefix,
  dialect: 'azure' | 'neutral' = 'azure',
): string {
  return `${prefix}/login/${identityProviders[providerKeys[provider]][dialect][0]}/callback`;
}
