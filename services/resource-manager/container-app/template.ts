import type { ConfigPath } from '../../../core/yaml/layers.js';
import {
  consumptionSizes,
  containerName,
  containerPlaces,
  isAllowedCpuMemory,
  memory as memoryText,
} from '../../../kinds/container-app/container.js';
import { containerApp } from '../../../kinds/container-app/container-app.js';
import { scaleRule } from '../../../kinds/container-app/replicas.js';
import { bodyMappingsOf, type Mapping, moveMapping } from '../../../kinds/schema/mapping.js';
import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { stepsOf } from '../../../kinds/schema/path-steps.js';
import { checkDescribed, type ErrorCodes } from '../described-kind-check.js';
import { badRequest } from '../errors.js';
import { numberOf, objectOf, objectsOf, nonEmptyText } from '../json.js';
import type { Json } from '../store.js';

const firstContainer: ConfigPath = [...stepsOf(containerPlaces.body.containers), 0];
const all = bodyMappingsOf(containerApp.schema);
const isOfContainer = ({ attribute }: Mapping): boolean =>
  firstContainer.every((step, index) => attribute[index] === step);
/** The description of the first container applies to every container. */
const ofContainer = all.filter(isOfContainer).map((each) => moveMapping([], firstContainer, each));
/** The description of the app's template. */
export const appMappings = all.filter((each) => !isOfContainer(each));
const ofScaleRule = bodyMappingsOf(scaleRule);
const codes: ErrorCodes = {
  image: 'ContainerAppImageRequired',
  probes: 'ContainerAppProbeInvalid',
};

/**
 * Checks each container and scale rule of an app's template, and the rules that combine them.
 *
 * @param dedicated whether the app runs in its own workload profile, where any size is allowed.
 * @throws ArmError 400 for the first mistake.
 */
export function checkTemplate(template: Json, dedicated: 'dedicated' | 'consumption'): void {
  const containers = objectsOf(template['containers'], 'properties.template.containers');
  if (containers.length === 0)
    throw badRequest(
      'ContainerAppContainersRequired',
      'The template must have at least one container.',
    );
  const all = [
    ...containers,
    ...objectsOf(template['initContainers'], 'properties.template.initContainers'),
  ];
  const names = new Set<string>();
  for (const container of all) {
    const name = nonEmptyText(container['name']) ?? '';
    const mistake = mistakeIn(containerName, name);
    if (mistake !== undefined)
      throw badRequest(
        'ContainerAppInvalidContainerName',
        `Invalid container name '${name}': ${mistake.message}.`,
      );
    if (names.has(name))
      throw badRequest(
        'ContainerAppDuplicateContainerName',
        `The container name '${name}' is used more than once.`,
      );
    names.add(name);
    if (nonEmptyText(container['image']) === undefined)
      throw badRequest(
        'ContainerAppImageRequired',
        `The following field(s) are either invalid or missing. Field 'template.containers.${name}.image' is required.`,
      );
    objectsOf(container['probes'], 'properties.template.containers.probes');
    checkDescribed(ofContainer, container, codes, `properties.template.containers.${name}`);
  }
  checkResources(containers, dedicated);
  checkScale(objectOf(template['scale']));
}

function checkResources(containers: readonly Json[], dedicated: 'dedicated' | 'consumption'): void {
  let [cpu, memory] = [0, 0];
  for (const container of containers) {
    const resources = objectOf(container['resources']);
    const amount = nonEmptyText(resources?.['memory']) ?? '1Gi';
    const mistake = mistakeIn(memoryText, amount);
    if (mistake !== undefined)
      throw badRequest(
        'ContainerAppInvalidMemory',
        `Invalid memory '${amount}' of container '${String(container['name'])}': ${mistake.message}.`,
      );
    cpu += numberOf(resources?.['cpu'], 'properties.template.containers.resources.cpu') ?? 0.5;
    memory += Number.parseFloat(amount);
  }
  if (dedicated === 'dedicated' || isAllowedCpuMemory(round(cpu), `${round(memory)}Gi`)) return;
  const { cores, gibibytesPerCore } = consumptionSizes;
  const combinations = [];
  for (let each: number = cores.minimum; each <= cores.maximum; each += cores.step)
    combinations.push(`[cpu: ${each}, memory: ${(each * gibibytesPerCore).toFixed(1)}Gi]`);
  throw badRequest(
    'ContainerAppInvalidResourceTotal',
    `The total requested CPU and memory resources for this application (CPU: ${round(cpu)}, memory: ${round(memory)}Gi) is invalid. Total CPU and memory for all containers defined in a Container App must add up to one of the following CPU - Memory combinations: ${combinations.join('; ')}`,
  );
}

function checkScale(scale: Json | undefined): void {
  for (const rule of objectsOf(scale?.['rules'], 'properties.template.scale.rules'))
    checkDescribed(
      ofScaleRule,
      rule,
      { '': 'ContainerAppInvalidScaleSpec' },
      'properties.template.scale.rules',
    );
  const min = numberOf(scale?.['minReplicas'], 'properties.template.scale.minReplicas') ?? 0;
  const max =
    numberOf(scale?.['maxReplicas'], 'properties.template.scale.maxReplicas') ??
    containerApp.limits.replicas;
  if (min > max)
    throw badRequest(
      'ContainerAppInvalidScaleSpec',
      `minReplicas ${min} must not be greater than maxReplicas ${max}.`,
    );
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
