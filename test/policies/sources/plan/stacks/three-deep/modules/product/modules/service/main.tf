variable "name" { type = string }
variable "port" { type = number }
variable "environment_id" { type = string }
variable "resource_group" { type = string }
module "workload" {
  source         = "./modules/workload"
  name           = var.name
  port           = var.port
  environment_id = var.environment_id
  resource_group = var.resource_group
}
resource "azapi_resource" "sign_in" {
  type      = "Microsoft.App/containerApps/authConfigs@2025-07-01"
  name      = "current"
  parent_id = module.workload.id
  body = {
    properties = {
      platform         = { enabled = true }
      globalValidation = { unauthenticatedClientAction = "Return401", excludedPaths = ["/healthz"] }
      identityProviders = {
        azureActiveDirectory = {
          registration = {
            clientId                = "11111111-2222-4333-8444-555555555555"
            clientSecretSettingName = "client-secret"
            openIdIssuer            = "https://login.microsoftonline.com/11111111-2222-4333-8444-555555555555/v2.0"
          }
          validation = { allowedAudiences = ["api://service"] }
        }
      }
    }
  }
}
output "app_id" { value = module.workload.id }
