import { ApplicationPasswordA as ApplicationPassword } from '@cdktf/provider-azuread/lib/application-password';
import { ApplicationRedirectUris } from '@cdktf/provider-azuread/lib/application-redirect-uris';
import { ServicePrincipal } from '@cdktf/provider-azuread/lib/service-principal';
import { groupClaimsOf } from '../../kinds/registration/registration.js';
import { Group } from '../directory/group.js';
import type { DirectoryObject } from '../directory/principal.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import { type Construct, Lazy } from '../internal/cdktf.js';
import { literalText } from '../internal/literal-text.js';
import { requireProvider } from '../internal/providers.js';
import {
  type ApplicationResource,
  createApplication,
  type ProviderRegistrationProps,
} from './application.js';

/**
 * A complete application registration for sign-in: single tenant, ID tokens, a client secret that
 * is renewed before the old one is deleted, a service principal, and a web redirect URI for every
 * app that uses it. Such an app gets client id, secret and issuer from here.
 *
 * @example
 * const login = new ProviderRegistration(this, 'storefront-login', { displayName: 'Storefront sign-in' });
 * @see https://github.com/castellan/castellan/blob/main/docs/reference/sign-in-rules.md,
 *   "Configuring the directory identity provider"
 */
export class ProviderRegistration extends CastellanConstruct {
  /** The client id, known after apply. */
  readonly clientId: string;
  /**
   * The client secret, known after apply; it is only stored as a secret of apps, never in clear
   * text.
   */
  readonly clientSecret: string;
  /** The application object. */
  readonly application: ApplicationResource;
  /** The service principal of the application. */
  readonly servicePrincipal: ServicePrincipal;

  private readonly redirectUris = new Set<string>();
  private readonly groupsToName = new Set<DirectoryObject | string>();
  private readonly declaredClaims: readonly string[] | undefined;
  private redirectUrisResource: ApplicationRedirectUris | undefined;

  constructor(scope: Construct, id: string, props: ProviderRegistrationProps) {
    super(scope, id, 'registrations', props);
    requireProvider(this, 'azuread');
    this.declaredClaims = props.groupMembershipClaims;
    this.application = this.withDeclaredName(
      createApplication(
        this,
        props,
        Lazy.listValue({ produce: () => this.groupClaims() }, { omitEmpty: true }),
      ),
    );
    this.clientId = this.application.clientId;
    this.clientSecret = this.createPassword(props.secret).value;
    this.servicePrincipal = this.withDeclaredName(
      new ServicePrincipal(this, 'service-principal', {
        clientId: this.clientId,
        appRoleAssignmentRequired: props.assignmentRequired,
      }),
    );
    for (const uri of props.redirectUris ?? []) this.addRedirectUri(literalText(uri));
  }

  /** Adds a web redirect URI; an app that signs in with this registration does so itself. */
  addRedirectUri(uri: string): void {
    this.redirectUris.add(uri);
    this.redirectUrisResource ??= this.withDeclaredName(
      new ApplicationRedirectUris(this, 'redirect-uris', {
        applicationId: this.application.id,
        type: 'Web',
        redirectUris: Lazy.listValue({ produce: () => [...this.redirectUris] }),
      }),
    );
  }

  /** Lets tokens contain these groups; an app that allows only their members does so itself. */
  nameGroups(groups: readonly (DirectoryObject | string)[]): void {
    for (const group of groups) this.groupsToName.add(group);
  }

  private groupClaims(): string[] {
    const securityGroups = [...this.groupsToName].map(
      (group) => group instanceof Group && group.securityEnabled,
    );
    return [...groupClaimsOf(this.declaredClaims, securityGroups)];
  }

  private createPassword(secret: ProviderRegistrationProps['secret'] = {}): ApplicationPassword {
    const { displayName = 'sign-in', expires, rotation } = secret;
    return this.withDeclaredName(
      new ApplicationPassword(this, 'password', {
        applicationId: this.application.id,
        displayName: literalText(displayName),
        // a constant: a date computed from the clock would change with every plan, and the provider
        // ignores a relative one
        endDate: expires,
        rotateWhenChanged: rotation === undefined ? undefined : { rotation: literalText(rotation) },
        lifecycle: { createBeforeDestroy: true }, // the app gets the new secret before the old one is deleted
      }),
    );
  }
}
