import type { ContainerAppDeclaration } from '../generated/declarations.js';
import type { Group } from '../directory/group.js';
import type { Principal } from '../directory/principal.js';
import type { ProviderRegistration } from '../identity/provider-registration.js';

type AuthDeclaration = NonNullable<ContainerAppDeclaration['auth']>;
type DirectoryDeclaration = NonNullable<AuthDeclaration['providers']['directory']>;

/** The directory identity platform as a provider of an app. */
export interface DirectoryProvider extends Omit<
  DirectoryDeclaration,
  'registration' | 'allowedGroups' | 'allowedPrincipals' | 'claimGroups'
> {
  /** The registration to sign in with: client id, secret and redirect URI follow from it. Or give `clientId`. */
  readonly registration?: ProviderRegistration;
  /** Only members of these groups get in. */
  readonly allowedGroups?: readonly (Group | Principal | string)[];
  /** Only these users and service principals get in. */
  readonly allowedPrincipals?: readonly (Principal | string)[];
  /** Groups of which the `groups` claim of a token must name one. */
  readonly claimGroups?: readonly (Group | Principal | string)[];
}

/** The identity providers of an app, by the specs' words. */
export interface AuthProviders extends Omit<AuthDeclaration['providers'], 'directory'> {
  /** The directory identity platform. */
  readonly directory?: DirectoryProvider;
}

/** Everything that may be declared of an app's sign-in layer. */
export interface AuthSettings extends Omit<AuthDeclaration, 'providers'> {
  /** The identity providers that people may sign in with. */
  readonly providers: AuthProviders;
}
