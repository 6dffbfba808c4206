import type { ConfigPath } from '../../core/yaml/layers.js';

/**
 * Where the value of an attribute comes from: it is `written` in the source, left out, so that it
 * has its `default`, or `unknown`: computed by the provider, or not said by the input.
 */
export type AttributeSource = 'written' | 'default' | 'unknown';

/** A resource of a plan or a state, of any type, for custom rules. */
export interface TerraformResource<Values = Readonly<Record<string, unknown>>> {
  /** The full address, such as `module.shop.azurerm_storage_account.logs["eu"]`. */
  readonly address: string;
  /** The Terraform type, such as `azurerm_storage_account`. */
  readonly type: string;
  /** The name within its module, without an index. */
  readonly name: string;
  /** The address of its module; empty for the root module. */
  readonly module: string;
  /**
   * The planned actions: `create`, `update`, `delete`, `no-op`, …; both of a replacement; `no-op`
   * for a resource of a state.
   */
  readonly actions: readonly string[];
  /**
   * Its attributes after the plan, or the present ones if the plan deletes it. Values that are
   * known only after apply are missing.
   */
  readonly values: Values;
  /** Its present attributes; undefined if the plan creates it. */
  readonly before?: Values;
  /** The paths of the attributes that are known only after apply. */
  readonly unknown: readonly ConfigPath[];
  /**
   * The references of each attribute in the configuration: `azurerm_subnet.app.id`. Empty for a
   * state.
   */
  readonly references: Readonly<Record<string, readonly string[]>>;
  /**
   * Where each value comes from, by its path (`network_rules.0.default_action`): `written` in the
   * configuration, left out (`default`), or computed by the provider (`unknown`).
   *
   * @default not known, as in a state
   */
  readonly sources?: Readonly<Record<string, AttributeSource>>;
}
