import {
  ContainerApp as AzurermContainerApp,
  type ContainerAppConfig,
} from '@cdktf/provider-azurerm/lib/container-app';
import type { ContainerAppDeclaration } from '../generated/props.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import { type Construct, Lazy } from '../internal/cdktf.js';
import { literalText } from '../internal/literal-text.js';
import { requireProvider } from '../internal/providers.js';
import { AppSecrets } from './app-secrets.js';
import { ContainerAppEnvironment, tagsOf } from './environment.js';
import { appConfig, ingressConfig, templateConfig } from './template.js';

/** The properties of a container app without sign-in. */
export interface ContainerAppProps extends Omit<ContainerAppDeclaration, 'environment' | 'auth'> {
  /** The environment of the app. @default one that the stack creates for its apps. */
  readonly environment?: ContainerAppEnvironment;
}

/**
 * A container app without the sign-in layer. {@link AuthenticatedContainerApp} has it.
 *
 * @example
 * new ContainerApp(this, 'worker', { image: 'ghcr.io/contoso/worker:2.0.1', replicas: { min: 1, max: 2 } });
 */
export class ContainerApp extends CastellanConstruct {
  /** The name of the app in the cloud. */
  readonly appName: string;
  /** The resource id, known after apply. */
  readonly appId: string;
  /** The environment of the app. */
  readonly environment: ContainerAppEnvironment;
  /** The Terraform resource, for properties that these props lack. */
  readonly resource: AzurermContainerApp;
  /** The secrets of the app. */
  protected readonly secrets: AppSecrets;
  private readonly external: boolean;
  private identityNeeded: boolean;

  constructor(scope: Construct, id: string, props: ContainerAppProps) {
    super(scope, id, 'containerApps', props);
    requireProvider(this, 'azurerm');
    this.appName = literalText(props.name ?? id);
    this.environment = props.environment ?? ContainerAppEnvironment.ofStack(this);
    this.external = props.ingress?.external ?? false;
    this.identityNeeded = props.identity?.systemAssigned ?? false;
    this.secrets = new AppSecrets(this, () => this.vaultIdentity(props));
    for (const [name, reference] of Object.entries(props.secrets ?? {}))
      this.secrets.add(name, reference);
    const registries = props.registries?.map((registry) => this.registryConfig(registry));
    this.resource = this.withDeclaredName(
      new AzurermContainerApp(this, 'Default', {
        name: this.appName,
        resourceGroupName: this.environment.resourceGroup.name,
        containerAppEnvironmentId: this.environment.environmentId,
        ...appConfig<Pick<ContainerAppConfig, 'revisionMode'>>({
          revision: { ...props.revision, mode: props.revision?.mode ?? 'single' },
          workloadProfile: props.workloadProfile,
        }),
        template: templateConfig(this.appName, props),
        ingress:
          props.ingress === undefined && props.targetPort === undefined
            ? undefined
            : ingressConfig(props),
        registry: registries,
        // the sign-in layer adds its own later
        secret: Lazy.anyValue(
          { produce: () => secretBlocks(this.secrets) },
          { omitEmptyArray: true },
        ) as never,
        tags: tagsOf(this, props.tags),
      }),
    );
    this.appId = this.resource.id;
    this.declareIdentity(props);
  }

  /**
   * The host name of the app, known after its environment exists. It does not change with updates
   * of the app, so resources that refer to it are not planned again.
   */
  get host(): string {
    return `${this.appName}${this.external ? '' : '.internal'}.${this.environment.defaultDomain}`;
  }

  /** The address of the app. */
  get url(): string {
    return `https://${this.host}`;
  }

  private registryConfig({
    server,
    username,
    password,
    identity,
  }: NonNullable<ContainerAppProps['registries']>[number]) {
    const secretName = `${server.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-password`;
    return {
      server: literalText(server),
      username: username === undefined ? undefined : literalText(username),
      passwordSecretName:
        password === undefined ? undefined : this.secrets.add(secretName, password),
      identity: identity === 'system' ? 'System' : identity,
    };
  }

  /**
   * Key vaults are read with an identity of the app; without one, the app gets a system-assigned
   * identity.
   */
  private vaultIdentity(props: ContainerAppProps): string {
    const first = props.identity?.userAssigned?.[0];
    if (props.identity?.systemAssigned !== true && first !== undefined) return first;
    this.identityNeeded = true;
    this.declareIdentity(props);
    return 'System';
  }

  private declareIdentity({ identity }: ContainerAppProps): void {
    const identities = identity?.userAssigned ?? [];
    const kinds = [
      ...(this.identityNeeded ? ['SystemAssigned'] : []),
      ...(identities.length > 0 ? ['UserAssigned'] : []),
    ];
    if (kinds.length === 0) return;
    // while the app is being created there is no value yet
    this.resourceIfCreated?.putIdentity({
      type: kinds.join(', '),
      ...(identities.length > 0 ? { identityIds: [...identities] } : {}),
    });
  }

  private get resourceIfCreated(): AzurermContainerApp | undefined {
    return this.resource;
  }
}

function secretBlocks(secrets: AppSecrets): unknown[] {
  return secrets.all().map(({ name, value, keyVaultSecretId, identity }) => ({
    name,
    value,
    key_vault_secret_id: keyVaultSecretId,
    identity,
  }));
}
