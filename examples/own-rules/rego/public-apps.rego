# METADATA
# title: An app that everyone can reach names the team that answers for it, and how long it may.
package castellan

# castellan asks for castellan/deny. The input is { stack, declarations: [{ section, name, value, unknown }], options, now };
# each result is a text, which is about the stack, or { msg, section, name, path }, which is about a declaration.

public_apps contains app if {
	some app in input.declarations
	app.section == "containerApps"
	app.value.ingress.external
}

deny contains finding(app, ["ingress", "external"], msg) if {
	some app in public_apps
	not app.value.tags.team
	msg := sprintf("the app %q is reached from outside and has no tag team", [app.name])
}

deny contains finding(app, ["tags", "team"], msg) if {
	some app in public_apps
	team := app.value.tags.team
	not team in data.teams
	msg := sprintf("there is no team %q; there are %s", [team, concat(", ", data.teams)])
}

deny contains finding(app, ["tags", "until"], msg) if {
	some app in public_apps
	until := app.value.tags.until
	time.parse_rfc3339_ns(sprintf("%sT00:00:00Z", [until])) < time.now_ns()
	msg := sprintf("the app was to be public until %s", [until])
}

deny contains msg if {
	count(public_apps) > input.options.most
	msg := sprintf("%d apps are reached from outside; at most %d may be", [count(public_apps), input.options.most])
}

finding(app, path, msg) := {"msg": msg, "section": app.section, "name": app.name, "path": path}
