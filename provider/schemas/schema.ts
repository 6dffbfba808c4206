import type { Path, Value, ValueMap, TypeExpression } from '../values/value.js';

/** The nesting of values: one object, a list, a set (without order and duplicates) or a map. */
export type Nesting = 'single' | 'list' | 'set' | 'map';

/**
 * The result of a check: undefined for a valid value, otherwise what is wrong and what is allowed,
 * in a sentence or two.
 */
export type Check = (value: string | number | boolean, name: string) => string | undefined;

/** How an attribute or block is validated and planned: what Terraform's protocol does not carry. */
export interface AttributeBehavior {
  /** A change of the value replaces the resource. */
  readonly forceNew?: boolean;
  /** The planned value of an unset attribute. */
  readonly default?: Value;
  /** Checks of each known value; for lists, sets and maps, of each element. */
  readonly checks?: readonly Check[];
  /** Attributes of the same level that conflict with this one. */
  readonly conflictsWith?: readonly string[];
  /** Of these attributes of the same level, this one included, exactly one must be set. */
  readonly exactlyOneOf?: readonly string[];
  /** Of these attributes of the same level, this one included, at least one must be set. */
  readonly atLeastOneOf?: readonly string[];
  /** Attributes of the same level that must be set together with this one. */
  readonly requiredWith?: readonly string[];
  /** A computed value that any update may change: it is unknown in the plan of an update. */
  readonly volatile?: boolean;
  /**
   * Whether two spellings mean the same value; then the plan keeps the one in the state
   * (`DiffSuppressFunc` in SDKv2, semantic equality in the plugin framework).
   */
  readonly isEquivalent?: (a: string, b: string) => boolean;
  /** Converts to the spelling in plan and state, if it differs from the written one. */
  readonly normalize?: (value: string) => string;
  /** The minimum number of elements in a list or set attribute. */
  readonly min?: number;
  /** The maximum number of elements in a list or set attribute. */
  readonly max?: number;
}

/** One attribute of a resource. */
export interface Attribute extends AttributeBehavior {
  /** The type; absent with `nested`. */
  readonly type?: TypeExpression;
  /** The attributes inside a nested attribute; absent with `type`. */
  readonly nested?: {
    readonly nesting: Nesting;
    readonly attributes: Readonly<Record<string, Attribute>>;
  };
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly sensitive?: boolean;
  readonly writeOnly?: boolean;
  /** What to do instead, in the provider's words; true if it does not say. */
  readonly deprecated?: string | true;
  readonly description?: string;
}

/** A block: its attributes and blocks, and how many there may be. */
export interface Block
  extends
    BlockSchema,
    Pick<
      AttributeBehavior,
      'conflictsWith' | 'exactlyOneOf' | 'atLeastOneOf' | 'requiredWith' | 'forceNew'
    > {
  readonly nesting: 'single' | 'list' | 'set';
  /** The service fills it if it is not configured; only SDKv2 has such blocks. */
  readonly computed?: boolean;
  /** How many of the block there must be. @default 0 */
  readonly min?: number;
  /** How many of the block there may be. @default any number */
  readonly max?: number;
}

/** The attributes and blocks of a resource, or of a block; Terraform's `Schema.Block`. */
export interface BlockSchema {
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly blocks?: Readonly<Record<string, Block>>;
  readonly description?: string;
}

/** A message to the user, at its attribute. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  /** The explanation below the summary. */
  readonly detail?: string;
  /** The attribute that it is about. @default the whole resource or block */
  readonly path?: Path;
}

/** A check over several attributes of a configuration; unknown values pass. */
export type ConfigValidator = (config: ValueMap) => Iterable<Diagnostic>;

/**
 * The library that a provider is built with, by which it plans: terraform-plugin-sdk v2 keeps
 * computed values in an update and treats empty values as unset; terraform-plugin-framework
 * distinguishes null from empty.
 */
export type ProviderSdk = 'sdkv2' | 'framework';

/** A resource type or data source: its attributes and blocks, with checks of their combination. */
export interface ResourceSchema extends BlockSchema {
  /** The version of the schema, by which older states are migrated. */
  readonly version: number;
  readonly configValidators?: readonly ConfigValidator[];
}

/** One provider: its configuration, resource types and data sources. */
export interface ProviderSchema {
  /** Its address in Terraform: `registry.terraform.io/hashicorp/azurerm`. */
  readonly address: string;
  /** The library that the provider is built with. */
  readonly sdk: ProviderSdk;
  /** The attributes and blocks of the provider block. */
  readonly config: BlockSchema;
  /** By resource type: `azuread_group`. */
  readonly resources: Readonly<Record<string, ResourceSchema>>;
  readonly dataSources: Readonly<Record<string, ResourceSchema>>;
}
