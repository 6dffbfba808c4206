/**
 * The Terraform provider: plugin protocol 6 for the addresses of azurerm, azuread, azapi, fabric
 * and castellan.
 *
 * Of the last, castellan/castellan, these resource types are our own (provider/schemas/castellan,
 * docs/reference/provider.md):
 * - `castellan_group_properties`: classification, language, data location, unique name, labels,
 *   sender lists, licences of a group;
 * - `castellan_group_settings`: a setting from a template, of a group or of the tenant;
 * - `castellan_group_lifecycle_policy`: when unified groups expire;
 * - `castellan_eventhouse`, `castellan_eventstream`: items with a sensitivity label, several
 *   definition parts, `.platform`, a format.
 */
export { providerAddresses } from './providers.js';
export type { ProviderName } from './providers.js';
export type { ControlPlane } from './control-plane.js';
export { reattachValue, startProvider } from './reattachable-provider.js';
export type { RunningProvider, StartProviderOptions } from './reattachable-provider.js';
