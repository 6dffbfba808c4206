variable "environment" {
  type    = string
  default = "dev"

  validation {
    condition     = contains(["dev", "prod"], var.environment)
    error_message = "The environment is dev or prod."
  }
}

variable "location" {
  type    = string
  default = "westeurope"
}

variable "image_tag" {
  type    = string
  default = "1.4.2"
}

variable "settings" {
  type = map(string)
  default = {
    LOG_LEVEL = "info"
    REGION    = "eu"
  }
}

locals {
  prefix = "shop-${var.environment}"
  tags = {
    team        = "storefront"
    environment = var.environment
    managed-by  = "terraform"
  }
}
