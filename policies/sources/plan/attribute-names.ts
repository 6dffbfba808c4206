import type { ConfigPath } from '../../../core/yaml/layers.js';
import type { Mapping } from '../../../kinds/schema/mapping.js';
import { metadataOf } from '../../../kinds/schema/property-metadata.js';
import { startsWith } from '../../engine/stack-index.js';
import { mappingsOfType } from './declaring-types.js';

/** An attribute as a person writes it: `min_replicas`. */
export interface NamedAttribute {
  readonly name: string;
  /** The spelling of a value there: `RedirectToLoginPage` for `redirectToLogin`. */
  readonly spellingOf: (value: string) => string;
}

/**
 * The attribute for the name of a property; sign-in settings are those of the resource manager,
 * whatever the type.
 *
 * @param name the last steps of the property's path.
 * @param parentPath the path of the object that it is likely to be in.
 */
export function attributeForProperty(
  type: string,
  name: readonly string[],
  parentPath: ConfigPath,
): NamedAttribute | undefined {
  const mappingsForName = (from: string): readonly Mapping[] =>
    mappingsEndingIn(from, name.at(-1)).filter(({ property }) => endsWith(property, name));
  const ownMappings = mappingsForName(type);
  const mappings =
    ownMappings.length > 0
      ? ownMappings
      : mappingsForName('azapi_resource').filter(({ property: [top] }) => top === 'auth');
  const nearest = mappings.find(({ property }) => startsWith(property, parentPath)) ?? mappings[0];
  if (nearest === undefined) return undefined;
  const steps = nearest.attribute.filter((step) => typeof step === 'string' && !/[*=]/.test(step));
  const shownSteps = name.length === 1 ? steps.slice(-1) : steps.filter((step) => step !== 'body');
  return shownSteps.length === 0
    ? undefined
    : { name: shownSteps.join('.'), spellingOf: valueSpelling(nearest) };
}

const mappingsByLastStep = new Map<string, ReadonlyMap<unknown, readonly Mapping[]>>();

/** The mappings of a type whose property has this last step: messages of a large plan name many. */
function mappingsEndingIn(type: string, step: string | undefined): readonly Mapping[] {
  let byStep = mappingsByLastStep.get(type);
  if (byStep === undefined) {
    const lists = new Map<unknown, Mapping[]>();
    for (const mapping of mappingsOfType(type)) {
      const lastStep = mapping.property.at(-1);
      lists.set(lastStep, [...(lists.get(lastStep) ?? []), mapping]);
    }
    byStep = lists;
    mappingsByLastStep.set(type, byStep);
  }
  return byStep.get(step) ?? [];
}

function endsWith(path: ConfigPath, end: readonly string[]): boolean {
  const start = path.length - end.length;
  return start >= 0 && end.every((step, index) => path[start + index] === step);
}

function valueSpelling({ schema }: Mapping): NamedAttribute['spellingOf'] {
  const place = schema === undefined ? undefined : [metadataOf(schema).body].flat()[0];
  const words: Readonly<Record<string, string | boolean>> =
    typeof place === 'object' && 'valueMap' in place ? (place.valueMap ?? {}) : {};
  return (value) => String(words[value] ?? value);
}
