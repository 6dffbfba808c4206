import { containerAppLimits } from '../../../kinds/container-app/limits.js';
import { badRequest } from '../errors.js';
import { numberOf, objectOf, objectsOf, textOf } from '../json.js';
import type { Json } from '../store.js';

const { port, trafficWeight } = containerAppLimits;
const transports = ['auto', 'http', 'http2', 'tcp'];

/**
 * Checks an app's ingress.
 *
 * @param revisions the names of the revisions that traffic may go to.
 * @throws ArmError 400 for a bad port, transport, or weights that don't make 100.
 */
export function checkIngress(configuration: Json, revisions: ReadonlySet<string>): void {
  const ingress = objectOf(configuration['ingress']);
  if (ingress === undefined) return;
  const targetPort = numberOf(ingress['targetPort'], 'properties.configuration.ingress.targetPort') ?? 0;
  // 0 means: found out by itself.
  if (!Number.isInteger(targetPort) || targetPort < 0 || targetPort > port.maximum)
    throw badRequest(
      'ContainerAppInvalidIngressTargetPort',
      `Invalid ingress targetPort ${targetPort}: allowed is ${port.minimum} to ${port.maximum}.`,
    );
  const transport = textOf(ingress['transport']) ?? 'auto';
  if (!transports.includes(transport.toLowerCase()))
    throw badRequest(
      'ContainerAppInvalidIngressTransport',
      `Invalid ingress transport '${transport}': allowed are ${transports.join(', ')}.`,
    );
  const exposedPort = numberOf(ingress['exposedPort'], 'properties.configuration.ingress.exposedPort') ?? 0;
  if (exposedPort !== 0 && transport.toLowerCase() !== 'tcp')
    throw badRequest('ContainerAppInvalidIngressExposedPort', 'exposedPort can only be set for TCP ingress.');
  checkTraffic(objectsOf(ingress['traffic'], 'properties.configuration.ingress.traffic'), revisions);
}

function checkTraffic(traffic: readonly Json[], revisions: ReadonlySet<string>): void {
  if (traffic.length === 0) return;
  let sum = 0;
  for (const entry of traffic) {
    const weight = numberOf(entry['weight'], 'properties.configuration.ingress.traffic.weight') ?? 0;
    if (!Number.isInteger(weight) || weight < trafficWeight.minimum || weight > trafficWeight.maximum)
      throw badRequest(
        'ContainerAppInvalidTrafficWeight',
        `Invalid traffic weight ${weight}: allowed is ${trafficWeight.minimum} to ${trafficWeight.maximum}.`,
      );
    sum += weight;
    const revision = textOf(entry['revisionName']);
    if (entry['latestRevision'] === true && revision !== undefined)
      throw badRequest(
        'ContainerAppInvalidTrafficConfiguration',
        `Traffic can go to the latest revision or to '${revision}', not to both in one entry.`,
      );
    if (entry['latestRevision'] !== true && (revision === undefined || !revisions.has(revision)))
      throw badRequest('RevisionNotFound', `The revision '${revision ?? ''}' that traffic is sent to does not exist.`);
  }
  if (sum !== trafficWeight.sum)
    throw badRequest('ContainerAppInvalidTrafficWeight', `The traffic weights add up to ${sum}: they must add up to ${trafficWeight.sum}.`);
}
