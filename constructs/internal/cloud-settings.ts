import type { Dialect } from '../../core/dialect/dialect.js';
import { type Construct, TerraformStack } from './cdktf.js';

/** The place of a stack in the cloud: what its providers and its container apps need to know. */
export interface CloudSettings {
  /** The tenant of the directory. @default what the providers find in their environment (`ARM_TENANT_ID`). */
  readonly tenantId?: string;
  /** The subscription. @default what the providers find in their environment (`ARM_SUBSCRIPTION_ID`). */
  readonly subscriptionId?: string;
  /** The region of container apps, such as `westeurope`. */
  readonly location?: string;
  /** The resource group of container apps; it is created. @default `rg-` and the stack's name. */
  readonly resourceGroup?: string;
  /** Tags of every resource that takes some. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Set where the stack is meant for the local sandbox, which needs to know more than the cloud. @default the cloud */
  readonly sandbox?: SandboxSettings;
}

/** What the local sandbox needs to know of a stack. */
export interface SandboxSettings {
  /** The words that the apps' sign-in layer speaks. */
  readonly dialect: Dialect;
}

const settingsOf = new WeakMap<TerraformStack, CloudSettings>();

/**
 * Sets the place of a stack; once, before its constructs are made.
 *
 * @example
 * setCloudSettings(stack, { location: 'westeurope', resourceGroup: 'rg-shop' });
 */
export function setCloudSettings(stack: TerraformStack, settings: CloudSettings): void {
  settingsOf.set(stack, settings);
}

/** The place of a construct's stack in the cloud; a plain cdktf stack says nothing and leaves all to the providers' environment. */
export function cloudSettings(scope: Construct): CloudSettings {
  return settingsOf.get(TerraformStack.of(scope)) ?? {};
}

const judgedBefore = new WeakSet<TerraformStack>();

/** Records that this stack was checked by the policy of its configuration. */
export function rememberJudged(stack: TerraformStack): void {
  judgedBefore.add(stack);
}

/** Whether the stack of a construct was checked already: what its policy accepts must not be refused here. */
export function isJudged(scope: Construct): boolean {
  return judgedBefore.has(TerraformStack.of(scope));
}
