data "azurerm_client_config" "current" {}

resource "azurerm_resource_group" "main" {
  name     = "rg-${local.prefix}"
  location = var.location
  tags     = local.tags
}

resource "azurerm_user_assigned_identity" "app" {
  name                = "id-${local.prefix}"
  location            = azurerm_resource_group.main.location
  resource_group_name = azurerm_resource_group.main.name
  tags                = local.tags
}

resource "azapi_resource" "registry" {
  type      = "Microsoft.ContainerRegistry/registries@2023-07-01"
  name      = "cr${replace(local.prefix, "-", "")}"
  parent_id = azurerm_resource_group.main.id
  location  = azurerm_resource_group.main.location
  tags      = local.tags

  body = {
    sku        = { name = "Premium" }
    properties = { adminUserEnabled = false, publicNetworkAccess = "Enabled" }
  }
  response_export_values = ["properties.loginServer"]
}

resource "azapi_resource" "pull" {
  type      = "Microsoft.Authorization/roleAssignments@2022-04-01"
  name      = "8d5b7cf3-0b5e-4f0c-9a44-6d3b8a1f2c11"
  parent_id = azapi_resource.registry.id

  body = {
    properties = {
      principalId      = azurerm_user_assigned_identity.app.principal_id
      principalType    = "ServicePrincipal"
      roleDefinitionId = "/subscriptions/${data.azurerm_client_config.current.subscription_id}/providers/Microsoft.Authorization/roleDefinitions/7f951dda-4ed3-4680-a7ca-43fe172d538d"
    }
  }
}

resource "azapi_resource" "network" {
  type      = "Microsoft.Network/virtualNetworks@2024-01-01"
  name      = "vnet-${local.prefix}"
  parent_id = azurerm_resource_group.main.id
  location  = azurerm_resource_group.main.location

  body = { properties = { addressSpace = { addressPrefixes = ["10.20.0.0/16"] } } }
}

resource "azapi_resource" "subnet" {
  for_each = {
    apps    = { cidr = cidrsubnet("10.20.0.0/16", 7, 0), delegated = true }
    private = { cidr = cidrsubnet("10.20.0.0/16", 8, 4), delegated = false }
  }

  type      = "Microsoft.Network/virtualNetworks/subnets@2024-01-01"
  name      = each.key
  parent_id = azapi_resource.network.id

  body = {
    properties = {
      addressPrefix = each.value.cidr
      delegations   = each.value.delegated ? [{ name = "apps", properties = { serviceName = "Microsoft.App/environments" } }] : []
    }
  }
}

resource "azapi_resource" "vault" {
  type      = "Microsoft.KeyVault/vaults@2023-07-01"
  name      = "kv-${local.prefix}"
  parent_id = azurerm_resource_group.main.id
  location  = azurerm_resource_group.main.location

  body = {
    properties = {
      tenantId                  = data.azurerm_client_config.current.tenant_id
      sku                       = { family = "A", name = "standard" }
      enableRbacAuthorization   = true
      softDeleteRetentionInDays = 7
    }
  }
  response_export_values = ["properties.vaultUri"]
}

resource "azapi_resource" "storage" {
  type      = "Microsoft.Storage/storageAccounts@2024-01-01"
  name      = "st${replace(local.prefix, "-", "")}"
  parent_id = azurerm_resource_group.main.id
  location  = azurerm_resource_group.main.location

  body = {
    kind = "StorageV2"
    sku  = { name = "Standard_ZRS" }
    properties = {
      minimumTlsVersion        = "TLS1_2"
      supportsHttpsTrafficOnly = true
      allowBlobPublicAccess    = false
    }
  }
  response_export_values = { blob = "properties.primaryEndpoints.blob" }

  lifecycle {
    ignore_changes = [tags]
  }
}

resource "azapi_resource" "container" {
  for_each = toset(["images", "orders"])

  type      = "Microsoft.Storage/storageAccounts/blobServices/containers@2024-01-01"
  name      = each.value
  parent_id = "${azapi_resource.storage.id}/blobServices/default"
  body      = { properties = { publicAccess = "None" } }
}

resource "azurerm_log_analytics_workspace" "main" {
  name                = "log-${local.prefix}"
  location            = azurerm_resource_group.main.location
  resource_group_name = azurerm_resource_group.main.name
  sku                 = "PerGB2018"
  retention_in_days   = var.environment == "prod" ? 90 : 30
  tags                = local.tags
}
