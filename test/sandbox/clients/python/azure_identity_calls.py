import base64
import json

from azure.core.exceptions import ClientAuthenticationError
from azure.identity import ClientSecretCredential, ManagedIdentityCredential
from calls import raises, run, sandbox

app, scope = sandbox.app, f"{sandbox.origin}/.default"
options = {"authority": sandbox.origin, "disable_instance_discovery": True}


def claims(token):
    payload = token.token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


def secret():
    credential = ClientSecretCredential(sandbox.tenantId, app.appId, app.secret, **options)
    assert claims(credential.get_token(scope))["appid"] == app.appId
    wrong = ClientSecretCredential(sandbox.tenantId, app.appId, "wrong", **options)
    assert "7000215" in str(raises(ClientAuthenticationError, lambda: wrong.get_token(scope)))


def managed():
    assert claims(ManagedIdentityCredential().get_token(scope))["aud"] == sandbox.origin


run(
    "azure-identity",
    {
        "ClientSecretCredential.get_token": secret,
        "ManagedIdentityCredential.get_token": managed,
    },
)
