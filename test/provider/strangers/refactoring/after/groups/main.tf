terraform {
  required_providers {
    azuread = {
      source = "hashicorp/azuread"
    }
  }
}

variable "names" { type = map(string) }
variable "owners" { type = set(string) }

resource "azuread_group" "team" {
  for_each         = var.names
  display_name     = each.value
  security_enabled = true
  owners           = var.owners
}
