import { randomBytes } from 'node:crypto';
import { containerApp as description } from '../../../kinds/container-app/container-app.js';
import { isConsumptionProfile } from '../../../kinds/container-app/container.js';
import { apiVersions } from '../api-versions.js';
import {
  checkIngress,
  checkSecretReferences,
  readSecrets,
} from '../container-app/configuration.js';
import { nextRevisions, replicaType, revisionType } from '../container-app/revisions.js';
import { checkTemplate, appMappings } from '../container-app/template.js';
import { checkProperties, checkResourceName, type ErrorCodes } from '../property-checks.js';
import { badRequest, conflict } from '../errors.js';
import { asObject, readObjects, omit, nonEmptyText } from '../json.js';
import type { ResourceKind, WriteContext } from '../kind.js';
import type { Json, StoredResource } from '../store.js';
import { managedEnvironment, verificationId } from './managed-environment.js';

const errorCodes: ErrorCodes = {
  'configuration.activeRevisionsMode': 'ContainerAppInvalidRevisionMode',
  'configuration.ingress.targetPort': 'ContainerAppInvalidIngressTargetPort',
  'configuration.ingress.transport': 'ContainerAppInvalidIngressTransport',
  'configuration.ingress.exposedPort': 'ContainerAppInvalidIngressExposedPort',
  'configuration.ingress.traffic': 'ContainerAppInvalidTrafficWeight',
  'configuration.secrets': 'ContainerAppSecretInvalidName',
  'template.containers.resources.cpu': 'ContainerAppInvalidResourceTotal',
  'template.containers.resources.memory': 'ContainerAppInvalidMemory',
  'template.revisionSuffix': 'ContainerAppInvalidRevisionSuffix',
  'template.scale': 'ContainerAppInvalidScaleSpec',
};
/** Properties that only the service sets; values in requests are ignored. */
const readOnlyProperties = [
  'provisioningState',
  'deploymentErrors',
  'runningStatus',
  'latestRevisionName',
  'latestReadyRevisionName',
  'latestRevisionFqdn',
  'customDomainVerificationId',
  'outboundIpAddresses',
  'eventStreamEndpoint',
];

/**
 * Container apps. Properties in which the official provider would see a difference are returned
 * exactly as sent.
 */
export const containerApp: ResourceKind = {
  type: 'Microsoft.App/containerApps',
  apiVersions: apiVersions.containerApps,
  checkName: (name) =>
    checkResourceName(description.properties.name, name, 'ContainerApp', 'ContainerAppInvalidName'),
  async prepareWrite(body, context) {
    const { previous } = context;
    const properties = omit(asObject(body['properties']) ?? {}, readOnlyProperties);
    const managedEnvironmentId =
      nonEmptyText(properties['managedEnvironmentId']) ?? nonEmptyText(properties['environmentId']);
    const environment = await requireEnvironment(managedEnvironmentId, context);
    await checkUniqueHost(context);
    const configuration = asObject(properties['configuration']) ?? {};
    const template = asObject(properties['template']) ?? {};
    checkProperties(appMappings, properties, errorCodes);
    checkTemplate(
      template,
      isConsumptionProfile(nonEmptyText(properties['workloadProfileName']))
        ? 'consumption'
        : 'dedicated',
    );
    const secrets = readSecrets(configuration);
    checkSecretReferences(configuration, template, secrets);
    checkRegistryIdentities(configuration, asObject(body['identity']));
    const revisions = nextRevisions(template, context);
    const wasStopped = previous !== undefined && isStopped(previous);
    checkIngress(configuration, new Set(revisions.history.map(({ name }) => name as string)));
    return {
      properties: {
        ...omit(properties, ['environmentId']),
        managedEnvironmentId: managedEnvironmentId as string,
        configuration: {
          activeRevisionsMode: 'Single',
          ...omit(configuration, ['secrets']),
          ...(secrets.length !== 0 && {
            secrets: secrets.map(({ value: _value, ...rest }) => rest),
          }),
        },
        template: { ...omit(template, ['revisionSuffix']), revisionSuffix: revisions.suffix ?? '' },
      },
      setByService: {
        revisions: revisions.history,
        latestRevision: revisions.latestName,
        environmentName: environment.name,
        ...(wasStopped && { stopped: true }),
      },
      secrets,
    };
  },
  async presentProperties(resource, { store, platform }) {
    const { properties, setByService, name } = resource;
    const environmentId = nonEmptyText(properties['managedEnvironmentId']) ?? '';
    const environment = (await store.find(environmentId)) ?? {
      id: environmentId,
      name: nonEmptyText(setByService['environmentName']) ?? '',
    };
    const domain = platform.domainOf(environment);
    const configuration = asObject(properties['configuration']) ?? {};
    const ingress = asObject(configuration['ingress']);
    const internalPrefix = ingress?.['external'] === true ? '' : 'internal.';
    const revision = setByService['latestRevision'] as string;
    return {
      ...properties,
      configuration: {
        ...configuration,
        ...(ingress !== undefined && {
          ingress: { ...ingress, fqdn: `${name}.${internalPrefix}${domain}` },
        }),
      },
      environmentId,
      provisioningState: 'Succeeded',
      runningStatus: isStopped(resource) ? 'Stopped' : 'Running',
      latestRevisionName: revision,
      latestReadyRevisionName: revision,
      latestRevisionFqdn: ingress === undefined ? '' : `${revision}.${internalPrefix}${domain}`,
      customDomainVerificationId: verificationId(resource.subscription),
      outboundIpAddresses: ['127.0.0.1'],
    };
  },
  actions: {
    listsecrets: ({ secrets }) => ({ value: secrets }),
    getauthtoken: ({ id, name, type, location, tags }, { clock }) => ({
      id,
      name,
      type,
      location,
      tags,
      properties: {
        token: randomBytes(48).toString('base64url'),
        expires: new Date(clock.now().getTime() + 3_600_000).toISOString(),
      },
    }),
  },
  savingActions: {
    start: (app) => ({ ...app, setByService: omit(app.setByService, ['stopped']) }),
    stop: (app) => ({ ...app, setByService: { ...app.setByService, stopped: true } }),
  },
  longRunningActions: ['start', 'stop'],
};

/** Whether an app is stopped. */
export function isStopped({ setByService }: StoredResource): boolean {
  return setByService['stopped'] === true;
}

/** Revisions of an app. */
export const appRevision = readOnlyKind(
  revisionType,
  'A revision cannot be written or deleted: change the template of its app to create one.',
);

/** Replicas of a revision. */
export const appReplica = readOnlyKind(
  replicaType,
  'A replica cannot be written or deleted: the scale of its revision sets how many there are.',
);

/**
 * A kind whose resources only the service creates.
 *
 * @param message the message of the error for a request that writes or deletes one.
 */
export function readOnlyKind(type: string, message: string): ResourceKind {
  const refuse = (): never => {
    throw badRequest('ResourceIsReadOnly', message);
  };
  return {
    type,
    apiVersions: apiVersions.containerApps,
    isProxyResource: true,
    checkName: () => undefined,
    prepareWrite: refuse,
    beforeDelete: refuse,
    presentProperties: ({ properties }) => properties,
  };
}

async function requireEnvironment(
  id: string | undefined,
  { path, previous, store }: WriteContext,
): Promise<StoredResource> {
  if (id === undefined)
    throw badRequest(
      'ContainerAppEnvironmentRequired',
      "The property 'managedEnvironmentId' is required.",
    );
  const previousId = nonEmptyText(previous?.properties['managedEnvironmentId']);
  if (previousId !== undefined && previousId.toLowerCase() !== id.toLowerCase())
    throw badRequest(
      'ManagedEnvironmentIdIsImmutable',
      `The environment of the container app '${path.name}' can't be changed.`,
    );
  const environment = await store.find(id);
  if (environment?.type !== managedEnvironment.type)
    throw badRequest('ManagedEnvironmentNotFound', `The environment '${id}' does not exist.`);
  return environment;
}

async function checkUniqueHost({ path, store, platform, previous }: WriteContext): Promise<void> {
  if (!platform.hasOneDomain || previous !== undefined) return;
  const sameName = (await store.list({ type: containerApp.type })).find(
    ({ name }) => name === path.name,
  );
  if (sameName !== undefined)
    throw conflict(
      'ContainerAppHostTaken',
      `All apps share one domain here, and the name '${path.name}' is taken by ${sameName.id}: give the app another name.`,
    );
}

/** Checks that the app has the identity with which it pulls from a registry. */
function checkRegistryIdentities(configuration: Json, identity: Json | undefined): void {
  const isSystem = (nonEmptyText(identity?.['type']) ?? '')
    .toLowerCase()
    .includes('systemassigned');
  const userAssignedIds = Object.keys(asObject(identity?.['userAssignedIdentities']) ?? {}).map(
    (id) => id.toLowerCase(),
  );
  const hasIdentity = (name: string): boolean =>
    name === 'system' ? isSystem : userAssignedIds.includes(name);
  for (const { server, identity: registryIdentity } of readObjects(
    configuration['registries'],
    'properties.configuration.registries',
  )) {
    const name = nonEmptyText(registryIdentity);
    if (name !== undefined && !hasIdentity(name.toLowerCase()))
      throw badRequest(
        'ContainerAppRegistryIdentityNotFound',
        `The app does not have the identity '${name}' of registry '${String(server)}'.`,
      );
  }
}
