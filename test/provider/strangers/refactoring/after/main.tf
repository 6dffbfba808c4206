variable "storage_id" { type = string }

resource "azurerm_resource_group" "main" {
  name     = "rg-legacy"
  location = "westeurope"
}

moved {
  from = azurerm_resource_group.rg
  to   = azurerm_resource_group.main
}

module "groups" {
  source = "./groups"
  names  = { first = "Legacy team 0", second = "Legacy team 1" }
  owners = ["e0000000-0000-4000-8000-000000000001", "e0000000-0000-4000-8000-000000000002"]
}

moved {
  from = azuread_group.team[0]
  to   = module.groups.azuread_group.team["first"]
}

moved {
  from = azuread_group.team[1]
  to   = module.groups.azuread_group.team["second"]
}

removed {
  from = azuread_group.admins

  lifecycle {
    destroy = false
  }
}

removed {
  from = azapi_resource.storage

  lifecycle {
    destroy = false
  }
}

import {
  to = azapi_resource.data
  id = "${var.storage_id}?api-version=2024-01-01"
}

resource "azapi_resource" "data" {
  type      = "Microsoft.Storage/storageAccounts@2024-01-01"
  name      = "legacydata"
  parent_id = azurerm_resource_group.main.id
  location  = azurerm_resource_group.main.location
  body      = { kind = "StorageV2", sku = { name = "Standard_LRS" }, properties = {} }
}

resource "azurerm_user_assigned_identity" "runner" {
  name                = "runner"
  location            = azurerm_resource_group.main.location
  resource_group_name = azurerm_resource_group.main.name
  tags                = { owner = "platform" }
}
