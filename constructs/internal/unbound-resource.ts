import packageJson from '../../package.json';
import { type Construct, TerraformDataSource } from './cdktf.js';
import {
  type Attributes,
  hclAttributes,
  PlainProvider,
  PlainResource,
  type ProviderOrigin,
} from './plain-resource.js';
import { providerVersions } from './provider-versions.js';

/** The provider for workspaces and their items; npm has no binding for it. */
export const fabric: ProviderOrigin = {
  name: 'fabric',
  source: 'microsoft/fabric',
  version: providerVersions.fabric,
};

/** The settings of fabric; it takes others from its environment (`FABRIC_…`, `ARM_…`). */
export interface FabricProviderConfig {
  /** @default `FABRIC_TENANT_ID` */
  readonly tenantId?: string | undefined;
}

/**
 * `provider "fabric"`.
 *
 * @example
 * new FabricProvider(stack, 'fabric', { tenantId: process.env['FABRIC_TENANT_ID'] });
 */
export class FabricProvider extends PlainProvider {
  constructor(scope: Construct, id: string, config: FabricProviderConfig = {}) {
    super(scope, id, fabric, { tenant_id: config.tenantId });
  }
}

/** Castellan's own provider, for properties that the official ones lack. */
export const castellan: ProviderOrigin = {
  name: 'castellan',
  source: 'castellan/castellan',
  version: packageJson.version,
};

/** The settings of the castellan provider; it takes others from its environment (`ARM_…`). */
export interface CastellanProviderConfig {
  /** @default `ARM_TENANT_ID` */
  readonly tenantId?: string | undefined;
}

/**
 * `provider "castellan"`.
 *
 * @example
 * new CastellanProvider(stack, 'castellan', { tenantId: process.env['ARM_TENANT_ID'] });
 */
export class CastellanProvider extends PlainProvider {
  constructor(scope: Construct, id: string, config: CastellanProviderConfig = {}) {
    super(scope, id, castellan, { tenant_id: config.tenantId });
  }
}

/**
 * A resource of fabric or of castellan's own provider, for which npm has no bindings: its type, and
 * attributes by Terraform's names.
 *
 * @example
 * new UnboundResource(stack, 'lake', 'fabric_lakehouse', {
 *   display_name: 'Lake',
 *   workspace_id: telemetry.workspaceId,
 * });
 */
export class UnboundResource extends PlainResource {
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
 * A data source of fabric, by attributes of Terraform's names.
 *
 * @example
 * new UnboundData(stack, 'capacity', 'fabric_capacity', { display_name: 'Shared' });
 */
export class UnboundData extends TerraformDataSource {
  constructor(
    scope: Construct,
    id: string,
    type: `fabric_${string}`,
    private readonly attributes: Attributes,
  ) {
    super(scope, id, {
      terraformResourceType: type,
      terraformGeneratorMetadata: {
        providerName: fabric.name,
        providerVersion: fabric.version,
        providerVersionConstraint: fabric.version,
      },
    });
  }

  /** The id of the workspace, known when the stack is planned. */
  get workspaceId(): string {
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
