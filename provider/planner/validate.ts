import type {
  Attribute,
  BlockSchema,
  Diagnostic,
  ResourceSchema,
  AttributeBehavior,
  ProviderSdk,
} from '../schemas/schema.js';
import {
  BigNumber,
  formatPath,
  isList,
  isMap,
  isUnknown,
  type Path,
  type Value,
  type ValueMap,
} from '../values/value.js';
import { elementsOf } from './schema-fields.js';

/** The errors and warnings about a configuration, each at its attribute. */
export function validateConfig(
  schema: ResourceSchema | BlockSchema,
  sdk: ProviderSdk,
  config: ValueMap,
): Diagnostic[] {
  const validators = 'configValidators' in schema ? (schema.configValidators ?? []) : [];
  return [
    ...validateBody(schema, sdk, config, []),
    ...validators.flatMap((validate) => [...validate(config)]),
  ];
}

function* validateBody(
  body: BlockSchema,
  sdk: ProviderSdk,
  value: ValueMap,
  path: Path,
): Generator<Diagnostic> {
  const configured = configuredFields(body, value);
  for (const [name, attribute] of Object.entries(body.attributes)) {
    const input = value[name] ?? null;
    const attributePath = [...path, name];
    yield* validateCombination(attribute, sdk, name, configured, attributePath);
    if (input === null) continue;
    if (attribute.deprecated !== undefined)
      yield deprecation(attribute.deprecated, sdk, name, attributePath);
    if (attribute.nested !== undefined)
      for (const element of elementsOf(input, attribute.nested.nesting, attributePath))
        if (isMap(element.value))
          yield* validateBody(attribute.nested, sdk, element.value, element.path);
    if (isUnknown(input)) continue;
    yield* validateCount(attribute, input, name, attributePath);
    yield* validateValue(attribute, sdk, input, name, attributePath);
  }
  for (const [name, block] of Object.entries(body.blocks ?? {})) {
    yield* validateCombination(block, sdk, name, configured, [...path, name]);
    for (const element of elementsOf(value[name], block.nesting, [...path, name]))
      if (isMap(element.value)) yield* validateBody(block, sdk, element.value, element.path);
  }
}

function* validateValue(
  attribute: Attribute,
  sdk: ProviderSdk,
  value: Value,
  name: string,
  path: Path,
): Generator<Diagnostic> {
  if (isUnknown(value) || value === null) return;
  if (isList(value)) {
    for (const [index, each] of value.entries())
      yield* validateValue(
        attribute,
        sdk,
        each,
        name,
        hasSetType(attribute) ? path : [...path, index],
      );
    return;
  }
  if (isMap(value)) return;
  const scalar = value instanceof BigNumber ? value.toNumber() : value;
  if (typeof scalar === 'object') return;
  for (const check of attribute.checks ?? []) {
    const problem = check(scalar, name);
    if (problem === undefined) continue;
    const summary = sdk === 'sdkv2' ? problem : 'Invalid Attribute Value';
    const detail = sdk === 'sdkv2' ? {} : { detail: `Attribute ${formatPath(path)}: ${problem}` };
    yield maskSensitiveValue(
      attribute,
      { severity: 'error', summary, path, ...detail },
      String(scalar),
    );
  }
}

function maskSensitiveValue(
  attribute: Attribute,
  diagnostic: Diagnostic,
  value: string,
): Diagnostic {
  if (attribute.sensitive !== true || value === '') return diagnostic;
  const mask = (text: string): string => text.replaceAll(value, '(sensitive value)');
  return {
    ...diagnostic,
    summary: mask(diagnostic.summary),
    ...(diagnostic.detail !== undefined && { detail: mask(diagnostic.detail) }),
  };
}

function* validateCount(
  attribute: Attribute,
  value: Value,
  name: string,
  path: Path,
): Generator<Diagnostic> {
  if (!isList(value)) return;
  const kind = hasSetType(attribute) ? 'set' : 'list';
  if (attribute.max !== undefined && value.length > attribute.max)
    yield {
      severity: 'error',
      summary: `Too many ${kind} items`,
      detail: `Attribute ${name} supports ${attribute.max} item maximum, but config has ${value.length} declared.`,
      path,
    };
  if (attribute.min !== undefined && value.length < attribute.min)
    yield {
      severity: 'error',
      summary: `Not enough ${kind} items`,
      detail: `Attribute ${name} requires ${attribute.min} item minimum, but config has only ${value.length} declared.`,
      path,
    };
}

function hasSetType(attribute: Attribute): boolean {
  return Array.isArray(attribute.type)
    ? attribute.type[0] === 'set'
    : attribute.nested?.nesting === 'set';
}

/** The fields that the configuration sets at a level; 'unknown' ones may turn out to be null. */
type ConfiguredFields = ReadonlyMap<string, 'set' | 'unknown'>;

/**
 * An attribute is configured if it is not null (`members = []` is); an absent block is an empty
 * list.
 */
function configuredFields(body: BlockSchema, level: ValueMap): ConfiguredFields {
  const configured = new Map<string, 'set' | 'unknown'>();
  for (const [name, value] of Object.entries(level)) {
    const isAbsent =
      value === null || (isList(value) && value.length === 0 && body.blocks?.[name] !== undefined);
    if (!isAbsent) configured.set(name, isUnknown(value) ? 'unknown' : 'set');
  }
  return configured;
}

/** Checks which attributes of a level may, or must, be set together. */
function* validateCombination(
  behavior: AttributeBehavior,
  sdk: ProviderSdk,
  name: string,
  configured: ConfiguredFields,
  path: Path,
): Generator<Diagnostic> {
  const error = (summary: string, detail: string): Diagnostic => ({
    severity: 'error',
    summary,
    detail,
    path,
  });
  if (configured.get(name) === 'set')
    for (const otherName of behavior.conflictsWith ?? [])
      if (configured.get(otherName) === 'set')
        yield error(
          'Conflicting configuration arguments',
          `"${name}": conflicts with ${otherName}`,
        );
  if (
    configured.has(name) &&
    behavior.requiredWith?.some((otherName) => !configured.has(otherName))
  )
    yield error(
      'Missing required argument',
      `"${name}": all of \`${[name, ...behavior.requiredWith].join(',')}\` must be specified`,
    );
  if (
    behavior.atLeastOneOf !== undefined &&
    !behavior.atLeastOneOf.some((each) => configured.has(each))
  )
    yield error(
      'Missing required argument',
      `"${name}": one of \`${behavior.atLeastOneOf.join(',')}\` must be specified`,
    );
  if (behavior.exactlyOneOf === undefined) return;
  const names = behavior.exactlyOneOf.join(',');
  const setNames = behavior.exactlyOneOf.filter((each) => configured.get(each) === 'set');
  if (setNames.length === 0 && !behavior.exactlyOneOf.some((each) => configured.has(each)))
    yield error(
      sdk === 'sdkv2' ? 'Invalid combination of arguments' : 'Missing Attribute Configuration',
      `"${name}": one of \`${names}\` must be specified`,
    );
  if (setNames.length > 1 && configured.has(name))
    yield error(
      'Invalid combination of arguments',
      `"${name}": only one of \`${names}\` can be specified, but \`${setNames.join(',')}\` were specified.`,
    );
}

function deprecation(
  deprecated: string | true,
  sdk: ProviderSdk,
  name: string,
  path: Path,
): Diagnostic {
  const detail = deprecated === true ? `The attribute "${name}" is deprecated.` : deprecated;
  return {
    severity: 'warning',
    summary: sdk === 'sdkv2' ? 'Argument is deprecated' : 'Attribute Deprecated',
    detail,
    path,
  };
}
