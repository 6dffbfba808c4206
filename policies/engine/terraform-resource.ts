import type { ConfigPath } from '../../core/yaml/layers.js';

/** A resource of a plan or a state, of any type, as rules of one's own see it. */
export interface TerraformResource<Values = Readonly<Record<string, unknown>>> {
  /** The full address, such as `module.shop.azurerm_storage_account.logs["eu"]`. */
  readonly address: string;
  /** The Terraform type, such as `azurerm_storage_account`. */
  readonly type: string;
  /** The name in its module, without an index. */
  readonly name: string;
  /** The address of its module; empty in the root. */
  readonly module: string;
  /** What the plan does with it: `create`, `update`, `delete`, `no-op`, …; `no-op` for a resource of a state. */
  readonly actions: readonly string[];
  /** Its attributes after the plan, or those that it has where the plan deletes it. What is known only after apply is missing. */
  readonly values: Values;
  /** The attributes that it has now; undefined where the plan creates it. */
  readonly before?: Values;
  /** The paths of the attributes that are known only after apply. */
  readonly unknown: readonly ConfigPath[];
  /** What each attribute refers to, as the configuration has it: `azurerm_subnet.app.id`. A state knows none. */
  readonly references: Readonly<Record<string, readonly string[]>>;
}
