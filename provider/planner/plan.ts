import { omitUndefined } from '../../core/values/omit-undefined.js';
import type {
  Attribute,
  BlockSchema,
  Diagnostic,
  ResourceSchema,
  ProviderSdk,
} from '../schemas/schema.js';
import { typeOfBody } from '../schemas/schema-builders.js';
import { equalValues } from '../values/equality.js';
import {
  isList,
  isMap,
  isUnknown,
  type Path,
  unknown,
  type Value,
  type ValueMap,
} from '../values/value.js';
import { isEmpty, matchingElement, areEquivalent } from './equivalence.js';
import { elementAt, elementsOf, type SchemaField, fieldsOf } from './schema-fields.js';

/** The inputs of a plan. */
interface PlanInput {
  readonly config: ValueMap;
  /** The state before; undefined where the resource is created. */
  readonly prior?: ValueMap;
}

/** The planned state, and the paths whose change needs a new resource. */
interface Plan {
  planned: ValueMap;
  readonly requiresReplace: Path[];
  readonly diagnostics: Diagnostic[];
}

/**
 * Plans a creation or an update by the schema alone: configured values stay as written, defaults
 * are filled in, computed values stay (update) or are unknown (create), and an equivalent spelling
 * in the state is kept.
 */
export function planChange(schema: ResourceSchema, sdk: ProviderSdk, input: PlanInput): Plan {
  let planned = planBody(schema, sdk, input.config, input.prior);
  if (input.prior !== undefined) {
    if (equalValues(planned, input.prior, typeOfBody(schema)))
      return { planned: input.prior, requiresReplace: [], diagnostics: [] };
    planned = markUnknown(schema, input.config, planned);
  }
  return {
    planned,
    requiresReplace:
      input.prior === undefined ? [] : pathsThatReplace(schema, input.prior, planned),
    diagnostics: [],
  };
}

/** Marks attributes that any update may change as unknown, unless they are configured. */
export function markUnknown(body: BlockSchema, config: ValueMap, planned: ValueMap): ValueMap {
  const entries = fieldsOf(body).map(({ name, attribute, nested }): [string, Value] => {
    const [configured, value] = [config[name] ?? null, planned[name] ?? null];
    if (attribute?.volatile === true && configured === null) return [name, unknown];
    if (nested === undefined || configured === null) return [name, value];
    const markElement = (element: Value, elementConfig: Value | undefined): Value =>
      isMap(element) && isMap(elementConfig)
        ? markUnknown(nested.body, elementConfig, element)
        : element;
    if (nested.nesting === 'single') return [name, markElement(value, configured)];
    if (isList(value) && isList(configured))
      return [name, value.map((each, index) => markElement(each, configured[index]))];
    if (!isMap(value) || !isMap(configured)) return [name, value];
    return [
      name,
      Object.fromEntries(
        Object.entries(value).map(([key, each]) => [key, markElement(each, configured[key])]),
      ),
    ];
  });
  return Object.fromEntries(entries);
}

function planBody(
  body: BlockSchema,
  sdk: ProviderSdk,
  config: ValueMap,
  prior: ValueMap | undefined,
): ValueMap {
  const entries = fieldsOf(body).map((field): [string, Value] => [
    field.name,
    field.attribute === undefined
      ? planNested(field, sdk, config[field.name] ?? null, prior?.[field.name])
      : planAttribute(field, field.attribute, sdk, config[field.name] ?? null, prior),
  ]);
  return Object.fromEntries(entries);
}

function planAttribute(
  field: SchemaField,
  attribute: Attribute,
  sdk: ProviderSdk,
  configured: Value,
  priorObject: ValueMap | undefined,
): Value {
  const prior = priorObject?.[field.name];
  if (attribute.writeOnly === true) return null;
  if (configured === null)
    return planUnconfigured(
      attribute,
      sdk,
      priorObject === undefined ? undefined : (prior ?? null),
    );
  if (isUnknown(configured) || (sdk === 'sdkv2' && hasUnknownElement(field, configured)))
    return unknown;
  if (field.nested !== undefined) {
    const planned = planNested(field, sdk, configured, prior);
    return prior !== undefined && equalValues(planned, prior, field.type) ? prior : planned;
  }
  const normalized =
    typeof configured === 'string' && attribute.normalize !== undefined
      ? attribute.normalize(configured)
      : configured;
  if (prior === undefined || isUnknown(prior)) return normalized;
  if (prior === null) return sdk === 'sdkv2' && isEmpty(normalized) ? null : normalized;
  return areEquivalent(attribute, sdk, normalized, prior) ? prior : normalized;
}

/** A set with an unknown element: SDKv2 then knows none of its elements. */
function hasUnknownElement({ type, nested }: SchemaField, configured: Value): boolean {
  return (
    nested === undefined &&
    Array.isArray(type) &&
    type[0] === 'set' &&
    isList(configured) &&
    configured.some(isUnknown)
  );
}

/** A new element in a set of blocks: SDKv2 uses "", 0 or false for omitted values. */
function withEmptyValues(body: BlockSchema, element: ValueMap): ValueMap {
  const defaults = fieldsOf(body)
    .filter(
      ({ name, attribute }) =>
        attribute !== undefined && attribute.computed !== true && (element[name] ?? null) === null,
    )
    .flatMap(({ name, type }): [string, Value][] =>
      typeof type === 'string' && type in emptyValues ? [[name, emptyValues[type] as Value]] : [],
    );
  return { ...element, ...Object.fromEntries(defaults) };
}

const emptyValues: Readonly<Record<string, Value>> = { string: '', number: 0, bool: false };

/** An attribute that is not configured: its default, its present value, unknown, or null. */
function planUnconfigured(attribute: Attribute, sdk: ProviderSdk, prior: Value | undefined): Value {
  if (attribute.default !== undefined)
    return prior !== undefined &&
      prior !== null &&
      areEquivalent(attribute, sdk, attribute.default, prior)
      ? prior
      : attribute.default;
  if (attribute.computed === true) return prior === undefined ? unknown : prior;
  return sdk === 'sdkv2' && prior !== undefined && isEmpty(prior) ? prior : null;
}

/** Blocks and nested attributes, each element compared with the one at the same place. */
function planNested(
  field: SchemaField,
  sdk: ProviderSdk,
  configured: Value,
  prior: Value | undefined,
): Value {
  const { nested } = field;
  if (nested === undefined || configured === null || isUnknown(configured)) return configured;
  const { nesting, body } = nested;
  // Values that the service fills in are known after creation.
  if (field.filledByService && isList(configured) && configured.length === 0)
    return prior === undefined ? unknown : (prior ?? configured);
  const planned = elementsOf(configured, nesting, []).map(
    ({ value, key }): [string | number | undefined, Value] => {
      if (!isMap(value)) return [key, value];
      const priorElement =
        nesting === 'set'
          ? matchingElement(body, sdk, value, prior)
          : elementAt(prior, nesting, key);
      const element = planBody(body, sdk, value, isMap(priorElement) ? priorElement : undefined);
      const isNew =
        nesting === 'set' &&
        sdk === 'sdkv2' &&
        field.attribute === undefined &&
        !isMap(priorElement);
      return [key, isNew ? withEmptyValues(body, element) : element];
    },
  );
  if (nesting === 'single') return planned[0]?.[1] ?? null;
  return nesting === 'map'
    ? Object.fromEntries(planned.map(([key, value]) => [String(key), value]))
    : planned.map(([, value]) => value);
}

/** The paths whose planned change cannot be made in place. An unknown value counts as a change. */
function pathsThatReplace(
  body: BlockSchema,
  prior: Value | undefined,
  planned: Value,
  path: Path = [],
): Path[] {
  if (!isMap(planned)) return [];
  const priorFields = isMap(prior) ? prior : undefined;
  return fieldsOf(body).flatMap((field): Path[] => {
    const fieldPath = [...path, field.name];
    const [priorValue, plannedValue] = [
      priorFields?.[field.name] ?? null,
      planned[field.name] ?? null,
    ];
    if (equalValues(priorValue, plannedValue, field.type)) return [];
    const ownPaths = field.forceNew ? [fieldPath] : [];
    // Paths within a replacing block are omitted; those within an attribute are included.
    if (field.nested === undefined || (field.forceNew && field.attribute === undefined))
      return ownPaths;
    const { nesting, body: inner } = field.nested;
    if (nesting === 'set') return ownPaths.length > 0 || hasForceNew(inner) ? [fieldPath] : [];
    const nestedPaths = elementsOf(plannedValue, nesting, fieldPath).flatMap((element) =>
      pathsThatReplace(
        inner,
        elementAt(priorValue, nesting, element.key),
        element.value,
        element.path,
      ),
    );
    return [...ownPaths, ...nestedPaths];
  });
}

function hasForceNew(body: BlockSchema): boolean {
  return fieldsOf(body).some(
    (field) => field.forceNew || (field.nested !== undefined && hasForceNew(field.nested.body)),
  );
}

/** A plan under construction, which the handler of a resource type may correct. */
export class PlannedChange {
  readonly diagnostics: Diagnostic[] = [];
  readonly requiresReplace: Path[];

  constructor(
    readonly sdk: ProviderSdk,
    readonly config: ValueMap,
    /** The state before; undefined for a creation. */
    readonly prior: ValueMap | undefined,
    public planned: ValueMap,
    replace: readonly Path[],
    /** Whether an input that no state contains differs from that of the last apply. */
    readonly isUnstoredInputChanged = false,
  ) {
    this.requiresReplace = [...replace];
  }

  /** Plans another value for a top-level attribute. */
  set(name: string, value: Value): void {
    this.planned = { ...this.planned, [name]: value };
  }

  /** Marks a top-level attribute as known only after apply. */
  setUnknown(...names: string[]): void {
    for (const name of names) this.set(name, unknown);
  }

  /** Marks the change at a path as one that needs a new resource. */
  requireReplacement(...path: Path): void {
    if (this.prior !== undefined) this.requiresReplace.push(path);
  }

  /** Marks the change of a top-level attribute as possible in place after all. */
  updateInPlace(name: string): void {
    this.requiresReplace.splice(
      0,
      this.requiresReplace.length,
      ...this.requiresReplace.filter(([first]) => first !== name),
    );
  }

  /** Plans no change: the present values are equivalent to the configured ones. */
  cancel(): void {
    if (this.prior === undefined) return;
    this.planned = this.prior;
    this.requiresReplace.length = 0;
  }

  /** Adds an error at a path. */
  error(summary: string, detail: string | undefined, ...path: Path): void {
    this.diagnostics.push({
      severity: 'error',
      summary,
      path,
      ...omitUndefined({ detail }),
    });
  }

  /** Adds a warning at a path. */
  warn(summary: string, detail: string, ...path: Path): void {
    this.diagnostics.push({ severity: 'warning', summary, detail, path });
  }
}
