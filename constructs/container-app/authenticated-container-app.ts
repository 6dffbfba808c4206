import { identityProviders } from '../../core/dialect/dialect.js';
import { authProperties, providerKeys, issuerOfTenant } from '../../kinds/auth/auth-body.js';
import type { Construct } from '../internal/cdktf.js';
import { AzapiResource } from '../internal/azapi.js';
import { cloudSettings } from '../internal/cloud-settings.js';
import { literalData } from '../internal/literal-text.js';
import { requireProvider } from '../internal/providers.js';
import { ContainerApp, type ContainerAppProps } from './container-app.js';
import { type ResolvedAuth, withDirectory } from '../../kinds/auth/resolved-auth.js';
import { caller, objectIdOf, type Principal } from '../directory/principal.js';
import type { ContainerAppDeclaration } from '../generated/props.js';
import type { Group } from '../directory/group.js';
import type { ProviderRegistration } from '../identity/provider-registration.js';

const authConfigsType = 'Microsoft.App/containerApps/authConfigs@2025-07-01';
const defaultPrefix = '/.auth';

/** The properties of a container app with sign-in. */
export interface AuthenticatedContainerAppProps extends ContainerAppProps {
  /** The sign-in layer of the app. */
  readonly auth: AuthSettings;
}

/**
 * A container app behind the platform's built-in sign-in layer. A registration of the directory
 * provider gets the app's redirect URI, and names the groups that get in; the app gets client id,
 * secret and issuer.
 *
 * @example
 * new AuthenticatedContainerApp(this, 'storefront', {
 *   image: 'ghcr.io/contoso/storefront:1.4.2',
 *   targetPort: 8080,
 *   ingress: { external: true },
 *   auth: { redirectTo: 'directory', providers: { directory: { registration: login, allowedGroups: [shoppers] } } },
 * });
 * @see https://github.com/castellan/castellan/blob/main/docs/reference/sign-in-rules.md
 */
export class AuthenticatedContainerApp extends ContainerApp {
  /** The resource of the sign-in settings, for properties that these props lack. */
  readonly authResource: AzapiResource;

  constructor(scope: Construct, id: string, props: AuthenticatedContainerAppProps) {
    super(scope, id, { ...props, ingress: props.ingress ?? { external: true } });
    requireProvider(this, 'azapi');
    this.authResource = this.withDeclaredName(
      new AzapiResource(this, 'auth', {
        type: authConfigsType,
        name: 'current',
        parentId: this.appId,
        body: {
          properties: authProperties(resolveAuth(this, props.auth), {
            literal: literalData,
            addSecret: (name, reference) => this.secrets.add(name, reference),
          }),
        },
        // the cloud's published schema of this setting lacks the personal account provider, which
        // the layer supports
        schemaValidationEnabled: props.auth.providers.personal === undefined ? undefined : false,
      }),
    );
    this.completeRegistration(props.auth);
  }

  /** The redirect URI of a provider, in the cloud's words. */
  callbackUrl(provider: keyof typeof providerKeys, prefix: string = defaultPrefix): string {
    return `${this.url}${prefix}/login/${identityProviders[providerKeys[provider]].azure[0]}/callback`;
  }

  private completeRegistration({ providers, routes }: AuthSettings): void {
    const { registration, allowedGroups = [], claimGroups = [] } = providers.directory ?? {};
    if (registration === undefined) return;
    registration.addRedirectUri(this.callbackUrl('directory', routes?.apiPrefix));
    // the sandbox's layer may use the specifications' words, and then has a path in those words
    if (cloudSettings(this).sandbox?.dialect === 'neutral')
      registration.addRedirectUri(
        `${this.url}${routes?.apiPrefix ?? defaultPrefix}/login/${identityProviders.azureActiveDirectory.neutral[0]}/callback`,
      );
    registration.nameGroups([...allowedGroups, ...claimGroups]);
  }
}

/** Sign-in settings with resolved references: object ids, and values known after apply. */
function resolveAuth(scope: Construct, auth: AuthSettings): ResolvedAuth {
  return withDirectory(
    auth,
    ({ allowedGroups, allowedPrincipals, claimGroups, tenantId, issuer, ...provider }) => ({
      ...provider,
      issuer: issuer ?? issuerOf(scope, tenantId),
      allowedGroups: allowedGroups?.map(objectIdOf),
      allowedPrincipals: allowedPrincipals?.map(objectIdOf),
      claimGroups: claimGroups?.map(objectIdOf),
    }),
  );
}

/**
 * The issuer of a tenant's tokens: the given tenant, otherwise the stack's, otherwise that of the
 * caller who applies the stack.
 */
function issuerOf(scope: Construct, tenantId: string | undefined): string {
  return issuerOfTenant(tenantId ?? cloudSettings(scope).tenantId ?? caller(scope).tenantId);
}

type AuthDeclaration = NonNullable<ContainerAppDeclaration['auth']>;
type DirectoryDeclaration = NonNullable<AuthDeclaration['providers']['directory']>;

/** The directory identity platform as a provider of an app. */
export interface DirectoryProvider extends Omit<
  DirectoryDeclaration,
  'registration' | 'allowedGroups' | 'allowedPrincipals' | 'claimGroups'
> {
  /**
   * The registration to sign in with, which sets client id, secret and redirect URI. Otherwise give
   * `clientId`.
   */
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

/** The properties of an app's sign-in layer. */
export interface AuthSettings extends Omit<AuthDeclaration, 'providers'> {
  /** The identity providers for sign-in. */
  readonly providers: AuthProviders;
}
