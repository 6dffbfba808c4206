import type { ConfigPath } from '../../../core/yaml/layers.js';
import { containerListPaths } from '../../../kinds/container-app/container.js';
import { containerApp } from '../../../kinds/container-app/container-app.js';
import { scaleRule, scaleRuleListPaths } from '../../../kinds/container-app/replicas.js';
import {
  bodyMappingsOf,
  type Mapping,
  mappingsOf,
  relativeMapping,
} from '../../../kinds/schema/mapping.js';
import { valueAtPath, stepsOf } from '../../../kinds/schema/path-steps.js';
import { type Attributes, type DeclaredValue, readDeclared } from './declared-value.js';

/** A named entry of a list, with the names of castellan.yaml. */
interface NamedPart extends DeclaredValue {
  /** Its name, or its index while it has none. */
  readonly name: string;
}

/**
 * A container after the first one, for which castellan.yaml has no property: it is checked like an
 * app with only this one.
 */
export interface AdditionalContainer extends NamedPart {
  /** The list of the app that contains it. */
  readonly list: 'containers' | 'initContainers';
}

/** Parts of an app for which castellan.yaml has no properties. */
export interface AppParts {
  /** The name of the first container, if it has one that is known. */
  readonly firstContainer: string | undefined;
  /** The containers after the first one, and all init containers. */
  readonly containers: readonly AdditionalContainer[];
  readonly scaleRules: readonly NamedPart[];
}

/** Resource types that declare an app with its parts. */
export type AppResourceType = 'azurerm_container_app' | 'azapi_resource';

/** Makes the function that reads the parts of apps from the attributes of a resource type. */
export function appPartsReader(type: AppResourceType): (attributes: Attributes) => AppParts {
  const paths = pathsOfParts(type);
  const firstContainer = [...paths.containers, 0];
  const containerMappings = mappingsOf(containerApp, type)
    .filter(({ attribute }) => startsWith(attribute, firstContainer))
    .map((mapping) => relativeMapping(mapping, firstContainer));
  const scaleRuleMappings =
    type === 'azapi_resource'
      ? bodyMappingsOf(scaleRule)
      : mappingsOf({ terraform: { resourceTypes: [type] }, schema: scaleRule }, type);
  return (attributes) => {
    const containers = readList(attributes, paths.containers, containerMappings);
    const initContainers = readList(attributes, paths.initContainers, containerMappings);
    const firstName = valueAtPath(attributes.after, [...firstContainer, 'name']);
    return {
      firstContainer: typeof firstName === 'string' ? firstName : undefined,
      containers: [
        ...containers.slice(1).map((each) => ({ ...each, list: 'containers' as const })),
        ...initContainers.map((each) => ({ ...each, list: 'initContainers' as const })),
      ],
      scaleRules: paths.scaleRules.flatMap((path) => readList(attributes, path, scaleRuleMappings)),
    };
  };
}

/**
 * The attribute of a container for which castellan.yaml has no property, by its path in an app:
 * `containers.second.image`. Its last steps are those of the first container, by the attribute that
 * a function gives for a path in the app.
 */
export function containerAttributePath(
  type: AppResourceType,
  [list, name, ...path]: ConfigPath,
  attributePathInApp: (path: ConfigPath) => ConfigPath | undefined,
): ConfigPath | undefined {
  if ((list !== 'containers' && list !== 'initContainers') || name === undefined) return undefined;
  const places = pathsOfParts(type);
  const firstContainer = [...places.containers, 0];
  const attribute = attributePathInApp(path);
  return [
    ...places[list],
    name,
    ...(attribute !== undefined && startsWith(attribute, firstContainer)
      ? attribute.slice(firstContainer.length)
      : []),
  ];
}

/** Where the attributes of a resource type have the lists of containers and scale rules. */
function pathsOfParts(type: AppResourceType): {
  readonly containers: ConfigPath;
  readonly initContainers: ConfigPath;
  readonly scaleRules: readonly ConfigPath[];
} {
  const isAzapi = type === 'azapi_resource';
  const lists = isAzapi ? containerListPaths.body : containerListPaths.terraform;
  const scaleRules = isAzapi ? scaleRuleListPaths.body : scaleRuleListPaths.terraform;
  const toPath = (place: string): ConfigPath => [
    ...(isAzapi ? ['body', 'properties'] : []),
    ...stepsOf(place),
  ];
  return {
    containers: toPath(lists.containers),
    initContainers: toPath(lists.initContainers),
    scaleRules: scaleRules.map(toPath),
  };
}

/** Reads each entry of a list by the mappings of an entry. */
function readList(
  { after, afterUnknown }: Attributes,
  path: ConfigPath,
  mappings: readonly Mapping[],
): readonly NamedPart[] {
  const list = valueAtPath(after, path);
  if (!Array.isArray(list)) return [];
  return list.map((entry: unknown, index) => {
    const name = valueAtPath(entry, ['name']);
    const attributes: Attributes = {
      after: entry ?? {},
      afterUnknown: valueAtPath(afterUnknown, [...path, index]) ?? {},
      // also in an existing app, the provider fills no values into an entry
      exists: false,
    };
    return {
      name: typeof name === 'string' ? name : String(index),
      ...readDeclared(mappings, attributes),
    };
  });
}

function startsWith(path: ConfigPath, start: ConfigPath): boolean {
  return start.every((step, index) => path[index] === step);
}
