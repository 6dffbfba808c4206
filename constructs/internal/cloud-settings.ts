import type { DataAzurermResourceGroup } from '@cdktf/provider-azurerm/lib/data-azurerm-resource-group';
import type { ResourceGroup as AzurermResourceGroup } from '@cdktf/provider-azurerm/lib/resource-group';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { targetOf } from '../../core/sandbox/target.js';
import type { Dialect } from '../../core/dialect/dialect.js';
import { type Construct, TerraformStack } from './cdktf.js';

/** A resource group, of this stack or not. */
export interface IResourceGroup {
  /** The name of the resource group. */
  readonly resourceGroupName: string;
  /**
   * Its region. @default the location of the stack, otherwise looked up when the stack is planned
   */
  readonly location?: string | undefined;
}

/**
 * A resource group: the name of one that is created, `{ existing: name }` for one that exists, a
 * construct of castellan, or a resource or data source of the plain bindings.
 */
export type ResourceGroupReference =
  | string
  | { readonly existing: string }
  | IResourceGroup
  | Pick<AzurermResourceGroup | DataAzurermResourceGroup, 'name' | 'location' | 'fqn'>;

/** The cloud settings of a stack, for its providers and container apps. */
export interface CloudSettingsProps {
  /** The tenant of the directory. @default from the providers' environment (`ARM_TENANT_ID`). */
  readonly tenantId?: string | undefined;
  /** The subscription. @default from the providers' environment (`ARM_SUBSCRIPTION_ID`). */
  readonly subscriptionId?: string | undefined;
  /** The region of container apps, such as `westeurope`. @default that of the resource group */
  readonly location?: string | undefined;
  /**
   * The resource group of container apps: the name of one that is created, `{ existing: name }`, or
   * a resource group. @default one named `rg-` and the stack's name is created
   */
  readonly resourceGroup?: ResourceGroupReference | undefined;
  /**
   * The name that the default names of the resource group and the environment contain: the first
   * name of a stack that was renamed. @default the name of the stack
   */
  readonly namedAfter?: string | undefined;
  /** Tags for every resource that supports tags. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /**
   * Set for the local sandbox, which needs more settings than the cloud. An explicit `undefined`
   * chooses the cloud, even if the environment points to the sandbox.
   *
   * @default the sandbox if the environment points there (`castellan sandbox env`)
   */
  readonly sandbox?: SandboxSettings | undefined;
}

/** The sandbox settings of a stack. */
export interface SandboxSettings {
  /** The dialect of the apps' sign-in layer. */
  readonly dialect: Dialect;
}

/**
 * The cloud settings of a stack: for stacks that are not a CastellanStack, and for settings that
 * refer to a resource group of the stack.
 *
 * @example
 * CloudSettings.of(stack).set({ location: 'westeurope', resourceGroup: { existing: 'rg-shop' } });
 */
export class CloudSettings {
  private static readonly byStack = new WeakMap<TerraformStack, CloudSettings>();

  /** The settings of a construct's stack. */
  static of(scope: Construct): CloudSettings {
    const stack = TerraformStack.of(scope);
    const settings = CloudSettings.byStack.get(stack) ?? new CloudSettings(stack);
    CloudSettings.byStack.set(stack, settings);
    return settings;
  }

  #props: CloudSettingsProps = {};
  #firstReader: string | undefined;

  private constructor(private readonly stack: TerraformStack) {}

  /**
   * Sets cloud settings, in addition to those that the stack has.
   *
   * @throws CAS2013 when a construct has used the settings already.
   */
  set(settings: CloudSettingsProps): void {
    if (this.#firstReader !== undefined)
      throw new CastellanError(
        'CAS2013',
        `the cloud settings of ${this.stack.node.path} were used by ${this.#firstReader} before they were set; set them before you create it`,
      );
    this.#props = { ...this.#props, ...settings };
  }

  /** The settings, for a construct that uses them. */
  settingsFor(scope: Construct): CloudSettingsProps {
    // The stack itself reads them for its backend and providers, which are made at synthesis.
    if (scope !== this.stack) this.#firstReader ??= scope.node.path;
    return 'sandbox' in this.#props || targetOf(process.env) === 'azure'
      ? this.#props
      : { ...this.#props, sandbox: { dialect: 'neutral' } };
  }
}

/**
 * The cloud settings of a construct's stack, with `sandbox` where the environment points there; for
 * a plain cdktf stack nothing else, which leaves everything to the providers' environment.
 */
export function cloudSettings(scope: Construct): CloudSettingsProps {
  return CloudSettings.of(scope).settingsFor(scope);
}

const stacksWithoutValidation = new WeakSet<TerraformStack>();

/**
 * Skips the checks of a stack that is synthesized from a castellan.yaml: `castellan` has checked the
 * file already, by the policy in its folder.
 */
export function skipValidation(stack: TerraformStack): void {
  stacksWithoutValidation.add(stack);
}

/**
 * Whether the stack of a construct was checked already: findings that its policy accepts must not
 * fail the synthesis.
 */
export function isValidationSkipped(scope: Construct): boolean {
  return stacksWithoutValidation.has(TerraformStack.of(scope));
}
