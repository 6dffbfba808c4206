# A workspace of telemetry per stage, with an eventhouse and an eventstream in each.
variable "stages" {
  type    = set(string)
  default = ["test", "live"]
}
resource "fabric_workspace" "stage" {
  for_each     = var.stages
  display_name = "Telemetry ${each.key}"
  description  = "What the ${each.key} stage sends."
  capacity_id  = "33333333-2222-4333-8444-555555555555"
}
resource "fabric_eventhouse" "events" {
  for_each     = fabric_workspace.stage
  display_name = "events"
  workspace_id = each.value.id
  configuration = {
    minimum_consumption_units = each.key == "live" ? 4.25 : 2.25
  }
}
