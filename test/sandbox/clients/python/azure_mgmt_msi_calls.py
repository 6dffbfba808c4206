from azure.core.exceptions import ResourceNotFoundError
from azure.mgmt.msi import ManagedServiceIdentityClient
from azure.mgmt.resource.resources import ResourceManagementClient
from arm import cloud, credential
from calls import raises, run, sandbox

group = "azure-mgmt-msi"
client = ManagedServiceIdentityClient(credential, sandbox.subscriptionId, **cloud)
ResourceManagementClient(credential, sandbox.subscriptionId, **cloud).resource_groups.create_or_update(
    group, {"location": "westeurope"}
)
identities = client.user_assigned_identities


def create():
    made = identities.create_or_update(group, "one", {"location": "westeurope"})
    assert made.principal_id and made.client_id


def listed():
    assert [each.name for each in identities.list_by_resource_group(group)] == ["one"]


def federated():
    client.federated_identity_credentials.create_or_update(
        group,
        "one",
        "ci",
        {
            "properties": {
                "issuer": "https://token.actions.githubusercontent.com",
                "subject": "repo:contoso/shop:ref:refs/heads/main",
                "audiences": ["api://AzureADTokenExchange"],
            }
        },
    )
    found = client.federated_identity_credentials.list(group, "one")
    assert [each.name for each in found] == ["ci"]


def delete():
    identities.delete(group, "one")
    raises(ResourceNotFoundError, lambda: identities.get(group, "one"))


run(
    "azure-mgmt-msi",
    {
        "user_assigned_identities.create_or_update": create,
        "user_assigned_identities.list_by_resource_group": listed,
        "federated_identity_credentials.create_or_update, list": federated,
        "user_assigned_identities.delete": delete,
    },
)
