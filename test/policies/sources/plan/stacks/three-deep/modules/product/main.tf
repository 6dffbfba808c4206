variable "name" { type = string }
resource "azurerm_resource_group" "this" {
  name     = "rg-${var.name}"
  location = "westeurope"
}
resource "azurerm_container_app_environment" "this" {
  name                = "cae-${var.name}"
  location            = azurerm_resource_group.this.location
  resource_group_name = azurerm_resource_group.this.name
}
module "service" {
  source         = "./modules/service"
  for_each       = { api = 8080, web = 3000 }
  name           = each.key
  port           = each.value
  environment_id = azurerm_container_app_environment.this.id
  resource_group = azurerm_resource_group.this.name
}
output "app_ids" { value = { for name, service in module.service : name => service.app_id } }
