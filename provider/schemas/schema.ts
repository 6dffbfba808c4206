import type { Path, Value, ValueMap, TypeExpression } from '../values/value.js';

/** How values nest: one object, a list, a set (no order, no duplicates) or a map of them. */
export type Nesting = 'single' | 'list' | 'set' | 'map';

/** What a check says about a value: nothing when it is fine, else what is wrong, what is allowed, in a sentence or two. */
export type Check = (value: string | number | boolean, name: string) => string | undefined;

/** Facts about an attribute or block that Terraform's wire format does not carry: they drive validation and planning. */
export interface Rules {
  /** A change of the value replaces the resource. */
  readonly forceNew?: boolean;
  /** The value that an unset attribute gets in the plan. */
  readonly default?: Value;
  /** Checks of each known value; of each element, for lists, sets and maps. */
  readonly checks?: readonly Check[];
  /** Attributes of the same level that can't be set together with this one. */
  readonly conflictsWith?: readonly string[];
  /** Of these attributes of the same level, this one included, exactly one must be set. */
  readonly exactlyOneOf?: readonly string[];
  /** Of these attributes of the same level, this one included, at least one must be set. */
  readonly atLeastOneOf?: readonly string[];
  /** Attributes of the same level that must be set where this one is. */
  readonly requiredWith?: readonly string[];
  /** A computed value that any update may change: it is unknown in the plan of an update. */
  readonly volatile?: boolean;
  /** Two spellings of the same value: the one that is there already is kept. */
  readonly same?: (a: string, b: string) => boolean;
  /** The spelling that goes into plan and state, where it differs from the one that is written. */
  readonly normalize?: (value: string) => string;
  /** Fewest and most elements of a list or set attribute. */
  readonly min?: number;
  readonly max?: number;
}

/** One attribute of a resource. */
export interface Attribute extends Rules {
  /** The type; absent where `nested` says what is inside. */
  readonly type?: TypeExpression;
  readonly nested?: { readonly nesting: Nesting; readonly attributes: Readonly<Record<string, Attribute>> };
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly sensitive?: boolean;
  readonly writeOnly?: boolean;
  readonly deprecated?: string | true;
  readonly description?: string;
}

/** A block: attributes and blocks inside it, and how many there may be. */
export interface Block extends Body, Pick<Rules, 'conflictsWith' | 'exactlyOneOf' | 'atLeastOneOf' | 'requiredWith' | 'forceNew'> {
  readonly nesting: 'single' | 'list' | 'set';
  /** The service fills it where it is not written; only the classic kit has such blocks. */
  readonly computed?: boolean;
  readonly min?: number;
  readonly max?: number;
}

/** What is inside a resource or a block. */
export interface Body {
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly blocks?: Readonly<Record<string, Block>>;
  readonly description?: string;
}

/** A message to the user, at the attribute that it is about. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail?: string;
  readonly path?: Path;
}

/** A rule over several attributes of a configuration; unknown values pass. */
export type ConfigRule = (config: ValueMap) => Iterable<Finding>;

/**
 * How a provider plans computed values, as the two kits that official providers are made with do it: `classic` keeps them in an update and
 * takes an empty value for an unset one; `framework` distinguishes null from empty.
 */
export type Style = 'classic' | 'framework';

/** A resource type or data source: its attributes and blocks with the rules that they follow. */
export interface ResourceSchema extends Body {
  readonly version: number;
  readonly rules?: readonly ConfigRule[];
}

/** One provider: its configuration, resource types and data sources. */
export interface ProviderSchema {
  /** The address that Terraform knows it by: `registry.terraform.io/hashicorp/azurerm`. */
  readonly address: string;
  readonly style: Style;
  readonly config: Body;
  readonly resources: Readonly<Record<string, ResourceSchema>>;
  readonly dataSources: Readonly<Record<string, ResourceSchema>>;
}
