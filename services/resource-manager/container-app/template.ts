import { containerAppLimits, isAllowedCpuMemory } from '../../../kinds/container-app/limits.js';
import { badRequest } from '../errors.js';
import { numberOf, objectOf, objectsOf, textOf } from '../json.js';
import type { Json } from '../store.js';

const { containerName, minReplicas, maxReplicas, probe, revisionSuffix } = containerAppLimits;

/**
 * Checks an app's template: containers, their resources and probes, scale, revision suffix.
 *
 * @param dedicated whether the app runs in a workload profile of its own, where any size goes.
 * @throws ArmError 400 with what is wrong.
 */
export function checkTemplate(template: Json, dedicated: 'dedicated' | 'consumption'): void {
  const containers = objectsOf(template['containers'], 'properties.template.containers');
  if (containers.length === 0) throw badRequest('ContainerAppContainersRequired', 'The template must have at least one container.');
  const all = [...containers, ...objectsOf(template['initContainers'], 'properties.template.initContainers')];
  const names = new Set<string>();
  for (const container of all) {
    const name = textOf(container['name']) ?? '';
    if (!new RegExp(containerName.pattern).test(name) || name.length > containerName.maxLength)
      throw badRequest(
        'ContainerAppInvalidContainerName',
        `Invalid container name '${name}': lower-case letters, digits, inner hyphens and dots, at most ${containerName.maxLength}.`,
      );
    if (names.has(name)) throw badRequest('ContainerAppDuplicateContainerName', `The container name '${name}' is used more than once.`);
    names.add(name);
    if (textOf(container['image']) === undefined)
      throw badRequest(
        'ContainerAppImageRequired',
        `The following field(s) are either invalid or missing. Field 'template.containers.${name}.image' is required.`,
      );
    for (const each of objectsOf(container['probes'], 'properties.template.containers.probes')) checkProbe(each, name);
  }
  checkResources(containers, dedicated);
  checkScale(objectOf(template['scale']));
  const suffix = textOf(template['revisionSuffix']);
  if (suffix !== undefined && (!new RegExp(revisionSuffix.pattern).test(suffix) || suffix.length > revisionSuffix.maxLength))
    throw badRequest(
      'ContainerAppInvalidRevisionSuffix',
      `Invalid revision suffix '${suffix}': lower-case letters, digits and inner hyphens, beginning with a letter.`,
    );
}

function checkResources(containers: readonly Json[], dedicated: 'dedicated' | 'consumption'): void {
  let [cpu, memory] = [0, 0];
  for (const container of containers) {
    const resources = objectOf(container['resources']);
    const given = textOf(resources?.['memory']) ?? '1Gi';
    const gibibytes = /^(\d+(?:\.\d+)?)Gi$/.exec(given)?.[1];
    if (gibibytes === undefined)
      throw badRequest(
        'ContainerAppInvalidMemory',
        `Invalid memory '${given}' of container '${String(container['name'])}': allowed are numbers with Gi, such as 0.5Gi.`,
      );
    cpu += numberOf(resources?.['cpu'], 'properties.template.containers.resources.cpu') ?? 0.5;
    memory += Number(gibibytes);
  }
  if (dedicated === 'dedicated' || isAllowedCpuMemory(round(cpu), `${round(memory)}Gi`)) return;
  const { minimum, maximum, step } = containerAppLimits.resources.cpu;
  const combinations = [];
  for (let each = minimum; each <= maximum; each += step)
    combinations.push(`[cpu: ${each}, memory: ${(each * containerAppLimits.resources.memoryPerCpu).toFixed(1)}Gi]`);
  throw badRequest(
    'ContainerAppInvalidResourceTotal',
    `The total requested CPU and memory resources for this application (CPU: ${round(cpu)}, memory: ${round(memory)}Gi) is invalid. Total CPU and memory for all containers defined in a Container App must add up to one of the following CPU - Memory combinations: ${combinations.join('; ')}`,
  );
}

function checkScale(scale: Json | undefined): void {
  const min = numberOf(scale?.['minReplicas'], 'properties.template.scale.minReplicas') ?? 0;
  const max = numberOf(scale?.['maxReplicas'], 'properties.template.scale.maxReplicas') ?? maxReplicas.default;
  if (!Number.isInteger(min) || min < minReplicas.minimum || min > minReplicas.maximum)
    throw badRequest(
      'ContainerAppInvalidScaleSpec',
      `Invalid minReplicas ${min}: allowed is ${minReplicas.minimum} to ${minReplicas.maximum}.`,
    );
  if (!Number.isInteger(max) || max < maxReplicas.minimum || max > maxReplicas.maximum)
    throw badRequest(
      'ContainerAppInvalidScaleSpec',
      `Invalid maxReplicas ${max}: allowed is ${maxReplicas.minimum} to ${maxReplicas.maximum}.`,
    );
  if (min > max) throw badRequest('ContainerAppInvalidScaleSpec', `minReplicas ${min} must not be greater than maxReplicas ${max}.`);
}

function checkProbe(given: Json, container: string): void {
  for (const [name, { minimum, maximum }] of Object.entries(probe)) {
    const value = numberOf(given[name], `properties.template.containers.probes.${name}`);
    // 0 is how the official provider says "as usual".
    if (value !== undefined && value !== 0 && (value < minimum || value > maximum))
      throw badRequest(
        'ContainerAppProbeInvalid',
        `Invalid ${name} ${value} of a probe of container '${container}': allowed is ${minimum} to ${maximum}.`,
      );
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
