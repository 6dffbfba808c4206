import base64
import json

from azure.core.exceptions import HttpResponseError
from arm import credential
from calls import raises, run, sandbox
from microsoft_fabric_api import FabricClient

fabric = FabricClient(credential, base_url=f"{sandbox.origin}/")
made = {}


def create_workspace():
    made["workspace"] = fabric.core.workspaces.create_workspace({"displayName": "Python"}).id


def change_workspace():
    fabric.core.workspaces.update_workspace(made["workspace"], {"description": "changed"})
    assert fabric.core.workspaces.get_workspace(made["workspace"]).description == "changed"


def list_workspaces():
    assert "Python" in [each.display_name for each in fabric.core.workspaces.list_workspaces()]


def capacities():
    [capacity] = fabric.core.capacities.list_capacities()
    fabric.core.workspaces.assign_to_capacity(made["workspace"], {"capacityId": capacity.id})


def role():
    roles = fabric.core.workspaces
    principal = {"id": sandbox.person.id, "type": "User"}
    roles.add_workspace_role_assignment(
        made["workspace"], {"principal": principal, "role": "Viewer"}
    )
    ids = [each.principal.id for each in roles.list_workspace_role_assignments(made["workspace"])]
    assert sandbox.person.id in ids


def folder():
    folder = fabric.core.folders.create_folder(made["workspace"], {"displayName": "folder"})
    assert fabric.core.folders.get_folder(made["workspace"], folder.id).display_name == "folder"


def create_eventhouse():
    items = fabric.eventhouse.items
    made["eventhouse"] = items.create_eventhouse(made["workspace"], {"displayName": "house"}).id
    eventhouse = items.get_eventhouse(made["workspace"], made["eventhouse"])
    assert eventhouse.properties.query_service_uri.startswith("https://")


def list_databases():
    assert list(fabric.kqldatabase.items.list_kql_databases(made["workspace"]))


def create_eventstream():
    streams = fabric.eventstream.items
    made["eventstream"] = streams.create_eventstream(made["workspace"], {"displayName": "flow"}).id
    definition = streams.get_eventstream_definition(made["workspace"], made["eventstream"])
    [part] = [each for each in definition.definition.parts if each.path == "eventstream.json"]
    assert "sources" in json.loads(base64.b64decode(part.payload))


def create_lakehouse():
    items = fabric.lakehouse.items
    lakehouse = items.create_lakehouse(made["workspace"], {"displayName": "lake"})
    found = items.get_lakehouse(made["workspace"], lakehouse.id)
    assert found.properties.sql_endpoint_properties.provisioning_status == "Success"


def list_items():
    names = {each.display_name for each in fabric.core.items.list_items(made["workspace"])}
    assert {"house", "flow", "lake"} <= names


def taken():
    create = fabric.core.items.create_item
    error = raises(
        HttpResponseError,
        lambda: create(made["workspace"], {"displayName": "house", "type": "Eventhouse"}),
    )
    assert error.status_code == 409


def delete_workspace():
    fabric.core.workspaces.delete_workspace(made["workspace"])
    gone = raises(
        HttpResponseError, lambda: fabric.core.workspaces.get_workspace(made["workspace"])
    )
    assert gone.status_code == 404


run(
    "microsoft-fabric-api",
    {
        "core.workspaces.create_workspace": create_workspace,
        "core.workspaces.update_workspace, get_workspace": change_workspace,
        "core.workspaces.list_workspaces": list_workspaces,
        "core.capacities.list_capacities, workspaces.assign_to_capacity": capacities,
        "core.workspaces.add_workspace_role_assignment": role,
        "core.folders.create_folder, get_folder": folder,
        "eventhouse.items.create_eventhouse, get_eventhouse": create_eventhouse,
        "kqldatabase.items.list_kql_databases": list_databases,
        "eventstream.items.create_eventstream, get_eventstream_definition": create_eventstream,
        "lakehouse.items.create_lakehouse, get_lakehouse": create_lakehouse,
        "core.items.list_items": list_items,
        "core.items.create_item": taken,
        "core.workspaces.delete_workspace": delete_workspace,
    },
)
