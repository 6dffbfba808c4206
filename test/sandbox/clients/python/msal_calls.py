import msal
from calls import run, sandbox

app = sandbox.app
options = {
    "authority": f"{sandbox.origin}/{sandbox.tenantId}",
    "instance_discovery": False,
}
client = msal.ConfidentialClientApplication(app.appId, client_credential=app.secret, **options)
public_client = msal.PublicClientApplication(app.publicAppId, **options)


def own_token():
    scopes = [f"{sandbox.origin}/.default"]
    assert client.acquire_token_for_client(scopes)["token_source"] == "identity_provider"
    assert client.acquire_token_for_client(scopes)["token_source"] == "cache"


def device():
    flow = public_client.initiate_device_flow(["User.Read"])
    assert len(flow["user_code"]) == 9, flow


run(
    "msal",
    {
        "ConfidentialClientApplication.acquire_token_for_client": own_token,
        "PublicClientApplication.initiate_device_flow": device,
    },
)
