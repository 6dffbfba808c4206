resource "azurerm_container_app_environment" "main" {
  name                       = "cae-${local.prefix}"
  location                   = azurerm_resource_group.main.location
  resource_group_name        = azurerm_resource_group.main.name
  logs_destination           = "log-analytics"
  log_analytics_workspace_id = azurerm_log_analytics_workspace.main.id
  infrastructure_subnet_id   = azapi_resource.subnet["apps"].id
  tags                       = local.tags
}

resource "azurerm_container_app" "shop" {
  name                         = "shop"
  container_app_environment_id = azurerm_container_app_environment.main.id
  resource_group_name          = azurerm_resource_group.main.name
  revision_mode                = "Single"
  tags                         = local.tags

  identity {
    type         = "UserAssigned"
    identity_ids = [azurerm_user_assigned_identity.app.id]
  }

  registry {
    server   = azapi_resource.registry.output.properties.loginServer
    identity = azurerm_user_assigned_identity.app.id
  }

  secret {
    name                = "database"
    identity            = azurerm_user_assigned_identity.app.id
    key_vault_secret_id = "${azapi_resource.vault.output.properties.vaultUri}secrets/database"
  }

  secret {
    name  = "sign-in"
    value = azuread_application_password.shop.value
  }

  ingress {
    external_enabled = true
    target_port      = 8080

    traffic_weight {
      latest_revision = true
      percentage      = 100
    }
  }

  template {
    min_replicas = 1
    max_replicas = var.environment == "prod" ? 10 : 2

    container {
      name   = "shop"
      image  = "${azapi_resource.registry.output.properties.loginServer}/shop:${var.image_tag}"
      cpu    = 0.5
      memory = "1Gi"

      dynamic "env" {
        for_each = merge(var.settings, { BLOB = azapi_resource.storage.output.blob })
        content {
          name  = env.key
          value = env.value
        }
      }

      env {
        name        = "DATABASE_URL"
        secret_name = "database"
      }

      liveness_probe {
        transport = "HTTP"
        path      = "/healthz"
        port      = 8080
      }

      readiness_probe {
        transport = "HTTP"
        path      = "/readyz"
        port      = 8080
      }
    }

    http_scale_rule {
      name                = "http"
      concurrent_requests = "50"
    }
  }

  depends_on = [azapi_resource.pull]
}

data "azuread_users" "owners" {
  user_principal_names = ["grace@contoso.example", "linus@contoso.example"]
}

data "azuread_application_published_app_ids" "well_known" {}

resource "azuread_application" "shop" {
  display_name     = "Shop (${var.environment})"
  sign_in_audience = "AzureADMyOrg"
  owners           = data.azuread_users.owners.object_ids

  web {
    redirect_uris = ["https://shop.${azurerm_container_app_environment.main.default_domain}/.auth/login/aad/callback"]

    implicit_grant {
      id_token_issuance_enabled = true
    }
  }

  required_resource_access {
    resource_app_id = data.azuread_application_published_app_ids.well_known.result["MicrosoftGraph"]

    resource_access {
      id   = "e1fe6dd8-ba31-4d61-89e7-88639da4683d"
      type = "Scope"
    }
  }
}

resource "azuread_application_password" "shop" {
  application_id = azuread_application.shop.id
  display_name   = "sign-in"
  end_date       = "2027-05-01T00:00:00Z"
}

resource "azuread_service_principal" "shop" {
  client_id = azuread_application.shop.client_id
  owners    = data.azuread_users.owners.object_ids
}

resource "azapi_resource" "sign_in" {
  type      = "Microsoft.App/containerApps/authConfigs@2025-07-01"
  name      = "current"
  parent_id = azurerm_container_app.shop.id

  body = {
    properties = {
      platform         = { enabled = true }
      globalValidation = { unauthenticatedClientAction = "RedirectToLoginPage", redirectToProvider = "azureactivedirectory" }
      identityProviders = {
        azureActiveDirectory = {
          registration = {
            clientId                = azuread_application.shop.client_id
            clientSecretSettingName = "sign-in"
            openIdIssuer            = "https://login.microsoftonline.com/${data.azurerm_client_config.current.tenant_id}/v2.0"
          }
          validation = { allowedAudiences = ["api://${azuread_application.shop.client_id}"] }
        }
      }
    }
  }
}

output "address" {
  value = "https://${azurerm_container_app.shop.latest_revision_fqdn}"
}

output "registry" {
  value = azapi_resource.registry.output.properties.loginServer
}
