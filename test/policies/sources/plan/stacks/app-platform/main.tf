# An app with its registry, key vault, storage and network, as a platform team hands it out.
variable "location" {
  type    = string
  default = "westeurope"
}
locals {
  tags = { owner = "checkout", cost-centre = "4711" }
}
data "azurerm_client_config" "current" {}
resource "azurerm_resource_group" "main" {
  name     = "rg-checkout"
  location = var.location
  tags     = local.tags
}
resource "azurerm_user_assigned_identity" "app" {
  name                = "id-checkout"
  location            = azurerm_resource_group.main.location
  resource_group_name = azurerm_resource_group.main.name
}
resource "azapi_resource" "network" {
  type      = "Microsoft.Network/virtualNetworks@2024-05-01"
  name      = "vnet-checkout"
  parent_id = azurerm_resource_group.main.id
  location  = var.location
  body = {
    properties = {
      addressSpace = { addressPrefixes = ["10.1.0.0/16"] }
      subnets      = [{ name = "snet-apps", properties = { addressPrefix = "10.1.0.0/23" } }]
    }
  }
}
resource "azapi_resource" "registry" {
  type      = "Microsoft.ContainerRegistry/registries@2023-07-01"
  name      = "crcheckout"
  parent_id = azurerm_resource_group.main.id
  location  = var.location
  body      = { sku = { name = "Premium" }, properties = { adminUserEnabled = false } }
}
resource "azapi_resource" "vault" {
  type      = "Microsoft.KeyVault/vaults@2023-07-01"
  name      = "kv-checkout"
  parent_id = azurerm_resource_group.main.id
  location  = var.location
  body = {
    properties = {
      sku                     = { family = "A", name = "standard" }
      tenantId                = data.azurerm_client_config.current.tenant_id
      enableRbacAuthorization = true
    }
  }
}
resource "azapi_resource" "storage" {
  type      = "Microsoft.Storage/storageAccounts@2023-05-01"
  name      = "stcheckout"
  parent_id = azurerm_resource_group.main.id
  location  = var.location
  body      = { sku = { name = "Standard_ZRS" }, kind = "StorageV2", properties = { allowBlobPublicAccess = false } }
}
resource "azurerm_log_analytics_workspace" "logs" {
  name                = "log-checkout"
  location            = azurerm_resource_group.main.location
  resource_group_name = azurerm_resource_group.main.name
  sku                 = "PerGB2018"
  retention_in_days   = 30
}
resource "azurerm_container_app_environment" "main" {
  name                       = "cae-checkout"
  location                   = azurerm_resource_group.main.location
  resource_group_name        = azurerm_resource_group.main.name
  logs_destination           = "log-analytics"
  log_analytics_workspace_id = azurerm_log_analytics_workspace.logs.id
}
resource "azurerm_container_app" "checkout" {
  name                         = "ca-checkout"
  container_app_environment_id = azurerm_container_app_environment.main.id
  resource_group_name          = azurerm_resource_group.main.name
  revision_mode                = "Single"
  tags                         = local.tags
  identity {
    type         = "UserAssigned"
    identity_ids = [azurerm_user_assigned_identity.app.id]
  }
  registry {
    server   = "crcheckout.azurecr.io"
    identity = azurerm_user_assigned_identity.app.id
  }
  secret {
    name  = "queue-connection"
    value = "made-up"
  }
  ingress {
    external_enabled = false
    target_port      = 8080
    traffic_weight {
      latest_revision = true
      percentage      = 100
    }
  }
  template {
    min_replicas = 1
    max_replicas = 5
    container {
      name   = "checkout"
      image  = "crcheckout.azurecr.io/checkout:2.4.1"
      cpu    = 0.5
      memory = "1Gi"
      env {
        name  = "LOG_LEVEL"
        value = "info"
      }
      env {
        name        = "QUEUE"
        secret_name = "queue-connection"
      }
    }
    container {
      name   = "telemetry"
      image  = "crcheckout.azurecr.io/collector:0.99.0"
      cpu    = 0.25
      memory = "0.5Gi"
    }
    init_container {
      name   = "migrate"
      image  = "crcheckout.azurecr.io/migrate:2.4.1"
      cpu    = 0.25
      memory = "0.5Gi"
    }
    custom_scale_rule {
      name             = "queue"
      custom_rule_type = "azure-queue"
      metadata         = { queueName = "orders", queueLength = "20" }
      authentication {
        secret_name       = "queue-connection"
        trigger_parameter = "connection"
      }
    }
  }
}
