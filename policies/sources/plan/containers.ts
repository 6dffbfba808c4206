import type { ConfigPath } from '../../../core/yaml/layers.js';
import { containerPlaces } from '../../../kinds/container-app/container.js';
import { containerApp } from '../../../kinds/container-app/container-app.js';
import { scaleRule, scaleRulePlaces } from '../../../kinds/container-app/replicas.js';
import {
  type Mapping,
  resourceBody,
  mappingsOf,
  moveMapping,
} from '../../../kinds/schema/mapping.js';
import { valueAtPath, stepsOf } from '../../../kinds/schema/path-steps.js';
import { type Attributes, type DeclaredValue, readDeclared } from './mapping.js';

/**
 * A container after the first one, for which castellan.yaml has no property: it is checked like an
 * app with only this one.
 */
export interface AdditionalContainer extends DeclaredValue {
  readonly place: 'containers' | 'initContainers';
  readonly name: string;
}

/** A scale rule, with the names of castellan.yaml. */
export interface DeclaredScaleRule extends DeclaredValue {
  readonly name: string;
}

/** Parts of an app for which castellan.yaml has no properties. */
export interface AppParts {
  readonly containers: readonly AdditionalContainer[];
  readonly scaleRules: readonly DeclaredScaleRule[];
}

/** Reads the parts of apps declared by a resource type. */
export function appParts(
  type: 'azurerm_container_app' | 'azapi_resource',
): (attributes: Attributes) => AppParts {
  const isAzapi = type === 'azapi_resource';
  const inBody = (path: string): ConfigPath => [
    ...(isAzapi ? ['body', 'properties'] : []),
    ...stepsOf(path),
  ];
  const places = isAzapi ? containerPlaces.body : containerPlaces.terraform;
  const first = [...inBody(places.containers), 0];
  const mappings = mappingsOf(containerApp, type).filter(({ attribute }) =>
    first.every((step, index) => attribute[index] === step),
  );
  const ofRules = mappingsOf(
    { terraform: { primary: [type] }, schema: scaleRule as never },
    isAzapi ? resourceBody : type,
  );
  const rulePlaces = (isAzapi ? scaleRulePlaces.body : scaleRulePlaces.terraform).map(inBody);
  const paths = {
    containers: inBody(places.containers),
    initContainers: inBody(places.initContainers),
  };
  /** The mappings of each list entry, the same for all apps. */
  const mappingsByIndex: Record<AdditionalContainer['place'], (readonly Mapping[])[]> = {
    containers: [],
    initContainers: [],
  };
  return (attributes) => {
    const { after, afterUnknown } = attributes;
    const containersAt = (
      place: AdditionalContainer['place'],
      from: number,
    ): readonly AdditionalContainer[] =>
      listAt(after, paths[place]).flatMap((container, index) => {
        if (index < from) return [];
        const own = (mappingsByIndex[place][index] ??= mappings.map((each) =>
          moveMapping([...paths[place], index], first, each),
        ));
        return [{ place, name: nameOf(container, index), ...readDeclared(own, attributes) }];
      });
    const scaleRules = rulePlaces.flatMap((path) =>
      listAt(after, path).map((rule, index) => {
        const unknown = valueAtPath(afterUnknown, [...path, index]) ?? {};
        return {
          name: nameOf(rule, index),
          ...readDeclared(ofRules, {
            after: rule,
            afterUnknown: unknown,
            exists: attributes.exists,
          }),
        };
      }),
    );
    return {
      containers: [...containersAt('containers', 1), ...containersAt('initContainers', 0)],
      scaleRules,
    };
  };
}

function nameOf(part: unknown, index: number): string {
  const name = valueAtPath(part, ['name']);
  return typeof name === 'string' ? name : String(index);
}

function listAt(value: unknown, path: ConfigPath): readonly unknown[] {
  const match = valueAtPath(value, path);
  return Array.isArray(match) ? (match as readonly unknown[]) : [];
}
