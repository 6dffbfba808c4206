terraform {
  required_providers {
    azurerm = {
      source = "hashicorp/azurerm"
    }
  }
}

variable "name" { type = string }
variable "location" { type = string }
variable "services" { type = any }

resource "azurerm_resource_group" "this" {
  name     = "rg-${var.name}"
  location = var.location
}

resource "azurerm_log_analytics_workspace" "this" {
  count               = var.location == "westeurope" ? 1 : 0
  name                = "log-${var.name}"
  location            = var.location
  resource_group_name = azurerm_resource_group.this.name
}

resource "azurerm_container_app_environment" "this" {
  name                       = "cae-${var.name}"
  location                   = var.location
  resource_group_name        = azurerm_resource_group.this.name
  logs_destination           = var.location == "westeurope" ? "log-analytics" : null
  log_analytics_workspace_id = one(azurerm_log_analytics_workspace.this[*].id)
}

module "service" {
  source   = "../service"
  for_each = var.services

  name                = each.key
  settings            = each.value
  environment_id      = azurerm_container_app_environment.this.id
  resource_group_name = azurerm_resource_group.this.name
  location            = var.location
}

output "location" {
  value = var.location
}

output "apps" {
  value = { for name, service in module.service : name => service.fqdn }
}
