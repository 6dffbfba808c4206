import {
  type Construct,
  type TerraformMetaArguments,
  TerraformProvider,
  TerraformResource,
} from './cdktf.js';

/**
 * The provider of a binding: its local name, its address and the release whose schema the binding
 * follows.
 */
export interface ProviderOrigin {
  /** The local name: `fabric`. */
  readonly name: string;
  /** The address in the registry: `microsoft/fabric`. */
  readonly source: string;
  /** The release, exactly: `1.13.0`. */
  readonly version: string;
}

/** Attributes by Terraform's names; `undefined` omits one, `null` is written. */
export type Attributes = Readonly<Record<string, unknown>>;

/**
 * The base of bindings that npm lacks: it keeps attributes under Terraform's names.
 *
 * @example
 * const isOurs = (resource: unknown): boolean => resource instanceof PlainResource;
 */
export abstract class PlainResource extends TerraformResource {
  protected constructor(
    scope: Construct,
    id: string,
    { type, origin, meta }: { type: string; origin: ProviderOrigin; meta: TerraformMetaArguments },
    private attributes: Attributes,
  ) {
    super(scope, id, {
      ...meta,
      terraformResourceType: type,
      terraformGeneratorMetadata: generatorMetadata(origin),
    });
  }

  /** Changes attributes, by Terraform's names; `undefined` removes one. */
  setAttributes(attributes: Attributes): void {
    this.attributes = { ...this.attributes, ...attributes };
  }

  /** The value that an attribute was set to, by Terraform's name. */
  protected input(name: string): unknown {
    return this.attributes[name];
  }

  /** The service's id of the resource, known after apply. */
  get id(): string {
    return this.getStringAttribute('id');
  }

  /** The attributes as cdktf writes them in Terraform JSON. */
  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.attributes }; // cdktf modifies the object that it gets, twice per synthesis
  }

  /** The attributes as cdktf writes them in HCL. */
  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclAttributes(this.attributes);
  }
}

/**
 * {@link PlainResource} for a provider's own settings.
 *
 * @example
 * const isOurs = (provider: unknown): boolean => provider instanceof PlainProvider;
 */
export abstract class PlainProvider extends TerraformProvider {
  protected constructor(
    scope: Construct,
    id: string,
    origin: ProviderOrigin,
    private readonly attributes: Attributes,
    private ownAlias?: string,
  ) {
    super(scope, id, {
      terraformResourceType: origin.name,
      terraformProviderSource: origin.source,
      terraformGeneratorMetadata: generatorMetadata(origin),
    });
  }

  /** The name of a second configuration of the provider. */
  override get alias(): string | undefined {
    return this.ownAlias;
  }

  override set alias(alias: string | undefined) {
    this.ownAlias = alias;
  }

  /** The attributes as cdktf writes them in Terraform JSON. */
  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.attributes, alias: this.ownAlias };
  }

  /** The attributes as cdktf writes them in HCL. */
  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclAttributes({ ...this.attributes, alias: this.ownAlias });
  }
}

/** The provider of a binding in the form that cdktf writes to its metadata. */
export function generatorMetadata(origin: ProviderOrigin) {
  return {
    providerName: origin.name,
    providerVersion: origin.version,
    providerVersionConstraint: origin.version,
  };
}

/**
 * Attributes in the form that `cdktf synth --hcl` needs, which says of each value whether it is a
 * block: none of these is.
 */
export function hclAttributes(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [
        name,
        { value: withHclNulls(value), isBlock: false, type: 'any', storageClassType: 'any' },
      ]),
  );
}

/** A value with an expression in place of each null, on which cdktf's HCL fails. */
function withHclNulls(value: unknown): unknown {
  if (value === null) return '${null}';
  if (Array.isArray(value)) return value.map(withHclNulls);
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withHclNulls(each as unknown)]),
  );
}
