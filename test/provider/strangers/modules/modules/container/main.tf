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
variable "identity_id" { type = string }
variable "port" { type = number }
variable "external" { type = bool }
variable "replicas" { type = number }

resource "azurerm_container_app" "this" {
  name                         = var.name
  container_app_environment_id = var.environment_id
  resource_group_name          = var.resource_group_name
  revision_mode                = "Single"

  identity {
    type         = "SystemAssigned, UserAssigned"
    identity_ids = [var.identity_id]
  }

  ingress {
    external_enabled = var.external
    target_port      = var.port
    transport        = "http"

    traffic_weight {
      percentage      = 100
      latest_revision = true
    }
  }

  template {
    min_replicas = 1
    max_replicas = var.replicas

    dynamic "init_container" {
      for_each = var.name == "payments" ? ["migrate"] : []
      content {
        name   = init_container.value
        image  = "ghcr.io/contoso/${var.name}-migrate:2.0.1"
        cpu    = 0.25
        memory = "0.5Gi"
      }
    }

    container {
      name   = var.name
      image  = "ghcr.io/contoso/${var.name}:2.0.1"
      cpu    = 0.25
      memory = "0.5Gi"

      readiness_probe {
        transport = "HTTP"
        path      = "/ready"
        port      = var.port
      }
    }
  }
}

output "fqdn" {
  value = one(azurerm_container_app.this.ingress[*].fqdn)
}
