import { containerApp } from '../../../kinds/container-app/container-app.js';
import { badRequest } from '../errors.js';
import { numberOf, objectOf, objectsOf, textOf } from '../json.js';
import type { Json } from '../store.js';

/**
 * Checks what the properties of an app's ingress say together.
 *
 * @param revisions the names of the revisions that traffic may go to.
 * @throws ArmError 400 for an outer port without TCP, traffic to a revision that is not there, or weights that don't make 100.
 */
export function checkIngress(configuration: Json, revisions: ReadonlySet<string>): void {
  const ingress = objectOf(configuration['ingress']);
  if (ingress === undefined) return;
  const transport = textOf(ingress['transport']) ?? 'auto';
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
  const { traffic: whole } = containerApp.limits;
  if (sum !== whole)
    throw badRequest('ContainerAppInvalidTrafficWeight', `The traffic weights add up to ${sum}: they must add up to ${whole}.`);
}
