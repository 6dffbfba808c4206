import asyncio

import httpx
from arm import credential
from calls import run, sandbox
from kiota_abstractions.api_error import APIError
from kiota_authentication_azure.azure_identity_authentication_provider import (
    AzureIdentityAuthenticationProvider,
)
from msgraph import GraphRequestAdapter, GraphServiceClient
from msgraph.generated.models.group import Group
from msgraph.generated.models.reference_create import ReferenceCreate

loop = asyncio.new_event_loop()
adapter = GraphRequestAdapter(
    AzureIdentityAuthenticationProvider(
        credential, scopes=[f"{sandbox.origin}/.default"], allowed_hosts=["localhost"]
    ),
    client=httpx.AsyncClient(),
)
adapter.base_url = f"{sandbox.origin}/v1.0"
graph = GraphServiceClient(request_adapter=adapter)
made = {}


def wait(call):
    return loop.run_until_complete(call)


def users():
    assert sandbox.person.id in [each.id for each in wait(graph.users.get()).value]


def create():
    group = Group(
        display_name="Python", mail_nickname="python", mail_enabled=False, security_enabled=True
    )
    made["group"] = wait(graph.groups.post(group)).id


def change():
    group = graph.groups.by_group_id(made["group"])
    wait(group.patch(Group(description="changed")))
    assert wait(group.get()).description == "changed"


def members():
    group = graph.groups.by_group_id(made["group"])
    address = f"{sandbox.origin}/v1.0/directoryObjects/{sandbox.person.id}"
    wait(group.members.ref.post(ReferenceCreate(odata_id=address)))
    assert [each.id for each in wait(group.members.get()).value] == [sandbox.person.id]


def delete():
    group = graph.groups.by_group_id(made["group"])
    wait(group.delete())
    try:
        wait(group.get())
    except APIError as error:
        assert error.response_status_code == 404
        return
    raise AssertionError("the group is still there")


run(
    "msgraph-sdk",
    {
        "users.get": users,
        "groups.post": create,
        "groups.by_group_id.patch, get": change,
        "groups.by_group_id.members.ref.post": members,
        "groups.by_group_id.delete": delete,
    },
)
