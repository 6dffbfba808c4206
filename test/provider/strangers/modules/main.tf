variable "services" {
  type = map(object({ port = number, public = optional(bool, false), replicas = optional(number, 2) }))
  default = {
    catalogue = { port = 8080 }
    payments  = { port = 9000, replicas = 3 }
  }
}

variable "regions" {
  type    = list(string)
  default = ["westeurope", "northeurope"]
}

module "platform" {
  source   = "./modules/platform"
  count    = length(var.regions)
  location = var.regions[count.index]
  name     = "plat${count.index}"
  services = var.services
}

output "apps" {
  value = { for platform in module.platform : platform.location => platform.apps }
}
