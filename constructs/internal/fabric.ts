import type { Construct } from './cdktf.js';
import { PlainProvider, type ProviderOrigin } from './plain-resource.js';
import { providerVersions } from './provider-versions.js';

/** The provider for workspaces and their items; npm has no binding for it. */
export const fabric: ProviderOrigin = { name: 'fabric', source: 'microsoft/fabric', version: providerVersions.fabric };

/** What fabric needs to know; everything else it takes from its environment (`FABRIC_…`, `ARM_…`). */
export interface FabricProviderConfig {
  readonly tenantId?: string;
}

/** `provider "fabric"`. */
export class FabricProvider extends PlainProvider {
  constructor(scope: Construct, id: string, config: FabricProviderConfig = {}) {
    super(scope, id, fabric, { tenant_id: config.tenantId });
  }
}
