import type { Dialect } from '../../core/dialect/dialect.js';
import { type Construct, TerraformStack } from './cdktf.js';

/** The cloud settings of a stack, for its providers and container apps. */
export interface CloudSettings {
  /** The tenant of the directory. @default from the providers' environment (`ARM_TENANT_ID`). */
  readonly tenantId?: string;
  /** The subscription. @default from the providers' environment (`ARM_SUBSCRIPTION_ID`). */
  readonly subscriptionId?: string;
  /** The region of container apps, such as `westeurope`. */
  readonly location?: string;
  /** The resource group of container apps; it is created. @default `rg-` and the stack's name. */
  readonly resourceGroup?: string;
  /** Tags for every resource that supports tags. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Set for the local sandbox, which needs more settings than the cloud. @default the cloud */
  readonly sandbox?: SandboxSettings;
}

/** The sandbox settings of a stack. */
export interface SandboxSettings {
  /** The dialect of the apps' sign-in layer. */
  readonly dialect: Dialect;
}

const settingsOf = new WeakMap<TerraformStack, CloudSettings>();

/**
 * Sets the cloud settings of a stack; once, before its constructs are created.
 *
 * @example
 * setCloudSettings(stack, { location: 'westeurope', resourceGroup: 'rg-shop' });
 */
export function setCloudSettings(stack: TerraformStack, settings: CloudSettings): void {
  settingsOf.set(stack, settings);
}

/**
 * The cloud settings of a construct's stack; for a plain cdktf stack empty, which leaves everything
 * to the providers' environment.
 */
export function cloudSettings(scope: Construct): CloudSettings {
  return settingsOf.get(TerraformStack.of(scope)) ?? {};
}

const judgedBefore = new WeakSet<TerraformStack>();

/** Records that this stack was checked by the policy of its configuration. */
export function rememberJudged(stack: TerraformStack): void {
  judgedBefore.add(stack);
}

/**
 * Whether the stack of a construct was checked already: findings accepted by its policy must not be
 * refused here.
 */
export function isJudged(scope: Construct): boolean {
  return judgedBefore.has(TerraformStack.of(scope));
}
