/** The address of each provider that this package serves, by its short name: the keys of `TF_REATTACH_PROVIDERS`. */
export const providerAddresses = {
  azurerm: 'registry.terraform.io/hashicorp/azurerm',
  azuread: 'registry.terraform.io/hashicorp/azuread',
  azapi: 'registry.terraform.io/azure/azapi',
  fabric: 'registry.terraform.io/microsoft/fabric',
  castellan: 'registry.terraform.io/castellan/castellan',
} as const;

/** The short name of a provider. */
export type ProviderName = keyof typeof providerAddresses;
