import packageJson from '../../package.json';
import type { Construct } from './cdktf.js';
import { PlainProvider, type ProviderOrigin } from './plain-resource.js';

/** Castellan's own provider, for what the official ones can't say. */
export const castellan: ProviderOrigin = { name: 'castellan', source: 'castellan/castellan', version: packageJson.version };

/** What the castellan provider needs to know; everything else it takes from its environment (`ARM_…`). */
export interface CastellanProviderConfig {
  readonly tenantId?: string;
}

/** `provider "castellan"`. */
export class CastellanProvider extends PlainProvider {
  constructor(scope: Construct, id: string, config: CastellanProviderConfig = {}) {
    super(scope, id, castellan, { tenant_id: config.tenantId });
  }
}
