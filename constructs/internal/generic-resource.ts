import { type Construct, TerraformDataSource } from './cdktf.js';
import {
  type Attributes,
  generatorMetadata,
  hclAttributes,
  PlainResource,
} from './plain-resource.js';
import { castellan, fabric } from './provider-origins.js';

/**
 * A resource of fabric or of castellan's own provider for which `castellan/lib` has no binding: its
 * type, and attributes by Terraform's names.
 *
 * @example
 * new GenericResource(stack, 'lake', 'fabric_lakehouse', {
 *   display_name: 'Lake',
 *   workspace_id: telemetry.workspaceId,
 * });
 */
export class GenericResource extends PlainResource {
  constructor(
    scope: Construct,
    id: string,
    type: `${'fabric' | 'castellan'}_${string}`,
    attributes: Attributes,
  ) {
    super(
      scope,
      id,
      { type, origin: type.startsWith('fabric_') ? fabric : castellan, meta: {} },
      attributes,
    );
  }
}

/**
 * A data source of fabric for which `castellan/lib` has no binding, by attributes of Terraform's
 * names.
 *
 * @example
 * new GenericData(stack, 'lake', 'fabric_lakehouse', { display_name: 'Lake' });
 */
export class GenericData extends TerraformDataSource {
  constructor(
    scope: Construct,
    id: string,
    type: `fabric_${string}`,
    private readonly attributes: Attributes,
  ) {
    super(scope, id, {
      terraformResourceType: type,
      terraformGeneratorMetadata: generatorMetadata(fabric),
    });
  }

  /** The service's id of the object, known when the stack is planned. */
  get id(): string {
    return this.getStringAttribute('id');
  }

  /** The attributes, by Terraform's names. */
  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.attributes };
  }

  /** The attributes for HCL. */
  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclAttributes(this.attributes);
  }
}
