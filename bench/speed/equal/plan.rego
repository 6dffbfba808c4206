# The rules that equal-rules.mjs names, for the groups of a plan: a message is the group and the rule. What is known only later is
# not judged, nor are owners where there are none: such are managed elsewhere.
package main

import rego.v1

allowed := {
	"visibility": {"Private", "Public", "Hiddenmembership"},
	"theme": {"Teal", "Purple", "Green", "Blue", "Pink", "Orange", "Red"},
}

allowed_each := {
	"types": {"Unified", "DynamicMembership"},
	"behaviors": {"AllowOnlyMembersToPost", "CalendarMemberReadOnly", "ConnectorsDisabled", "HideGroupInOutlook", "SkipExchangeInstantOn", "SubscribeMembersToCalendarEventsDisabled", "SubscribeNewGroupMembers", "WelcomeEmailDisabled"},
	"provisioning_options": {"Team"},
}

groups := [change |
	some change in input.resource_changes
	change.type == "azuread_group"
	change.change.after != null
]

deny contains message(group, "schema") if {
	some group in groups
	is_outside_schema(group.change.after)
}

deny contains message(group, "group-kind") if {
	some group in groups
	is_wrong_kind(group.change.after)
}

deny contains message(group, "group-mail-nickname") if {
	some group in groups
	object.get(group.change.after, "mail_nickname", null) == null
	not group.change.after_unknown.mail_nickname
	not regex.match(`^[\x{00}-\x{1f}!#-'*+\-./0-9=?A-Z\^_\x60a-z{|}~$%&\x{7f}]{1,64}$`, group.name)
}

deny contains message(group, "group-mail-nickname-unique") if {
	some same in unified_by_nickname
	count(same) > 1
	some name in same
	name != min(same)
	group := {"name": name}
}

unified_by_nickname[group.change.after.mail_nickname] contains group.name if {
	some group in groups
	"Unified" in group.change.after.types
}

deny contains message(group, "group-owners-limit") if {
	some group in groups
	has_wrong_owners(group.change.after.owners)
	is_known(group, "owners")
}

deny contains message(group, "group-two-owners") if {
	some group in groups
	count(group.change.after.owners) == 1
	is_known(group, "owners")
}

is_outside_schema(after) if not is_string(after.display_name)

is_outside_schema(after) if count(after.display_name) == 0

is_outside_schema(after) if count(after.display_name) > 256

is_outside_schema(after) if not regex.match(`^[\x{00}-\x{1f}!#-'*+\-./0-9=?A-Z\^_\x60a-z{|}~$%&\x{7f}]{1,64}$`, after.mail_nickname)

is_outside_schema(after) if count(after.owners) > 100

is_outside_schema(after) if count(after.dynamic_membership[0].rule) > 3072

is_outside_schema(after) if {
	some property, words in allowed
	value := after[property]
	value != null
	not value in words
}

is_outside_schema(after) if {
	some property, words in allowed_each
	some value in after[property]
	value != null
	not value in words
}

is_wrong_kind(after) if {
	"Unified" in after.types
	after.mail_enabled == false
}

is_wrong_kind(after) if {
	not "Unified" in after.types
	after.mail_enabled == true
}

is_wrong_kind(after) if {
	not "Unified" in after.types
	not after.mail_enabled == true
	not after.security_enabled == true
}

has_wrong_owners(owners) if count({lower(owner) | some owner in owners}) < count(owners)

is_known(group, property) if not group.change.after_unknown[property]

is_known(group, property) if {
	is_array(group.change.after_unknown[property])
	not true in group.change.after_unknown[property]
}

message(group, rule) := sprintf("%s %s", [group.name, rule])
