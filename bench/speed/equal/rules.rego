# The rules that equal-rules.mjs names, for a castellan.yaml: a message is the group and the rule.
package main

import rego.v1

deny contains message(name, "schema") if {
	[_, mistakes] := json.match_schema(input, data.schema)
	some mistake in mistakes
	name := split(mistake.field, ".")[1]
}

deny contains message(name, "group-kind") if {
	some name, group in input.groups
	is_wrong_kind(group)
}

deny contains message(name, "group-mail-nickname") if {
	some name, group in input.groups
	not group.mailNickname
	not regex.match(`^[\x{00}-\x{1f}!#-'*+\-./0-9=?A-Z\^_\x60a-z{|}~$%&\x{7f}]{1,64}$`, name)
}

deny contains message(name, "group-mail-nickname-unique") if {
	some names in unified_by_nickname
	count(names) > 1
	some name in names
	name != min(names)
}

unified_by_nickname[object.get(group, "mailNickname", name)] contains name if {
	some name, group in input.groups
	is_unified(group)
}

deny contains message(name, "group-owners-limit") if {
	some name, group in input.groups
	is_array(group.owners)
	has_wrong_owners(group.owners)
}

has_wrong_owners(owners) if count(owners) == 0

has_wrong_owners(owners) if count({key(owner) | some owner in owners}) < count(owners)

deny contains message(name, "group-two-owners") if {
	some name, group in input.groups
	not group.ownersManagedElsewhere == true
	has_too_few_owners(group)
}

has_too_few_owners(group) if not group.owners

has_too_few_owners(group) if count(group.owners) == 1

deny contains message(name, "reference-exists") if {
	some name, group in input.groups
	some property in ["owners", "members", "acceptedSenders", "rejectedSenders"]
	some reference in group[property]
	not input.principals[reference]
	not is_group(property, reference)
	not is_guid(reference)
}

is_group(property, reference) if {
	property != "owners"
	input.groups[reference]
}

message(name, rule) := sprintf("%s %s", [name, rule])

is_guid(text) if regex.match(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`, text)

key(owner) := lower(owner) if is_guid(owner)

key(owner) := owner if not is_guid(owner)

is_unified(group) if group.kind == "unified"

is_unified(group) if {
	not group.kind
	"Unified" in group.groupTypes
}

is_wrong_kind(group) if count({type | some type in group.groupTypes}) < count(group.groupTypes)

is_wrong_kind(group) if {
	every property in ["kind", "groupTypes", "mailEnabled", "securityEnabled"] {
		not property in object.keys(group)
	}
}

is_wrong_kind(group) if {
	group.kind == "unified"
	group.groupTypes
	not "Unified" in group.groupTypes
}

is_wrong_kind(group) if {
	group.kind == "security"
	"Unified" in group.groupTypes
}

is_wrong_kind(group) if {
	is_unified(group)
	group.mailEnabled == false
}

is_wrong_kind(group) if {
	group.kind == "security"
	group.mailEnabled == true
}

is_wrong_kind(group) if {
	group.kind == "security"
	group.securityEnabled == false
}

is_wrong_kind(group) if {
	says_kind_by_flags(group)
	group.mailEnabled == true
}

is_wrong_kind(group) if {
	says_kind_by_flags(group)
	not group.mailEnabled == true
	not group.securityEnabled == true
}

says_kind_by_flags(group) if {
	not group.kind
	some property in ["groupTypes", "mailEnabled", "securityEnabled"]
	property in object.keys(group)
	not is_unified(group)
}
