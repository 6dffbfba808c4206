import type { Construct, TerraformMetaArguments } from './cdktf.js';
import { PlainProvider, PlainResource, type ProviderOrigin } from './plain-resource.js';
import { providerVersions } from './provider-origins.js';

/**
 * The provider for the cloud's resources that the official azurerm provider lacks; npm has no
 * binding for it.
 */
export const azapi: ProviderOrigin = {
  name: 'azapi',
  source: 'azure/azapi',
  version: providerVersions.azapi,
};

/** The settings of azapi; it reads others from environment variables (`ARM_…`). */
export interface AzapiProviderConfig {
  /** The subscription. @default the environment variable `ARM_SUBSCRIPTION_ID` */
  readonly subscriptionId?: string | undefined;
  /** The tenant. @default the environment variable `ARM_TENANT_ID` */
  readonly tenantId?: string | undefined;
  /**
   * Whether a body to which the object of the service already conforms means no change.
   *
   * @default true, the provider's own; a setting that was removed from a body then stays in the
   *   service.
   */
  readonly ignoreNoOpChanges?: boolean | undefined;
  /** The name of a second configuration. @default none, for the stack's default configuration */
  readonly alias?: string | undefined;
}

/**
 * `provider "azapi"`.
 *
 * @example
 * new AzapiProvider(stack, 'azapi', { ignoreNoOpChanges: false });
 */
export class AzapiProvider extends PlainProvider {
  constructor(scope: Construct, id: string, config: AzapiProviderConfig = {}) {
    const { subscriptionId, tenantId, ignoreNoOpChanges, alias } = config;
    const settings = {
      subscription_id: subscriptionId,
      tenant_id: tenantId,
      ignore_no_op_changes: ignoreNoOpChanges,
    };
    super(scope, id, azapi, settings, alias);
  }
}

/** `azapi_resource`: an object of the cloud's API, in the form of that API. */
export interface AzapiResourceConfig extends TerraformMetaArguments {
  /** Resource type and api-version: `Microsoft.App/containerApps/authConfigs@2025-07-01`. */
  readonly type: string;
  /** The last part of its id. */
  readonly name: string;
  /** The id of the parent. */
  readonly parentId: string;
  /** The request body. A removed setting must be an explicit null: omitting it plans no change. */
  readonly body: Readonly<Record<string, unknown>>;
  /**
   * Whether the provider validates the body against its schema. @default true, the provider's own
   */
  readonly schemaValidationEnabled?: boolean | undefined;
}

/**
 * `azapi_resource`: any object of the cloud's API, by the body that the API takes.
 *
 * @example
 * new AzapiResource(stack, 'job', {
 *   type: 'Microsoft.App/jobs@2025-07-01',
 *   name: 'nightly',
 *   parentId: '/subscriptions/0b9d0c1e-0000-4222-8333-444455556666/resourceGroups/shop',
 *   body: { properties: {} },
 * });
 */
export class AzapiResource extends PlainResource {
  constructor(scope: Construct, id: string, config: AzapiResourceConfig) {
    const { type, name, parentId, body, schemaValidationEnabled, ...meta } = config;
    const attributes = {
      type,
      name,
      parent_id: parentId,
      body,
      schema_validation_enabled: schemaValidationEnabled,
    };
    super(scope, id, { type: 'azapi_resource', origin: azapi, meta }, attributes);
  }

  /** Replaces the request body. */
  setBody(body: AzapiResourceConfig['body']): void {
    this.setAttributes({ body });
  }
}
