import packageJson from '../../package.json';
import type { ProviderOrigin } from './plain-resource.js';

/**
 * The versions of the official providers that a stack supports: from the one whose schema the
 * bindings have to the end of the newest major version whose schema was compared. Synthesized
 * output only uses what all of them have.
 */
export const providerVersions = {
  azurerm: '>= 4.55.0, < 6.0.0',
  azuread: '~> 3.7',
  azapi: '~> 2.12',
  fabric: '~> 1.13',
} as const;

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
