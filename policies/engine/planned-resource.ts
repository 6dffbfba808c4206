import type { Origin } from './stack-index.js';

/**
 * The body of an azapi resource: older releases of the provider have it as JSON text. Undefined
 * where it is known only after apply, or a text that is not JSON and declares nothing.
 */
export function azapiBodyOf(attributes: unknown): unknown {
  const { body } = (attributes ?? {}) as { readonly body?: unknown };
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** A resource of a plan in the form of `terraform show -json`, with the parts that rules use. */
export interface PlannedResource {
  /** The full address, such as `module.shop.azuread_group.shoppers[0]`. */
  readonly address: string;
  readonly mode: 'managed' | 'data' | 'ephemeral';
  readonly type: string;
  /** The name of its block in Terraform, not in the cloud. */
  readonly name: string;
  /** The address of the provider, as Terraform writes it; empty if it is not known. */
  readonly providerName: string;
  /** Terraform's: `['no-op']`, `['update']`, `['delete', 'create']` for a replacement, … */
  readonly actions: readonly string[];
  /** The attributes before the change; null for a resource that is created. */
  readonly before: unknown;
  /** The attributes after the change; null for a resource that is deleted. */
  readonly after: unknown;
  /** The shape of the values that are known only after apply: `true` for an unknown value. */
  readonly afterUnknown: unknown;
  /** Its texts that the plan or state marks as sensitive. @default none */
  readonly sensitiveTexts?: readonly string[];
  /** The attributes that force a replacement. */
  readonly replacePaths: readonly (readonly (string | number)[])[];
  /** The previous address, if a `moved` block changes it. */
  readonly previousAddress?: string;
  /**
   * The reason for Terraform's action, such as `replace_because_tainted` or
   * `delete_because_no_resource_config`.
   */
  readonly actionReason?: string;
  /** The key of a replaced object that is still to be deleted. */
  readonly deposed?: string;
  /** The id in the live service, from a state or an import. */
  readonly liveId?: string;
  /**
   * The construct that created it: its path and the line, for a resource in a construct tree.
   */
  readonly origin?: Origin;
}
