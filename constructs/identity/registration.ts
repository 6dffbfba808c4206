import { withTypedTokens } from '../internal/typed-tokens.js';
import { CheckedConstruct } from '../stack/checked-construct.js';
import { Application } from '@cdktf/provider-azuread/lib/application';
import { ApplicationPasswordA as ApplicationPassword } from '@cdktf/provider-azuread/lib/application-password';
import { ApplicationRedirectUris } from '@cdktf/provider-azuread/lib/application-redirect-uris';
import { ServicePrincipal } from '@cdktf/provider-azuread/lib/service-principal';
import { groupClaimsOf } from '../../kinds/registration/registration.js';
import { currentClientConfig } from '../directory/client-config.js';
import type { IGroup } from '../directory/references.js';
import { type CastellanConstruct } from '../internal/castellan-construct.js';
import { Construct, Fn, Lazy, TerraformStack, Token } from '../internal/cdktf.js';
import { referencedStacks } from '../internal/referenced-stacks.js';
import { escapeInterpolation } from '../internal/interpolation.js';
import { mainResourceId } from '../internal/meta-arguments.js';
import { discardTagMapOfAspects } from '../internal/tags-of-aspects.js';
import { requireProviders } from '../internal/providers.js';
import {
  type ApiScope,
  type ApplicationResource,
  type AppRole,
  createApplication,
  type RegistrationProps,
  writeRolesAndScopes,
} from './application.js';

/** An application registration, of this stack or not. */
export interface IRegistration {
  /** The client id. */
  readonly clientId: string;
}

/**
 * A complete application registration for sign-in: single tenant, ID tokens, a client secret that
 * is renewed before the old one is deleted, a service principal, and a web redirect URI for every
 * app that uses it. Such an app gets client id, secret and issuer from here.
 *
 * @example
 * const login = new Registration(this, 'storefront-login', { displayName: 'Storefront sign-in' });
 * @see https://github.com/castellan/castellan/blob/main/docs/reference/sign-in-rules.md,
 *   "Configuring the directory identity provider"
 */
export class Registration extends CheckedConstruct implements IRegistration {
  /** The client id, known after apply. */
  readonly clientId: string;
  /**
   * The client secret, known after apply; it is only stored as a secret of apps, never in clear
   * text.
   */
  readonly clientSecret: string;
  #application: ApplicationResource;
  // the same tokens for every reader, because cdktf records in a token which stacks read it
  #references: { readonly clientId: string; readonly applicationId: string };
  /** The service principal of the application. */
  readonly servicePrincipal: ServicePrincipal;

  private readonly applicationResourceId: string;
  private readonly redirectUris = new Map<TerraformStack, Set<string>>();
  private readonly groupsInTokens = new Set<IGroup | string>();
  private ownRedirectUris: readonly string[];
  #props: RegistrationProps;

  /**
   * A registration that exists already. An app that signs in with it needs its secret, and the
   * registration the redirect URI of the app.
   */
  static fromClientId(scope: Construct, id: string, clientId: string): IRegistration {
    return new ExistingRegistration(scope, id, clientId);
  }

  constructor(scope: Construct, id: string, declaredProps: RegistrationProps) {
    const props = withTypedTokens(scope, 'registrations', declaredProps, id);
    super(scope, id, 'registrations', props);
    this.requireProvider('azuread');
    this.#props = props;
    this.#application = this.createApplication();
    this.#references = referencesTo(this.#application);
    this.clientId = Lazy.stringValue({ produce: () => this.#references.clientId });
    this.applicationResourceId = Lazy.stringValue({
      produce: () => this.#references.applicationId,
    });
    this.clientSecret = this.createPassword(props.secret).value;
    this.servicePrincipal = this.withLogicalIdOfConstruct(
      new ServicePrincipal(this, 'service-principal', {
        clientId: this.clientId,
        appRoleAssignmentRequired: props.assignmentRequired,
      }),
    );
    discardTagMapOfAspects(this.servicePrincipal);
    this.ownRedirectUris = props.redirectUris ?? [];
    for (const uri of this.ownRedirectUris) this.addAppRedirectUri(escapeInterpolation(uri));
  }

  /**
   * The application object. The first role or scope replaces an
   * `azuread_application_registration` by an `azuread_application`, so add them before you change
   * it or refer to it.
   */
  get application(): ApplicationResource {
    return this.#application;
  }

  /**
   * Adds a role, which tokens name in their `roles` claim.
   *
   * @example
   * login.addRole({
   *   id: '0b9d0c1e-0000-4222-8333-444455556666',
   *   displayName: 'Packers',
   *   description: 'Who may pack orders',
   *   value: 'pack',
   *   allowedMemberTypes: ['User'],
   * });
   */
  addRole(role: AppRole): void {
    this.addToApplication({ appRoles: [...(this.#props.appRoles ?? []), role] });
  }

  /**
   * Exposes a permission scope of the registration's API.
   *
   * @example
   * login.exposeScope({
   *   id: '0b9d0c1e-1111-4222-8333-444455556666',
   *   value: 'orders.read',
   *   adminConsentDisplayName: 'Read orders',
   *   adminConsentDescription: 'Lets an app read orders',
   * });
   */
  exposeScope(scope: ApiScope): void {
    this.addToApplication({ scopes: [...(this.#props.scopes ?? []), scope] });
  }

  private addToApplication(additions: Pick<RegistrationProps, 'appRoles' | 'scopes'>): void {
    const changes = withTypedTokens(this, 'registrations', additions);
    this.#props = { ...this.#props, ...changes };
    this.declare(changes);
    if (this.#application instanceof Application) {
      writeRolesAndScopes(this.#application, this.#props);
      this.snapshotAttributes(this.#application);
      return;
    }
    // an azuread_application_registration has no roles and scopes: an azuread_application replaces
    // it
    this.node.tryRemoveChild(mainResourceId);
    this.#application = this.createApplication();
    this.#references = referencesTo(this.#application);
  }

  private createApplication(): ApplicationResource {
    const lazyGroupClaims = Lazy.listValue(
      { produce: () => this.groupClaims() },
      { omitEmpty: true },
    );
    const defaultOwner = (): string =>
      currentClientConfig(this, this.givenProvider('azuread')).objectId;
    const application = this.withLogicalIdOfConstruct(
      createApplication(this, this.#props, lazyGroupClaims, defaultOwner),
    );
    discardTagMapOfAspects(application);
    return application;
  }

  /**
   * Adds a web redirect URI, which is checked like those of the props; an app that signs in with
   * this registration adds its own itself.
   */
  addRedirectUri(uri: string): void {
    this.ownRedirectUris = [...this.ownRedirectUris, uri];
    this.declare({ redirectUris: this.ownRedirectUris });
    this.addAppRedirectUri(escapeInterpolation(uri));
  }

  /**
   * Adds the redirect URI of an app that signs in with this registration. It is written in the
   * stack of the registration, unless it depends on another stack: the registration's stack would
   * then depend on the app's, which depends on the registration's. All redirect URIs of an app are
   * written in one stack.
   */
  addAppRedirectUri(uri: string, app: CastellanConstruct = this): void {
    const ownStack = TerraformStack.of(this);
    const dependsOnOtherStack = referencedStacks([uri], ownStack).some((each) => each !== ownStack);
    const parent =
      !dependsOnOtherStack && !this.redirectUris.has(TerraformStack.of(app)) ? this : app;
    const stack = TerraformStack.of(parent);
    const uris = this.redirectUris.get(stack) ?? this.createRedirectUris(stack, parent);
    uris.add(uri);
  }

  /** The stacks that write redirect URIs of the registration. */
  get stacksOfRedirectUris(): readonly TerraformStack[] {
    return [...this.redirectUris.keys()];
  }

  /** Creates the resource of the redirect URIs that a stack writes. */
  private createRedirectUris(stack: TerraformStack, parent: CastellanConstruct): Set<string> {
    const uris = new Set<string>();
    this.redirectUris.set(stack, uris);
    const resource = new ApplicationRedirectUris(parent, 'redirect-uris', {
      applicationId: this.applicationResourceId,
      type: 'Web',
      redirectUris: Lazy.listValue({ produce: () => joinLists([...uris]) }),
    });
    if (parent === this) this.withLogicalIdOfConstruct(resource);
    // undefined: the provider without an alias
    else requireProviders(parent, { azuread: undefined });
    return uris;
  }

  /** Lets tokens contain these groups; an app that allows only their members does so itself. */
  addGroupClaims(groups: readonly (IGroup | string)[]): void {
    for (const group of groups) this.groupsInTokens.add(group);
  }

  private groupClaims(): string[] {
    const areSecurityGroups = [...this.groupsInTokens].map(
      (group) => typeof group !== 'string' && group.securityEnabled === true,
    );
    return [...groupClaimsOf(this.#props.groupMembershipClaims, areSecurityGroups)];
  }

  private createPassword(secret: RegistrationProps['secret'] = {}): ApplicationPassword {
    const { displayName = 'sign-in', expires, rotation } = secret;
    return this.withLogicalIdOfConstruct(
      new ApplicationPassword(this, 'password', {
        applicationId: this.applicationResourceId,
        displayName: escapeInterpolation(displayName),
        // a constant: a date computed from the clock would change with every plan, and the provider
        // ignores a relative one
        endDate: expires,
        rotateWhenChanged:
          rotation === undefined ? undefined : { rotation: escapeInterpolation(rotation) },
        lifecycle: { createBeforeDestroy: true }, // the app gets the new secret before the old one is deleted
      }),
    );
  }
}

function referencesTo({ clientId, id: applicationId }: ApplicationResource) {
  return { clientId, applicationId };
}

/** Joins texts into one list; each text may be a token for a whole list. */
function joinLists(texts: string[]): string[] {
  const lists = texts.filter((text) => Token.isUnresolved([text]) && !Token.isUnresolved(text));
  if (lists.length === 0 || texts.length === 1) return texts;
  const others = texts.filter((text) => !lists.includes(text));
  return Token.asList(Fn.concat([...lists.map((list) => [list]), others]));
}

/** A registration that exists already. */
class ExistingRegistration extends Construct implements IRegistration {
  constructor(
    scope: Construct,
    id: string,
    readonly clientId: string,
  ) {
    super(scope, id);
  }
}
