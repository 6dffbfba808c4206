terraform {
  required_providers {
    azurerm = {
      source = "hashicorp/azurerm"
    }
  }
}

variable "name" { type = string }
variable "environment_id" { type = string }
variable "resource_group_name" { type = string }
variable "location" { type = string }
variable "settings" {
  type = object({ port = number, public = bool, replicas = number })
}

resource "azurerm_user_assigned_identity" "this" {
  name                = "id-${var.name}"
  location            = var.location
  resource_group_name = var.resource_group_name
}

module "container" {
  source = "../container"

  name                = var.name
  environment_id      = var.environment_id
  resource_group_name = var.resource_group_name
  identity_id         = azurerm_user_assigned_identity.this.id
  port                = var.settings.port
  external            = var.settings.public
  replicas            = var.settings.replicas
}

output "fqdn" {
  value = module.container.fqdn
}
