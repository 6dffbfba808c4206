variable "name" { type = string }
variable "port" { type = number }
variable "environment_id" { type = string }
variable "resource_group" { type = string }
resource "azurerm_container_app" "this" {
  name                         = "ca-${var.name}"
  container_app_environment_id = var.environment_id
  resource_group_name          = var.resource_group
  revision_mode                = "Single"
  dynamic "secret" {
    for_each = toset(["client-secret"])
    content {
      name  = secret.value
      value = "made-up"
    }
  }
  dynamic "ingress" {
    for_each = var.port == 0 ? [] : [var.port]
    content {
      external_enabled = true
      target_port      = ingress.value
      traffic_weight {
        latest_revision = true
        percentage      = 100
      }
    }
  }
  template {
    container {
      name   = var.name
      image  = "ghcr.io/contoso/${var.name}:1.0.0"
      cpu    = 0.25
      memory = "0.5Gi"
    }
  }
}
output "id" { value = azurerm_container_app.this.id }
