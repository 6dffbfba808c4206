resource "azurerm_resource_group" "rg" {
  name     = "rg-legacy"
  location = "westeurope"
}

resource "azuread_group" "admins" {
  display_name     = "Legacy admins"
  security_enabled = true
  owners           = ["e0000000-0000-4000-8000-000000000001", "e0000000-0000-4000-8000-000000000002"]
}

resource "azuread_group" "team" {
  count            = 2
  display_name     = "Legacy team ${count.index}"
  security_enabled = true
  owners           = ["e0000000-0000-4000-8000-000000000001", "e0000000-0000-4000-8000-000000000002"]
}

resource "azapi_resource" "storage" {
  type      = "Microsoft.Storage/storageAccounts@2024-01-01"
  name      = "legacydata"
  parent_id = azurerm_resource_group.rg.id
  location  = azurerm_resource_group.rg.location
  body      = { kind = "StorageV2", sku = { name = "Standard_LRS" }, properties = {} }
}

resource "azurerm_user_assigned_identity" "runner" {
  name                = "runner"
  location            = azurerm_resource_group.rg.location
  resource_group_name = azurerm_resource_group.rg.name
}
