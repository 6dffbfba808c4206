# Groups of teams, by for_each from a map, with what each may do.
variable "teams" {
  type = map(object({ description = string, unified = bool }))
  default = {
    checkout = { description = "Builds the checkout.", unified = true }
    search   = { description = "Builds the search.", unified = true }
    platform = { description = "Runs the platform.", unified = false }
  }
}
data "azuread_client_config" "current" {}
data "azuread_user" "leads" {
  for_each            = toset(["ada@contoso.example", "grace@contoso.example"])
  user_principal_name = each.key
}
resource "azuread_group" "team" {
  for_each         = { for name, team in var.teams : name => team if !team.unified }
  display_name     = "Team ${each.key}"
  description      = each.value.description
  security_enabled = true
  owners           = [for lead in data.azuread_user.leads : lead.object_id]
}
resource "azuread_group" "unified" {
  for_each         = { for name, team in var.teams : name => team if team.unified }
  display_name     = "Team ${each.key}"
  description      = each.value.description
  mail_enabled     = true
  mail_nickname    = "team-${each.key}"
  security_enabled = true
  types            = ["Unified"]
  visibility       = "Private"
  owners           = [for lead in data.azuread_user.leads : lead.object_id]
  members          = [for lead in data.azuread_user.leads : lead.object_id]
}
resource "azuread_group_without_members" "everyone" {
  display_name     = "Everyone who builds"
  security_enabled = true
}
resource "azuread_group_member" "everyone" {
  for_each         = azuread_group.team
  group_object_id  = azuread_group_without_members.everyone.object_id
  member_object_id = each.value.object_id
}
