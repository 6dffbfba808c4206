package main

import rego.v1

deny contains msg if { some name, group in input.groups; not group.displayName; msg := sprintf("%s: no display name", [name]) }

deny contains msg if { some name, group in input.groups; count(group.displayName) > 256; msg := sprintf("%s: display name too long", [name]) }

deny contains msg if { some name, group in input.groups; not regex.match(`^[!#-'*+./-9=?A-Z^_\x60a-z{-~-]{1,64}$`, group.mailNickname); msg := sprintf("%s: mail nickname", [name]) }

deny contains msg if { some name, group in input.groups; count(group.owners) < 2; msg := sprintf("%s: two owners", [name]) }

deny contains msg if { some name, group in input.groups; some owner in group.owners; not input.principals[owner]; msg := sprintf("%s: no principal %s", [name, owner]) }

deny contains msg if { some name, group in input.groups; some member in group.members; not input.principals[member]; not input.groups[member]; msg := sprintf("%s: no member %s", [name, member]) }

deny contains msg if { some name, group in input.groups; not group.kind in {"security", "unified"}; msg := sprintf("%s: kind", [name]) }
