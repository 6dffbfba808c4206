# A registration for people and one for a command line, each with its addresses, and a secret that is replaced with care.
resource "azuread_application_registration" "web" {
  display_name     = "Storefront"
  sign_in_audience = "AzureADMyOrg"
}
resource "azuread_application_redirect_uris" "web" {
  application_id = azuread_application_registration.web.id
  type           = "Web"
  redirect_uris  = ["https://shop.contoso.example/.auth/login/aad/callback", "http://localhost:3000/callback"]
}
resource "azuread_application_password" "web" {
  application_id = azuread_application_registration.web.id
  display_name   = "sign-in"
  end_date       = "2027-03-01T00:00:00Z"
  lifecycle {
    create_before_destroy = true
  }
}
resource "azuread_service_principal" "web" {
  client_id = azuread_application_registration.web.client_id
}
resource "azuread_application_registration" "cli" {
  display_name     = "Storefront command line"
  sign_in_audience = "AzureADMyOrg"
}
resource "azuread_application_redirect_uris" "cli" {
  application_id = azuread_application_registration.cli.id
  type           = "PublicClient"
  redirect_uris  = ["http://localhost", "storefront-cli://auth", "urn:ietf:wg:oauth:2.0:oob"]
}
