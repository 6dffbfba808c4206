import type { ConfigPath } from '../../../core/yaml/layers.js';
import {
  consumptionSizes,
  containerName,
  containerListPaths,
  isAllowedCpuMemory,
  memory as memoryText,
} from '../../../kinds/container-app/container.js';
import { containerApp } from '../../../kinds/container-app/container-app.js';
import { scaleRule } from '../../../kinds/container-app/replicas.js';
import { bodyMappingsOf, type Mapping, relativeMapping } from '../../../kinds/schema/mapping.js';
import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { stepsOf } from '../../../kinds/schema/path-steps.js';
import { checkProperties, type ErrorCodes } from '../property-checks.js';
import { badRequest } from '../errors.js';
import { readNumber, asObject, readObjects, nonEmptyText } from '../json.js';
import type { Json } from '../store.js';

const firstContainerPath: ConfigPath = [...stepsOf(containerListPaths.body.containers), 0];
const allMappings = bodyMappingsOf(containerApp.schema);
const isContainerMapping = ({ attribute }: Mapping): boolean =>
  firstContainerPath.every((step, index) => attribute[index] === step);
/** The description of the first container applies to every container. */
const containerMappings = allMappings
  .filter(isContainerMapping)
  .map((each) => relativeMapping(each, firstContainerPath));
/** The mappings of all other properties of an app. */
export const appMappings = allMappings.filter((each) => !isContainerMapping(each));
const scaleRuleMappings = bodyMappingsOf(scaleRule);
/** The resources of a container that names none, as in the cloud. */
const defaultResources = { memory: '1Gi', cpu: 0.5 };
const errorCodes: ErrorCodes = {
  image: 'ContainerAppImageRequired',
  probes: 'ContainerAppProbeInvalid',
};

/**
 * Checks each container and scale rule of an app's template, and the rules that combine them.
 *
 * @param workloadProfile with a `dedicated` one, any size of CPU and memory is allowed.
 * @throws ArmError 400 for the first mistake.
 */
export function checkTemplate(template: Json, workloadProfile: 'dedicated' | 'consumption'): void {
  const containers = readObjects(template['containers'], 'properties.template.containers');
  if (containers.length === 0)
    throw badRequest(
      'ContainerAppContainersRequired',
      'The template must have at least one container.',
    );
  const allContainers = [
    ...containers,
    ...readObjects(template['initContainers'], 'properties.template.initContainers'),
  ];
  const names = new Set<string>();
  for (const container of allContainers) {
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
    readObjects(container['probes'], 'properties.template.containers.probes');
    checkProperties(
      containerMappings,
      container,
      errorCodes,
      `properties.template.containers.${name}`,
    );
  }
  checkResources(containers, workloadProfile);
  checkScale(asObject(template['scale']));
}

function checkResources(
  containers: readonly Json[],
  workloadProfile: 'dedicated' | 'consumption',
): void {
  let [cpu, memory] = [0, 0];
  for (const container of containers) {
    const resources = asObject(container['resources']);
    const amount = nonEmptyText(resources?.['memory']) ?? defaultResources.memory;
    const mistake = mistakeIn(memoryText, amount);
    if (mistake !== undefined)
      throw badRequest(
        'ContainerAppInvalidMemory',
        `Invalid memory '${amount}' of container '${String(container['name'])}': ${mistake.message}.`,
      );
    cpu +=
      readNumber(resources?.['cpu'], 'properties.template.containers.resources.cpu') ??
      defaultResources.cpu;
    memory += Number.parseFloat(amount);
  }
  if (
    workloadProfile === 'dedicated' ||
    isAllowedCpuMemory(roundToThousandths(cpu), `${roundToThousandths(memory)}Gi`)
  )
    return;
  const { cores, gibibytesPerCore } = consumptionSizes;
  const combinations = [];
  for (let coreCount: number = cores.minimum; coreCount <= cores.maximum; coreCount += cores.step)
    combinations.push(
      `[cpu: ${coreCount}, memory: ${(coreCount * gibibytesPerCore).toFixed(1)}Gi]`,
    );
  throw badRequest(
    'ContainerAppInvalidResourceTotal',
    `The total requested CPU and memory resources for this application (CPU: ${roundToThousandths(cpu)}, memory: ${roundToThousandths(memory)}Gi) is invalid. Total CPU and memory for all containers defined in a Container App must add up to one of the following CPU - Memory combinations: ${combinations.join('; ')}`,
  );
}

function checkScale(scale: Json | undefined): void {
  for (const rule of readObjects(scale?.['rules'], 'properties.template.scale.rules'))
    checkProperties(
      scaleRuleMappings,
      rule,
      { '': 'ContainerAppInvalidScaleSpec' },
      'properties.template.scale.rules',
    );
  const min = readNumber(scale?.['minReplicas'], 'properties.template.scale.minReplicas') ?? 0;
  const max =
    readNumber(scale?.['maxReplicas'], 'properties.template.scale.maxReplicas') ??
    containerApp.limits.replicas;
  if (min > max)
    throw badRequest(
      'ContainerAppInvalidScaleSpec',
      `minReplicas ${min} must not be greater than maxReplicas ${max}.`,
    );
}

function roundToThousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}
