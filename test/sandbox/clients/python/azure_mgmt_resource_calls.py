from azure.core.exceptions import ResourceNotFoundError
from azure.mgmt.resource.resources import ResourceManagementClient
from arm import cloud, credential
from calls import raises, run, sandbox

client = ResourceManagementClient(credential, sandbox.subscriptionId, **cloud)
name = "azure-mgmt-resource"
identity = f"/subscriptions/{sandbox.subscriptionId}/resourceGroups/{name}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/one"
version = "2023-01-31"


def create():
    group = client.resource_groups.create_or_update(name, {"location": "westeurope"})
    assert group.properties.provisioning_state == "Succeeded"


def exists():
    assert client.resource_groups.check_existence(name)
    assert not client.resource_groups.check_existence("none")


def change():
    assert client.resource_groups.update(name, {"tags": {"team": "one"}}).tags == {"team": "one"}


def listed():
    assert name in [group.name for group in client.resource_groups.list()]


def create_by_id():
    made = client.resources.begin_create_or_update_by_id(
        identity, {"location": "westeurope"}, api_version=version
    ).result()
    assert made.name == "one"


def in_group():
    found = client.resources.list_by_resource_group(name)
    assert [resource.name for resource in found] == ["one"]


def delete_by_id():
    client.resources.begin_delete_by_id(identity, api_version=version).result()
    raises(ResourceNotFoundError, lambda: client.resources.get_by_id(identity, api_version=version))


def delete():
    client.resource_groups.begin_delete(name).result()
    raises(ResourceNotFoundError, lambda: client.resource_groups.get(name))


run(
    "azure-mgmt-resource",
    {
        "resource_groups.create_or_update": create,
        "resource_groups.check_existence": exists,
        "resource_groups.update": change,
        "resource_groups.list": listed,
        "resources.begin_create_or_update_by_id": create_by_id,
        "resources.list_by_resource_group": in_group,
        "resources.begin_delete_by_id": delete_by_id,
        "resource_groups.begin_delete": delete,
    },
)
