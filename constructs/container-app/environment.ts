import { ContainerAppEnvironment as AzurermEnvironment } from '@cdktf/provider-azurerm/lib/container-app-environment';
import { LogAnalyticsWorkspace } from '@cdktf/provider-azurerm/lib/log-analytics-workspace';
import { ResourceGroup } from '@cdktf/provider-azurerm/lib/resource-group';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { EnvironmentDeclaration } from '../generated/props.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import { type Construct, TerraformStack } from '../internal/cdktf.js';
import { cloudSettings } from '../internal/cloud-settings.js';
import { literalData, literalText } from '../internal/literal-text.js';
import { requireProvider } from '../internal/providers.js';

/** The properties of an environment. */
export type ContainerAppEnvironmentProps = EnvironmentDeclaration;

const ownId = 'environment';
const groupId = 'resource-group';

/**
 * An environment for container apps, in the resource group of the stack. A stack creates one for
 * its apps; declare one to configure logs or to separate apps.
 *
 * @example
 * const environment = new ContainerAppEnvironment(this, 'internal', { logs: { retentionInDays: 90 } });
 */
export class ContainerAppEnvironment extends CastellanConstruct {
  /** The resource id, known after apply. */
  readonly environmentId: string;
  /** The domain of its apps, known after apply. */
  readonly defaultDomain: string;
  /** The resource group of the environment and its apps. */
  readonly resourceGroup: ResourceGroup;
  /** The Terraform resource, for properties that these props lack. */
  readonly resource: AzurermEnvironment;

  /** The environment that a stack creates for its apps. */
  static ofStack(scope: Construct): ContainerAppEnvironment {
    const stack = TerraformStack.of(scope);
    const existing = stack.node.tryFindChild(ownId);
    return existing instanceof ContainerAppEnvironment
      ? existing
      : new ContainerAppEnvironment(stack, ownId);
  }

  /** @throws CAS2004 when the stack has no location. */
  constructor(scope: Construct, id: string, props: ContainerAppEnvironmentProps = {}) {
    super(scope, id, 'environments', props);
    requireProvider(this, 'azurerm');
    this.resourceGroup = resourceGroupOf(this);
    const place = {
      resourceGroupName: this.resourceGroup.name,
      location: this.resourceGroup.location,
    };
    const tags = tagsOf(this, props.tags);
    const name = props.name ?? (id === ownId ? `cae-${TerraformStack.of(this).node.id}` : id);
    this.resource = this.nameAfterStack(
      new AzurermEnvironment(this, 'Default', {
        ...place,
        name: literalText(name),
        ...this.logs(props, name, place),
        tags,
      }),
    );
    this.environmentId = this.resource.id;
    this.defaultDomain = this.resource.defaultDomain;
  }

  private logs(
    { logs }: ContainerAppEnvironmentProps,
    name: string,
    place: { resourceGroupName: string; location: string },
  ) {
    if (logs === undefined) return {};
    const workspace = this.withDeclaredName(
      new LogAnalyticsWorkspace(this, 'logs', {
        ...place,
        name: `log-${literalText(name)}`,
        sku: 'PerGB2018',
        retentionInDays: logs.retentionInDays ?? 30,
      }),
    );
    return { logsDestination: 'log-analytics', logAnalyticsWorkspaceId: workspace.id };
  }

  private nameAfterStack(resource: AzurermEnvironment): AzurermEnvironment {
    if (this.node.id !== ownId) return this.withDeclaredName(resource);
    resource.overrideLogicalId(TerraformStack.of(this).node.id);
    return resource;
  }
}

/** The resource group of the stack, created when the first app or environment needs it. */
function resourceGroupOf(scope: Construct): ResourceGroup {
  const stack = TerraformStack.of(scope);
  const existing = stack.node.tryFindChild(groupId);
  if (existing instanceof ResourceGroup) return existing;
  const { location, resourceGroup = `rg-${stack.node.id}` } = cloudSettings(scope);
  if (location === undefined)
    throw new CastellanError(
      'CAS2004',
      `${scope.node.path} needs a location: give the stack one (azure: { location: westeurope })`,
    );
  const group = new ResourceGroup(stack, groupId, {
    name: literalText(resourceGroup),
    location,
    tags: tagsOf(scope, undefined),
  });
  group.overrideLogicalId(stack.node.id);
  return group;
}

/** The stack's tags merged with a resource's own; undefined if there are none. */
export function tagsOf(
  scope: Construct,
  own: Readonly<Record<string, string>> | undefined,
): Record<string, string> | undefined {
  const tags = literalData({ ...cloudSettings(scope).tags, ...own });
  return Object.keys(tags).length === 0 ? undefined : tags;
}
