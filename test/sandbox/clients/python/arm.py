"""What the clients of the resource manager share."""

from azure.identity import ClientSecretCredential
from calls import sandbox

credential = ClientSecretCredential(
    sandbox.tenantId,
    sandbox.clientId,
    sandbox.clientSecret,
    authority=sandbox.origin,
    disable_instance_discovery=True,
)
# By which a client uses another cloud than the public one.
cloud = {
    "base_url": sandbox.origin,
    "credential_scopes": [f"{sandbox.origin}/.default"],
    "polling_interval": 1,
}
