import packageJson from '../../package.json';
import type { ProviderOrigin } from './plain-resource.js';
import { providerVersions } from './provider-versions.js';

/** The provider for workspaces and their items; npm has no binding for it. */
export const fabric: ProviderOrigin = {
  name: 'fabric',
  source: 'microsoft/fabric',
  version: providerVersions.fabric,
};

/** Castellan's own provider, for properties that the official ones lack. */
export const castellan: ProviderOrigin = {
  name: 'castellan',
  source: 'castellan/castellan',
  version: packageJson.version,
};
