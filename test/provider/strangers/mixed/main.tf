provider "azuread" {}
provider "fabric" {
  preview = true
}

locals {
  sensors = {
    plant  = { retention = 30 }
    office = { retention = 7 }
  }
}

data "azuread_client_config" "current" {}

data "fabric_capacity" "shared" {
  display_name = "Shared"
}

resource "azuread_group" "engineers" {
  display_name     = "Telemetry engineers"
  security_enabled = true
  owners           = ["e0000000-0000-4000-8000-000000000001", "e0000000-0000-4000-8000-000000000002"]
  members          = [azuread_service_principal.ingest.object_id]
}

resource "azuread_application_registration" "ingest" {
  display_name = "Telemetry ingest"
}

resource "azuread_service_principal" "ingest" {
  client_id = azuread_application_registration.ingest.client_id
}

resource "azuread_application_federated_identity_credential" "pipeline" {
  application_id = azuread_application_registration.ingest.id
  display_name   = "contoso.telemetry-main"
  audiences      = ["api://AzureADTokenExchange"]
  issuer         = "https://token.actions.githubusercontent.com"
  subject        = "repo:contoso/telemetry:ref:refs/heads/main"
}

resource "azurerm_resource_group" "main" {
  name     = "rg-telemetry"
  location = "northeurope"
}

resource "azapi_resource" "hub" {
  type      = "Microsoft.EventHub/namespaces@2024-01-01"
  name      = "evh-telemetry"
  parent_id = azurerm_resource_group.main.id
  location  = azurerm_resource_group.main.location
  body      = { sku = { name = "Standard", capacity = 1 }, properties = { minimumTlsVersion = "1.2" } }
}

resource "azapi_resource" "stream" {
  for_each = local.sensors

  type      = "Microsoft.EventHub/namespaces/eventhubs@2024-01-01"
  name      = each.key
  parent_id = azapi_resource.hub.id
  body      = { properties = { partitionCount = 2, messageRetentionInDays = min(each.value.retention, 7) } }
}

resource "azapi_update_resource" "hub" {
  type        = "Microsoft.EventHub/namespaces@2024-01-01"
  resource_id = azapi_resource.hub.id
  body        = { properties = { disableLocalAuth = true } }
  depends_on  = [azapi_resource.stream]
}

resource "fabric_workspace" "telemetry" {
  display_name = "Telemetry"
  description  = "Measured values of plants and offices."
  capacity_id  = data.fabric_capacity.shared.id
}

resource "fabric_workspace_role_assignment" "engineers" {
  workspace_id = fabric_workspace.telemetry.id
  principal = {
    id   = azuread_group.engineers.object_id
    type = "Group"
  }
  role = "Contributor"
}

resource "fabric_folder" "raw" {
  workspace_id = fabric_workspace.telemetry.id
  display_name = "raw"
}

resource "fabric_eventhouse" "store" {
  workspace_id = fabric_workspace.telemetry.id
  display_name = "store"
  folder_id    = fabric_folder.raw.id
}

resource "fabric_kql_database" "sensor" {
  for_each = local.sensors

  workspace_id = fabric_workspace.telemetry.id
  display_name = each.key
  configuration = {
    database_type = "ReadWrite"
    eventhouse_id = fabric_eventhouse.store.id
  }
}

output "databases" {
  value = { for name, database in fabric_kql_database.sensor : name => database.display_name }
}
