import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import type { TerraformResource } from '../../engine/terraform-resource.js';
import { parseAddress } from './address.js';
import type { PlanConfiguration } from './plan-configuration.js';
import type { PlannedResource } from '../../engine/planned-resource.js';

/** A planned resource as custom rules see it. */
export function terraformResource(
  resource: PlannedResource,
  configuration: PlanConfiguration | undefined,
): TerraformResource {
  const { address, type, name, actions, before, after, afterUnknown } = resource;
  const modules = parseAddress(address)?.modules ?? [];
  const sources = configuration?.sourcesOf(address, after ?? before, afterUnknown);
  const values = (after ?? before ?? {}) as Readonly<Record<string, unknown>>;
  return {
    address,
    type,
    name,
    module: modules
      .map((each) => `module.${each.name}${each.key === undefined ? '' : `[${each.key}]`}`)
      .join('.'),
    actions,
    values,
    ...(before !== null && { before: before as Readonly<Record<string, unknown>> }),
    unknown: unknownIn(afterUnknown, []),
    references: configuration?.allReferencesOf(address) ?? {},
    ...omitUndefined({ sources }),
  };
}

/** The paths of values that are known only after apply. */
function unknownIn(shape: unknown, path: ConfigPath): readonly ConfigPath[] {
  if (shape === true) return [path];
  if (shape === null || typeof shape !== 'object') return [];
  return Object.entries(shape).flatMap(([key, each]) =>
    unknownIn(each, [...path, Array.isArray(shape) ? Number(key) : key]),
  );
}
