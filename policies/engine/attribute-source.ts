import type { ConfigPath } from '../../core/yaml/layers.js';
import { unknownPlaceholder } from '../../kinds/schema/readers.js';
import { valueAt } from './schema-validation.js';
import { type Declaration, startsWith } from './stack-index.js';
import type { AttributeSource, TerraformResource } from './terraform-resource.js';

/** Where a value of a declaration comes from. */
export function sourceInDeclaration(
  { value, unknownPaths }: Declaration,
  path: ConfigPath,
): AttributeSource {
  const declaredValue = valueAt(value, path);
  if (declaredValue !== undefined)
    return declaredValue === unknownPlaceholder ? 'unknown' : 'written';
  return unknownPaths.some((unknownPath) => startsWith(path, unknownPath)) ? 'unknown' : 'default';
}

/** Where an attribute of a resource comes from; a block is written where a value in it is. */
export function sourceInResource(
  { sources }: TerraformResource,
  path: ConfigPath,
): AttributeSource {
  if (sources === undefined) return 'unknown';
  const name = path.join('.');
  const ownSource = sources[name];
  if (ownSource !== undefined) return ownSource;
  const innerSources = Object.entries(sources).flatMap(([each, source]) =>
    each.startsWith(`${name}.`) ? [source] : [],
  );
  return (
    (['written', 'unknown'] as const).find((source) => innerSources.includes(source)) ?? 'default'
  );
}
