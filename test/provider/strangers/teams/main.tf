variable "teams" {
  type = map(object({
    description = optional(string)
    owners      = list(string)
    members     = optional(list(string), [])
    roles       = optional(set(string), [])
    mail        = optional(bool, false)
  }))
  default = {
    storefront = {
      description = "Those who build the shop."
      owners      = ["grace", "linus"]
      members     = ["ada", "linus"]
      roles       = ["deploy", "read"]
    }
    catalogue = {
      owners  = ["ada", "grace"]
      members = ["ada"]
      mail    = true
    }
    on-call = {
      description = "Who is called at night."
      owners      = ["linus", "ada"]
      roles       = ["read"]
    }
  }
}

locals {
  domain = "contoso.example"
  people = toset(flatten([for team in var.teams : concat(team.owners, team.members)]))
  memberships = {
    for pair in flatten([
      for name, team in var.teams : [for member in team.members : { team = name, member = member }]
    ]) : "${pair.team}/${pair.member}" => pair
  }
  roles = merge([
    for name, team in var.teams : { for role in team.roles : "${name}-${role}" => { team = name, role = role } }
  ]...)
}

data "azuread_client_config" "current" {}

data "azuread_user" "person" {
  for_each            = local.people
  user_principal_name = "${each.value}@${local.domain}"
}

resource "azuread_group" "team" {
  for_each = var.teams

  display_name            = title(each.key)
  description             = coalesce(each.value.description, "The team ${each.key}.")
  mail_enabled            = each.value.mail
  mail_nickname           = each.key
  security_enabled        = !each.value.mail
  types                   = each.value.mail ? ["Unified"] : []
  visibility              = each.value.mail ? "Private" : null
  owners                  = [for owner in each.value.owners : data.azuread_user.person[owner].object_id]
  prevent_duplicate_names = true

  lifecycle {
    # managed by the resources of their members
    ignore_changes = [members, administrative_unit_ids]

    precondition {
      condition     = length(each.value.owners) >= 2
      error_message = "A team has two owners."
    }
  }
}

resource "azuread_group_member" "member" {
  for_each = local.memberships

  group_object_id  = azuread_group.team[each.value.team].object_id
  member_object_id = data.azuread_user.person[each.value.member].object_id
}

resource "azuread_group" "role" {
  for_each = local.roles

  display_name     = "role-${each.key}"
  security_enabled = true
  owners           = azuread_group.team[each.value.team].owners
  members          = [azuread_group.team[each.value.team].object_id]
}

resource "azuread_group" "sales" {
  display_name     = "Everyone in sales"
  security_enabled = true
  types            = ["DynamicMembership"]
  owners           = [for name in ["grace", "ada"] : data.azuread_user.person[name].object_id]

  dynamic_membership {
    enabled = true
    rule    = "user.department -eq \"Sales\" -and user.accountEnabled -eq true"
  }
}

resource "azuread_administrative_unit" "europe" {
  display_name = "Europe"
  description  = "People of the European offices."
}

resource "azuread_administrative_unit_member" "europe" {
  for_each = { for name, team in var.teams : name => team if !team.mail }

  administrative_unit_object_id = azuread_administrative_unit.europe.object_id
  member_object_id              = azuread_group.team[each.key].object_id
}

check "owners" {
  assert {
    condition     = alltrue([for group in azuread_group.team : length(group.owners) == 2])
    error_message = "A team lost an owner."
  }
}

output "groups" {
  value = { for name, group in azuread_group.team : name => group.object_id }
}

output "roles" {
  value = sort([for group in azuread_group.role : group.display_name])
}
