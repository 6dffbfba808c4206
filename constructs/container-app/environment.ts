import { CheckedConstruct } from '../stack/checked-construct.js';
import {
  ContainerAppEnvironment as AzurermEnvironment,
  type ContainerAppEnvironmentConfig,
} from '@cdktf/provider-azurerm/lib/container-app-environment';
import { LogAnalyticsWorkspace } from '@cdktf/provider-azurerm/lib/log-analytics-workspace';
import type { EnvironmentDeclaration } from '../generated/props.js';
import { type Construct, TerraformStack } from '../internal/cdktf.js';
import { cloudSettings, type ResourceGroupReference } from '../internal/cloud-settings.js';
import { isOwnEnvironmentId, ownEnvironmentId } from '../../policies/engine/own-environment.js';
import { containerAppEnvironment } from '../../kinds/container-app/environment.js';
import { type CastellanConstruct, withLocation } from '../internal/castellan-construct.js';
import { toPrebuiltBindingConfig } from '../internal/binding-config.js';
import { nestedResourceName } from '../internal/default-name.js';
import { getOrCreateChild, nameAfterStack } from '../internal/own-child.js';
import { escapeInterpolation } from '../internal/interpolation.js';
import { withTypedTokens } from '../internal/typed-tokens.js';
import type { MetaArguments } from '../internal/meta-arguments.js';
import {
  type ContainerAppEnvironmentAttributes,
  ExistingEnvironment,
  type IContainerAppEnvironment,
} from './existing-environment.js';
import { type ResolvedResourceGroup, resolveResourceGroup } from './resource-group.js';
import { mergeStackTags } from './tags.js';

/** The properties of an environment. */
export interface ContainerAppEnvironmentProps extends EnvironmentDeclaration, MetaArguments {
  /**
   * The resource group of the environment and, unless they have their own, of its apps: the name of
   * one that is created, `{ existing: name }`, or a resource group. @default that of the stack
   */
  readonly resourceGroup?: ResourceGroupReference | undefined;
}

/**
 * An environment for container apps, in the resource group of the stack. A stack creates one for
 * its apps; declare one to configure logs or to separate apps.
 *
 * @example
 * const environment = new ContainerAppEnvironment(this, 'internal', { logs: { retentionInDays: 90 } });
 */
export class ContainerAppEnvironment extends CheckedConstruct implements IContainerAppEnvironment {
  /** The resource id, known after apply. */
  readonly environmentId: string;
  /** The domain of its apps, known after apply. */
  readonly defaultDomain: string;
  /** The resource group of the environment and its apps. */
  readonly resourceGroup: ResolvedResourceGroup;
  /** The Terraform resource, for properties that these props lack. */
  readonly resource: AzurermEnvironment;

  /**
   * An environment that exists already, by resource id. Its domain is looked up when the stack is
   * planned, if something uses it.
   *
   * @example
   * const shared = ContainerAppEnvironment.fromId(this, 'shared', '/subscriptions/…/resourceGroups/rg-shared/providers/Microsoft.App/managedEnvironments/cae-shared');
   */
  static fromId(scope: Construct, id: string, environmentId: string): IContainerAppEnvironment {
    return ExistingEnvironment.fromId(scope, id, environmentId);
  }

  /** An environment that exists already, looked up by name when the stack is planned. */
  static fromName(
    scope: Construct,
    id: string,
    attributes: ContainerAppEnvironmentAttributes,
  ): IContainerAppEnvironment {
    return new ExistingEnvironment(scope, id, attributes);
  }

  /**
   * The environment that a stack creates for its apps.
   *
   * @param resourceGroup its resource group if it is created now and the stack has none.
   */
  static getOrCreate(
    scope: Construct,
    resourceGroup?: ResourceGroupReference,
  ): ContainerAppEnvironment {
    const stack = TerraformStack.of(scope);
    const props = cloudSettings(stack).resourceGroup === undefined ? { resourceGroup } : {};
    // findings about it point to the line that created the app
    const { creationLocation } = scope as Partial<CastellanConstruct>;
    return getOrCreateChild(
      stack,
      ownEnvironmentId,
      (each) => each instanceof ContainerAppEnvironment,
      (id) => withLocation(creationLocation, () => new ContainerAppEnvironment(stack, id, props)),
    );
  }

  /** @throws CAS2004 when the stack has no location. */
  constructor(
    scope: Construct,
    id: string,
    { resourceGroup, ...declaredProps }: ContainerAppEnvironmentProps = {},
  ) {
    const typedProps = withTypedTokens(scope, 'environments', declaredProps, id);
    const defaultName =
      typedProps.name ??
      nestedResourceName(scope, id, containerAppEnvironment.properties.name.maxLength, typedProps);
    const props = defaultName === undefined ? typedProps : { ...typedProps, name: defaultName };
    super(scope, id, 'environments', props);
    this.requireProvider('azurerm');
    this.resourceGroup = resolveResourceGroup(this, resourceGroup);
    const { location, resourceGroupName } = this.resourceGroup;
    const placement = { location, resourceGroupName };
    const tags = mergeStackTags(this, props.tags);
    const { namedAfter = TerraformStack.of(this).node.id } = cloudSettings(this);
    const name = props.name ?? (this.isDefaultOfStack ? `cae-${namedAfter}` : id);
    this.resource = this.withEnvironmentLogicalId(
      new AzurermEnvironment(this, 'Default', {
        ...placement,
        ...toPrebuiltBindingConfig<Partial<ContainerAppEnvironmentConfig>>(
          containerAppEnvironment.properties,
          'azurerm_container_app_environment',
          withoutDisabledSettings(props),
        ),
        name: escapeInterpolation(name),
        ...this.logsConfig(props, name, placement),
        tags,
      }),
    );
    this.environmentId = this.resource.id;
    this.defaultDomain = this.resource.defaultDomain;
  }

  private logsConfig(
    { logs }: ContainerAppEnvironmentProps,
    name: string,
    placement: { resourceGroupName: string; location: string },
  ) {
    if (logs === undefined) return {};
    if (logs.workspaceId !== undefined)
      return {
        logsDestination: 'log-analytics',
        logAnalyticsWorkspaceId: escapeInterpolation(logs.workspaceId),
      };
    const workspace = this.withLogicalIdOfConstruct(
      new LogAnalyticsWorkspace(this, 'logs', {
        ...placement,
        name: `log-${escapeInterpolation(name)}`,
        sku: 'PerGB2018',
        retentionInDays: logs.retentionInDays ?? 30,
        tags: mergeStackTags(this, undefined),
      }),
    );
    return { logsDestination: 'log-analytics', logAnalyticsWorkspaceId: workspace.id };
  }

  /** Gives the environment its logical id: for that which a stack creates, the id of the stack. */
  private withEnvironmentLogicalId(resource: AzurermEnvironment): AzurermEnvironment {
    if (!this.isDefaultOfStack) return this.withLogicalIdOfConstruct(resource);
    nameAfterStack(resource);
    return this.withMetaArguments(resource);
  }

  /** Whether this is the environment that apps of the stack get if they name none. */
  private get isDefaultOfStack(): boolean {
    return this.node.scope === TerraformStack.of(this) && isOwnEnvironmentId(this.node.id);
  }
}

/**
 * The declaration without `internal: false` and `zoneRedundant: false`: the official provider
 * requires a subnet wherever they are set, even to false.
 */
function withoutDisabledSettings({
  internal,
  zoneRedundant,
  ...props
}: ContainerAppEnvironmentProps): object {
  return {
    ...props,
    internal: internal === false ? undefined : internal,
    zoneRedundant: zoneRedundant === false ? undefined : zoneRedundant,
  };
}
