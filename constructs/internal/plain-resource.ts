import { type Construct, type TerraformMetaArguments, TerraformProvider, TerraformResource } from './cdktf.js';

/** Which provider a binding belongs to: its local name, its address and the release whose schema the binding follows. */
export interface ProviderOrigin {
  readonly name: string;
  readonly source: string;
  readonly version: string;
}

/** Attributes by Terraform's names; `undefined` leaves one out, `null` is written. */
export type Attributes = Readonly<Record<string, unknown>>;

/** The base of the bindings that npm lacks: a typed resource is its attributes under Terraform's names. */
export abstract class PlainResource extends TerraformResource {
  protected constructor(
    scope: Construct,
    id: string,
    { type, origin, meta }: { type: string; origin: ProviderOrigin; meta: TerraformMetaArguments },
    private readonly attributes: Attributes,
  ) {
    super(scope, id, { ...meta, terraformResourceType: type, terraformGeneratorMetadata: generatorOf(origin) });
  }

  /** The id that the service gave, known after apply. */
  get id(): string {
    return this.getStringAttribute('id');
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.attributes }; // cdktf writes into what it gets, twice a synthesis
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclAttributes(this.attributes);
  }
}

/** {@link PlainResource} for a provider's own settings. */
export abstract class PlainProvider extends TerraformProvider {
  protected constructor(
    scope: Construct,
    id: string,
    origin: ProviderOrigin,
    private readonly attributes: Attributes,
  ) {
    super(scope, id, {
      terraformResourceType: origin.name,
      terraformProviderSource: origin.source,
      terraformGeneratorMetadata: generatorOf(origin),
    });
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.attributes };
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclAttributes(this.attributes);
  }
}

function generatorOf(origin: ProviderOrigin) {
  return { providerName: origin.name, providerVersion: origin.version, providerVersionConstraint: origin.version };
}

/** `cdktf synth --hcl` wants each value with its kind; all of ours are attributes, none is a block. */
function hclAttributes(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, { value, isBlock: false, type: 'any', storageClassType: 'any' }]),
  );
}
