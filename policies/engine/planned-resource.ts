import type { Origin } from './stack-index.js';

/** One resource of a plan, as `terraform show -json` prints it: the parts that rules read. */
export interface PlannedResource {
  /** The full address, such as `module.shop.azuread_group.shoppers[0]`. */
  readonly address: string;
  readonly mode: 'managed' | 'data' | 'ephemeral';
  readonly type: string;
  readonly name: string;
  readonly providerName: string;
  readonly actions: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
  /** The shape of what is known only after apply: `true` where a value is unknown. */
  readonly afterUnknown: unknown;
  /** The attributes that force a replacement. */
  readonly replacePaths: readonly (readonly (string | number)[])[];
  /** The address that it had before, where a `moved` block gives it another. */
  readonly previousAddress?: string;
  /** Why Terraform does what it does, in its words: `replace_because_tainted`, `delete_because_no_resource_config`. */
  readonly actionReason?: string;
  /** The key of an object that was replaced and is still to be deleted. */
  readonly deposed?: string;
  /** The id in the live service, where a state or an import knows it. */
  readonly liveId?: string;
  /** Where else it was seen: of a resource in a construct tree, its path and the line that created it. */
  readonly origin?: Origin;
  /** The resources that it was read with, and its place among them; one that is in memory has none. */
  readonly piece?: ResourcePiece;
  readonly position?: number;
}

/** Resources that are read from a file together, and can be read again: nothing needs to keep them. */
export interface ResourcePiece {
  resources(): readonly PlannedResource[];
}
