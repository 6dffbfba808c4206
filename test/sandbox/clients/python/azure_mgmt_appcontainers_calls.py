from azure.core.exceptions import ResourceNotFoundError
from azure.mgmt.appcontainers import ContainerAppsAPIClient
from azure.mgmt.resource.resources import ResourceManagementClient
from arm import cloud, credential
from calls import raises, run, sandbox

group = "azure-mgmt-appcontainers"
apps = ContainerAppsAPIClient(credential, sandbox.subscriptionId, **cloud)
ResourceManagementClient(credential, sandbox.subscriptionId, **cloud).resource_groups.create_or_update(
    group, {"location": "westeurope"}
)
containers = [{"name": "c", "image": "img:1", "resources": {"cpu": 0.5, "memory": "1Gi"}}]


def environment():
    made = apps.managed_environments.begin_create_or_update(
        group, "env", {"location": "westeurope"}
    ).result()
    assert made.properties.provisioning_state == "Succeeded"


def create():
    environment_id = apps.managed_environments.get(group, "env").id
    made = apps.container_apps.begin_create_or_update(
        group,
        "python",
        {
            "location": "westeurope",
            "properties": {
                "managedEnvironmentId": environment_id,
                "configuration": {
                    "ingress": {"external": True, "targetPort": 80},
                    "secrets": [{"name": "one", "value": "s3cret"}],
                },
                "template": {"containers": containers},
            },
        },
    ).result()
    assert made.properties.configuration.ingress.fqdn.startswith("python.localhost:")


def secrets():
    assert apps.container_apps.list_secrets(group, "python").value[0].value == "s3cret"


def auth():
    made = apps.container_apps_auth_configs.create_or_update(
        group, "python", "current", {"properties": {"platform": {"enabled": False}}}
    )
    assert made.properties.platform.enabled is False


def revisions():
    [revision] = apps.container_apps_revisions.list_revisions(group, "python")
    assert revision.properties.active


def stop():
    stopped = apps.container_apps.begin_stop(group, "python").result()
    assert stopped.properties.running_status == "Stopped"


def delete():
    apps.container_apps.begin_delete(group, "python").result()
    raises(ResourceNotFoundError, lambda: apps.container_apps.get(group, "python"))


run(
    "azure-mgmt-appcontainers",
    {
        "managed_environments.begin_create_or_update": environment,
        "container_apps.begin_create_or_update": create,
        "container_apps.list_secrets": secrets,
        "container_apps_auth_configs.create_or_update": auth,
        "container_apps_revisions.list_revisions": revisions,
        "container_apps.begin_stop": stop,
        "container_apps.begin_delete": delete,
    },
)
