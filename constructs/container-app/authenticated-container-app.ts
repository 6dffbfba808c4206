import { identityProviders } from '../../core/dialect/dialect.js';
import { authProperties, providerKeys } from '../../kinds/auth/auth-body.js';
import type { Construct } from '../internal/cdktf.js';
import { AzapiResource } from '../internal/azapi.js';
import { cloudSettings } from '../internal/cloud-settings.js';
import { literalData } from '../internal/literal-text.js';
import { requireProvider } from '../internal/providers.js';
import type { AuthSettings } from './auth-props.js';
import type { ContainerAppProps } from './container-app.js';
import { ContainerApp } from './container-app.js';
import { resolvedAuth } from './resolved-auth.js';

const authConfigsType = 'Microsoft.App/containerApps/authConfigs@2025-07-01';
const defaultPrefix = '/.auth';

/** Everything that may be declared of a container app with sign-in. */
export interface AuthenticatedContainerAppProps extends ContainerAppProps {
  /** The sign-in layer in front of the app. */
  readonly auth: AuthSettings;
}

/**
 * A container app behind the platform's built-in sign-in layer. A registration of the directory provider gets the app's redirect URI,
 * and names the groups that get in; the app gets client id, secret and issuer.
 *
 * @example
 * new AuthenticatedContainerApp(this, 'storefront', {
 *   image: 'ghcr.io/contoso/storefront:1.4.2',
 *   targetPort: 8080,
 *   ingress: { external: true },
 *   auth: { redirectTo: 'directory', providers: { directory: { registration: login, allowedGroups: [shoppers] } } },
 * });
 * @see spec 000
 */
export class AuthenticatedContainerApp extends ContainerApp {
  /** The setting of the sign-in layer, for what these props don't say. */
  readonly authResource: AzapiResource;

  constructor(scope: Construct, id: string, props: AuthenticatedContainerAppProps) {
    super(scope, id, { ...props, ingress: props.ingress ?? { external: true } });
    requireProvider(this, 'azapi');
    this.authResource = this.named(
      new AzapiResource(this, 'auth', {
        type: authConfigsType,
        name: 'current',
        parentId: this.appId,
        body: {
          properties: authProperties(resolvedAuth(this, props.auth), {
            literal: literalData,
            addSecret: (name, reference) => this.secrets.add(name, reference),
          }),
        },
        // the cloud's published schema of this setting leaves the personal-account provider out, which the layer knows
        schemaValidationEnabled: props.auth.providers.personal === undefined ? undefined : false,
      }),
    );
    this.completeRegistration(props.auth);
  }

  /** The redirect URI that a provider sends browsers back to, in the cloud's words. */
  callbackUrl(provider: keyof typeof providerKeys, prefix: string = defaultPrefix): string {
    return `${this.url}${prefix}/login/${identityProviders[providerKeys[provider]].azure[0]}/callback`;
  }

  private completeRegistration({ providers, routes }: AuthSettings): void {
    const { registration, allowedGroups = [], claimGroups = [] } = providers.directory ?? {};
    if (registration === undefined) return;
    registration.addRedirectUri(this.callbackUrl('directory', routes?.apiPrefix));
    // the sandbox's layer may speak the specs' words, and then comes back to a path in those words
    if (cloudSettings(this).sandbox?.dialect === 'neutral')
      registration.addRedirectUri(
        `${this.url}${routes?.apiPrefix ?? defaultPrefix}/login/${identityProviders.azureActiveDirectory.neutral[0]}/callback`,
      );
    registration.nameGroups([...allowedGroups, ...claimGroups]);
  }
}
