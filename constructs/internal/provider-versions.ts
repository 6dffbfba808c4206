/**
 * Which versions of the official providers a stack works with: from the one whose schema the bindings have to the end of the newest major
 * version whose schema was looked at. What is written uses nothing that only a part of them has.
 */
export const providerVersions = {
  azurerm: '>= 4.55.0, < 6.0.0',
  azuread: '~> 3.7',
  azapi: '~> 2.12',
  fabric: '~> 1.13',
} as const;
