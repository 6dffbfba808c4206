import { CheckedConstruct } from '../stack/checked-construct.js';
import {
  ContainerApp as AzurermContainerApp,
  type ContainerAppConfig,
  type ContainerAppTemplate,
  type ContainerAppTemplateContainer,
} from '@cdktf/provider-azurerm/lib/container-app';
import type { ContainerAppCustomDomain } from '@cdktf/provider-azurerm/lib/container-app-custom-domain';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { providerKeys } from '../../kinds/auth/auth-body.js';
import { containerApp } from '../../kinds/container-app/container-app.js';
import { type IGroup, type IPrincipal, principalTypeOf } from '../directory/references.js';
import type { ContainerAppDeclaration } from '../generated/props.js';
import { AzapiResource } from '../internal/azapi.js';
import { type Construct, Fn, type IResolvable, Lazy, Token } from '../internal/cdktf.js';
import {
  cloudSettings,
  type IResourceGroup,
  type ResourceGroupReference,
} from '../internal/cloud-settings.js';
import { nestedResourceName } from '../internal/default-name.js';
import { escapeInterpolation } from '../internal/interpolation.js';
import { withTypedTokens } from '../internal/typed-tokens.js';
import type { MetaArguments } from '../internal/meta-arguments.js';
import { Secret } from '../internal/secret.js';
import { AppSecrets } from './app-secrets.js';
import {
  addGroupClaims,
  addRedirectUris,
  authBody,
  needsUnpublishedSchema,
} from './auth-resource.js';
import { createCustomDomain, type CustomDomainOptions } from './custom-domain.js';
import { ContainerAppEnvironment } from './environment.js';
import { toDeclaredEnvironment, type IContainerAppEnvironment } from './existing-environment.js';
import { resolveResourceGroup } from './resource-group.js';
import { type AuthSettings, callbackPath, toDeclaredAuth, resolveAuth } from './auth-settings.js';
import { mergeStackTags } from './tags.js';
import {
  containerAppConfig,
  containerConfigs,
  type AdditionalContainer,
  ingressConfig,
  registryConfig,
  templateConfig,
} from './template.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

const maxNameLength = containerApp.properties.name.maxLength;
const authConfigsType = 'Microsoft.App/containerApps/authConfigs@2025-07-01';

/** The properties of a container app. */
export interface ContainerAppProps
  extends Omit<ContainerAppDeclaration, 'environment' | 'auth'>, MetaArguments {
  /** The environment of the app. @default one that the stack creates for its apps. */
  readonly environment?: IContainerAppEnvironment | undefined;
  /**
   * The resource group of the app: the name of one that is created, `{ existing: name }`, or a
   * resource group. The stack's own environment is created in it, too, if the stack has no
   * `resourceGroup`. @default that of the environment, or of the stack where the environment exists
   * already
   */
  readonly resourceGroup?: ResourceGroupReference | undefined;
  /** The platform's built-in sign-in layer in front of the app. @default none */
  readonly auth?: AuthSettings | undefined;
}

/**
 * A container app, with or without the platform's built-in sign-in layer. With `auth`, the app has
 * an external ingress unless it says otherwise, and a registration of the directory provider gets
 * the app's redirect URI, and names the groups that get in; the app gets client id, secret and
 * issuer.
 *
 * @example
 * new ContainerApp(this, 'worker', { image: 'ghcr.io/contoso/worker:2.0.1', replicas: { min: 1, max: 2 } });
 * const storefront = new ContainerApp(this, 'storefront', {
 *   image: 'ghcr.io/contoso/storefront:1.4.2',
 *   targetPort: 8080,
 *   auth: { redirectTo: 'directory', providers: { directory: { registration: login, allowedGroups: [shoppers] } } },
 * });
 * storefront.grantAccess(User.fromPrincipalName(this, 'auditor', 'auditor@contoso.example'));
 * @see https://github.com/castellan/castellan/blob/main/docs/reference/sign-in-rules.md
 */
export class ContainerApp extends CheckedConstruct {
  /** The name of the app in the cloud. */
  readonly appName: string;
  /**
   * The resource id of the app (`/subscriptions/…`), known after apply; not the client id of its
   * registration, which the directory calls `appId`.
   */
  readonly appId: string;
  /** The environment of the app. */
  readonly environment: IContainerAppEnvironment;
  /** The resource group of the app. */
  readonly resourceGroup: IResourceGroup;
  /** The Terraform resource, for properties that these props lack. */
  readonly resource: AzurermContainerApp;
  /** The resource of the sign-in settings, for properties that these props lack. */
  readonly authResource: AzapiResource | undefined;
  /** The secrets of the app. */
  protected readonly secrets: AppSecrets;
  #auth: AuthSettings | undefined;
  #declaredProps: Pick<
    ContainerAppProps,
    'secrets' | 'targetPort' | 'containers' | 'customDomains'
  >;
  private readonly external: boolean | IResolvable;
  private needsSystemIdentity: boolean;

  constructor(
    scope: Construct,
    id: string,
    { resourceGroup, ...declaredProps }: ContainerAppProps,
  ) {
    const typedProps = withTypedTokens(scope, 'containerApps', declaredProps, id);
    const { auth, environment } = typedProps;
    const name = typedProps.name ?? nestedResourceName(scope, id, maxNameLength, typedProps);
    const props = {
      ...typedProps,
      ...omitUndefined({ name }),
      ...(auth !== undefined && { ingress: typedProps.ingress ?? { external: true } }),
    };
    super(scope, id, 'containerApps', {
      ...props,
      ...(auth !== undefined && { auth: toDeclaredAuth(auth) }),
      environment:
        environment === undefined || environment instanceof ContainerAppEnvironment
          ? environment
          : toDeclaredEnvironment(environment),
    });
    this.requireProvider('azurerm');
    this.#declaredProps = props;
    this.appName = escapeInterpolation(props.name ?? id);
    this.environment = environment ?? ContainerAppEnvironment.getOrCreate(this, resourceGroup);
    this.resourceGroup = this.resolveAppResourceGroup(resourceGroup);
    this.external = props.ingress?.external ?? false;
    this.needsSystemIdentity = (props.identity?.systemAssigned ?? false) !== false;
    this.secrets = new AppSecrets(this, () => this.ensureVaultIdentity(props));
    for (const [name, reference] of Object.entries(props.secrets ?? {}))
      this.secrets.add(name, reference);
    const registries = props.registries?.map((registry, index) =>
      registryConfig(registry, index, this.secrets),
    );
    this.resource = this.withLogicalIdOfConstruct(
      new AzurermContainerApp(this, 'Default', {
        name: this.appName,
        resourceGroupName: this.resourceGroup.resourceGroupName,
        containerAppEnvironmentId: this.environment.environmentId,
        ...containerAppConfig<Pick<ContainerAppConfig, 'revisionMode'>>({
          revision: { ...props.revision, mode: props.revision?.mode ?? 'single' },
          workloadProfile: props.workloadProfile,
        }),
        template: templateConfig(this.appName, props),
        ingress:
          props.ingress === undefined && props.targetPort === undefined
            ? undefined
            : ingressConfig(props),
        registry: registries,
        tags: mergeStackTags(this, props.tags),
      }),
    );
    this.appId = this.resource.id;
    this.writeIdentity(props);
    this.#auth = auth;
    this.authResource = auth === undefined ? undefined : this.createAuth(auth);
    this.writeSecrets();
    for (const [domain, options] of Object.entries(props.customDomains ?? {}))
      this.createDomain(domain, options);
  }

  /**
   * The host name of the app, known after its environment exists. It does not change with updates
   * of the app, so resources that refer to it are not planned again.
   */
  get host(): string {
    return `${this.appName}${this.internalSuffix()}.${this.environment.defaultDomain}`;
  }

  /** What host names of apps without an external ingress have after the app's name. */
  private internalSuffix(): string {
    if (this.external === true) return '';
    if (this.external === false) return '.internal';
    return Token.asString(Fn.conditional(this.external, '', '.internal'));
  }

  /** The address of the app. */
  get url(): string {
    return `https://${this.host}`;
  }

  /** The redirect URI of a provider, by the name that the provider has in the cloud. */
  callbackUrl(provider: keyof typeof providerKeys, prefix?: string): string {
    return `${this.url}${callbackPath(provider, prefix)}`;
  }

  /**
   * Lets the members of a group, or a user or service principal, sign in with the directory
   * provider.
   *
   * @throws CAS2012 when the app has no sign-in with the directory, or the type of the principal
   *   is not known.
   */
  grantAccess(principal: IGroup | IPrincipal): void {
    const auth = this.#auth;
    const { directory } = auth?.providers ?? {};
    if (auth === undefined || directory === undefined)
      throw new CastellanError(
        'CAS2012',
        `${this.node.path} has no sign-in with the directory: give it auth: { providers: { directory: { registration } } }`,
      );
    const type = principalTypeOf(principal);
    if (type === undefined)
      throw new CastellanError(
        'CAS2012',
        `${this.node.path}: the type of the principal ${principal.objectId} is not known; give it a principalType: 'Group', 'User' or 'ServicePrincipal'`,
      );
    const list = type === 'Group' ? 'allowedGroups' : 'allowedPrincipals';
    const directoryWithPrincipal = {
      ...directory,
      [list]: [...(directory[list] ?? []), principal],
    };
    this.#auth = { ...auth, providers: { ...auth.providers, directory: directoryWithPrincipal } };
    this.declare({ auth: toDeclaredAuth(this.#auth) });
    this.authResource?.setBody(this.authBodyOf(this.#auth));
    if (this.authResource !== undefined) this.snapshotAttributes(this.authResource);
    addGroupClaims(this.#auth);
  }

  /**
   * Adds a secret. Variables of the environment use it by name (`env: { TOKEN: { secret: 'token' }
   * }`), settings of `auth` by the returned reference.
   *
   * @throws CAS2005 when the app has a secret of this name with another source.
   */
  addSecret(name: string, source: Secret): Secret {
    this.#declaredProps = {
      ...this.#declaredProps,
      secrets: { ...this.#declaredProps.secrets, [name]: source },
    };
    this.secrets.add(name, source);
    this.writeSecrets();
    this.declare({ secrets: this.#declaredProps.secrets });
    return Secret.fromApp(name);
  }

  /**
   * Adds a container beside the app's own, in each of its replicas. They share the network: only
   * the app's own gets requests. Cores and memory of all containers together are those of a
   * replica.
   *
   * @example
   * storefront.addContainer('cache', { image: 'ghcr.io/contoso/cache:3.1', cpu: 0.25, memory: '0.5Gi' });
   * @throws CAS2012 when the app has a container of this name.
   */
  addContainer(name: string, container: AdditionalContainer): void {
    const { internalValue, containerInput } = this.resource.template;
    const containers = (containerInput ?? []) as readonly ContainerAppTemplateContainer[];
    if (containers.some((each) => each.name === name))
      throw new CastellanError(
        'CAS2012',
        `${this.node.path} has a container ${JSON.stringify(name)} already: give this one another name`,
      );
    const typedProps = withTypedTokens(this, 'containerApps', {
      containers: { [name]: container },
    });
    this.resource.putTemplate({
      ...(internalValue as ContainerAppTemplate),
      container: [
        ...containers,
        ...containerConfigs(this.#declaredProps.targetPort, typedProps.containers),
      ],
    });
    this.#declaredProps = {
      ...this.#declaredProps,
      containers: { ...this.#declaredProps.containers, ...typedProps.containers },
    };
    this.declare({ containers: this.#declaredProps.containers });
    this.snapshotAttributes(this.resource);
  }

  /**
   * Gives the app a custom domain. Before the stack is applied, the domain needs a TXT record
   * `asuid` with the app's verification id (`resource.customDomainVerificationId`). The registration with
   * which people sign in gets the redirect URI of the domain, too.
   *
   * @example
   * storefront.addCustomDomain('shop.contoso.example', { certificateId: '/subscriptions/…/certificates/shop' });
   * @throws CAS2001 when the domain is not a valid host name.
   * @throws CAS2012 when no requests reach the app from outside, or it has the domain already.
   */
  addCustomDomain(domain: string, options: CustomDomainOptions = {}): ContainerAppCustomDomain {
    if (this.external === false)
      throw new CastellanError(
        'CAS2012',
        `${this.node.path} cannot be reached from outside its environment: give it ingress: { external: true }`,
      );
    const customDomain = this.createDomain(domain, options);
    // rules can't check a name that is known only after apply
    if (!Token.isUnresolved(domain)) {
      const customDomains = { ...this.#declaredProps.customDomains, [domain]: options };
      this.#declaredProps = { ...this.#declaredProps, customDomains };
      this.declare({ customDomains });
    }
    return customDomain;
  }

  /** Creates a domain, and registers its redirect URI so that people can sign in there. */
  private createDomain(domain: string, options: CustomDomainOptions): ContainerAppCustomDomain {
    addRedirectUris(this, this.#auth, `https://${escapeInterpolation(domain)}`);
    return this.withLogicalIdOfPath(createCustomDomain(this, this.appId, domain, options));
  }

  private resolveAppResourceGroup(reference: ResourceGroupReference | undefined): IResourceGroup {
    if (reference !== undefined) return resolveResourceGroup(this, reference);
    const isCreatedHere = this.environment instanceof ContainerAppEnvironment;
    return isCreatedHere || cloudSettings(this).resourceGroup === undefined
      ? this.environment.resourceGroup
      : resolveResourceGroup(this);
  }

  private createAuth(auth: AuthSettings): AzapiResource {
    this.requireProvider('azapi');
    const resource = this.withLogicalIdOfConstruct(
      new AzapiResource(this, 'auth', {
        type: authConfigsType,
        name: 'current',
        parentId: this.appId,
        body: this.authBodyOf(auth),
        schemaValidationEnabled: needsUnpublishedSchema(this, auth) ? false : undefined,
      }),
    );
    addRedirectUris(this, auth, this.url);
    addGroupClaims(auth);
    return resource;
  }

  private authBodyOf(auth: AuthSettings): Readonly<Record<string, unknown>> {
    return authBody(resolveAuth(this, auth, this.givenProvider('azuread')), this.secrets);
  }

  /**
   * Key vaults are read with an identity of the app; without one, the app gets a system-assigned
   * identity.
   */
  private ensureVaultIdentity(props: ContainerAppProps): string {
    const first = props.identity?.userAssigned?.[0];
    if (props.identity?.systemAssigned !== true && first !== undefined) return first;
    this.needsSystemIdentity = true;
    this.writeIdentity(props);
    return 'System';
  }

  /** Writes the secrets that there are, once: an empty list would be no block in HCL. */
  private writeSecrets(): void {
    const { resource, secrets } = this;
    if (resource.secretInput !== undefined || secrets.blocks().length === 0) return;
    // lazy, because methods add secrets later
    resource.putSecret(Lazy.anyValue({ produce: () => secrets.blocks() }));
    this.snapshotAttributes(resource);
  }

  private writeIdentity({ identity }: ContainerAppProps): void {
    const identities = identity?.userAssigned ?? [];
    const types = [
      ...(this.needsSystemIdentity ? ['SystemAssigned'] : []),
      ...(identities.length > 0 ? ['UserAssigned'] : []),
    ];
    if (types.length === 0) return;
    const resource = this.resource as AzurermContainerApp | undefined;
    if (resource === undefined) return; // the constructor calls this once more when it exists
    resource.putIdentity({
      type: types.join(', '),
      ...(identities.length > 0 && { identityIds: [...identities] }),
    });
    this.snapshotAttributes(resource);
  }
}
