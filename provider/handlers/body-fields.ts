import type { TProperties, TSchema } from '@sinclair/typebox';
import { isObject } from '../../core/values/is-object.js';
import {
  metadataOf,
  pathOf,
  type Place,
  type FormattedPlace,
} from '../../kinds/schema/property-metadata.js';
import { valueAtPath, setAtPath } from '../../kinds/schema/path-steps.js';
import { BigNumber, isMap, isUnknown, type Value, type ValueMap } from '../values/value.js';
import {
  blocks,
  propertyAsValue,
  objectListProperty,
  type RawObject,
  textMap,
  textList,
} from './read-values.js';

/**
 * How an attribute or block of a resource is sent in a request's body (expanded), and read from an
 * answer into the state (flattened).
 */
export interface BodyField {
  /** Its path in bodies: `configuration.activeRevisionsMode`. */
  readonly bodyPath: string;
  /** The value to send if the attribute is not set. @default omitted */
  readonly sentDefault?: unknown;
  /** The value in the state if the answer has none. @default null; for a block, no element */
  readonly stateDefault?: Value;
  /** Converts a set value to the sent one; undefined omits it. */
  readonly toBody?: (value: unknown) => unknown;
  /** Converts an answered value to the state's. */
  readonly toState?: (value: Value) => Value;
  /** Converts an answer of any shape, such as a list of objects, to the state's value. */
  readonly rawToState?: (answer: unknown) => Value;
  /** It is never sent from here: only the service sets it, or extra conversions send it. */
  readonly readOnly?: true;
  /** It is only sent: no answer has it, and the state keeps it. */
  readonly sentOnly?: true;
  /** The fields of the block: a list of objects, or one object. */
  readonly fields?: BodyFields;
  /** In bodies the block is one object, not a list of them. */
  readonly isSingleObject?: true;
  /**
   * Conversions of a block's element beyond its fields: the sent values by path, and the state's
   * values.
   */
  readonly extraConversions?: {
    /** The sent values of an element, by their paths in it. */
    readonly expand: (block: ValueMap) => RawObject;
    /** The values of an element in the state. @default none */
    readonly flatten?: (answer: RawObject) => ValueMap;
  };
}

/** The fields of a resource or block, by attribute; a path alone is sent and read unchanged. */
export type BodyFields = Readonly<Record<string, BodyField | string>>;

function fieldEntries(fields: BodyFields): readonly (readonly [string, BodyField])[] {
  return Object.entries(fields).map(([attribute, field]) => [
    attribute,
    typeof field === 'string' ? { bodyPath: field } : field,
  ]);
}

/** The body of a request with the planned values. */
export function expandFields(
  fields: BodyFields,
  planned: ValueMap | undefined,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [attribute, field] of fieldEntries(fields)) {
    if (field.readOnly === true) continue;
    const value =
      field.fields === undefined
        ? bodyValue(planned, attribute, field)
        : bodyBlocks(planned, attribute, field, field.fields);
    const valueToSend = value ?? field.sentDefault;
    if (valueToSend !== undefined) putValue(body, field.bodyPath.split('.'), valueToSend);
  }
  return body;
}

/** Puts a value; several attributes may have one path, to whose list each adds its words. */
function putValue(body: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const existing = Array.isArray(value) ? valueAtPath(body, path) : undefined;
  setAtPath(body, path, Array.isArray(existing) ? [...existing, ...(value as unknown[])] : value);
}

function bodyBlocks(
  planned: ValueMap | undefined,
  attribute: string,
  { isSingleObject, extraConversions }: BodyField,
  fields: BodyFields,
): unknown {
  const elements = blocks(planned, attribute).map((block) => {
    const element = expandFields(fields, block);
    for (const [path, value] of Object.entries(extraConversions?.expand(block) ?? {}))
      setAtPath(element, path.split('.'), value);
    return element;
  });
  // two of a block that may occur once are ignored, as by the official provider
  if (isSingleObject === true) return elements.length === 1 ? elements[0] : undefined;
  return elements.length === 0 ? undefined : elements;
}

function bodyValue(
  planned: ValueMap | undefined,
  attribute: string,
  { toBody }: BodyField,
): unknown {
  const value = plainValue(planned, attribute, planned?.[attribute] ?? null);
  return value === undefined || toBody === undefined ? value : toBody(value);
}

function plainValue(planned: ValueMap | undefined, attribute: string, value: Value): unknown {
  if (value === null || value === '' || isUnknown(value)) return undefined;
  if (value instanceof BigNumber) return value.toNumber();
  if (isMap(value)) return textMap(planned, attribute);
  if (!Array.isArray(value)) return value;
  return value.length === 0 ? undefined : textList(planned, attribute);
}

/** Converts an answer to attributes and blocks. */
export function flattenFields(fields: BodyFields, answer: unknown): Record<string, Value> {
  return Object.fromEntries(
    fieldEntries(fields)
      .filter(([, { sentOnly }]) => sentOnly !== true)
      .map(([attribute, field]) => [attribute, stateValue(field, answer)]),
  );
}

function stateValue(
  {
    bodyPath: path,
    fields,
    isSingleObject,
    extraConversions,
    toState,
    rawToState,
    stateDefault = null,
  }: BodyField,
  answer: unknown,
): Value {
  const steps = path.split('.');
  const [parent, name] = [valueAtPath(answer, steps.slice(0, -1)), String(steps.at(-1))];
  const answerValue = valueAtPath(answer, steps);
  if (rawToState !== undefined)
    return (answerValue ?? null) === null ? stateDefault : rawToState(answerValue);
  if (fields === undefined) {
    const value = isObject(answerValue) ? textEntries(answerValue) : propertyAsValue(parent, name);
    return value === null ? stateDefault : (toState?.(value) ?? value);
  }
  const elements =
    isSingleObject === true ? [answerValue].filter(isObject) : objectListProperty(parent, name);
  return elements.map((each) => ({
    ...flattenFields(fields, each),
    ...extraConversions?.flatten?.(each),
  }));
}

function textEntries(entries: RawObject): ValueMap {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, String(value)]));
}

/**
 * The base paths of the fields in a description, in Terraform and in bodies: `template.0.` and
 * `template.`.
 */
export interface BasePaths {
  readonly terraform: string;
  readonly body: string;
}

/**
 * The fields of a description: the places of each property in Terraform and in bodies. Flags are
 * false if unset, lists are empty, and other properties have their default.
 *
 * @param overrides additions to the description's fields by attribute, and more fields.
 */
export function describedFields(
  properties: TProperties,
  overrides: Readonly<Record<string, Partial<BodyField> | string>> = {},
  base: BasePaths = { terraform: '', body: '' },
): BodyFields {
  const fields: Record<string, BodyField | string> = Object.fromEntries(
    describedEntries(properties, base),
  );
  for (const [attribute, override] of Object.entries(overrides))
    fields[attribute] =
      typeof override === 'string'
        ? override
        : { ...(fields[attribute] as BodyField), ...override };
  return fields;
}

interface PropertySchema extends TSchema {
  readonly type?: string;
  readonly items?: { readonly properties?: TProperties };
  readonly properties?: TProperties;
}

function describedEntries(
  properties: TProperties,
  base: BasePaths,
): (readonly [string, BodyField])[] {
  return Object.values(properties).flatMap((schema: PropertySchema) => {
    const { terraform, body } = metadataOf(schema);
    if (terraform === undefined && schema.properties !== undefined)
      return describedEntries(schema.properties, base);
    if (terraform === undefined || body === undefined || Array.isArray(body)) return [];
    const [place, bodyPlace] = [terraform as Place, body as Place];
    const [path, bodyPath] = [place, bodyPlace].map((each) => pathOf(each).replace('*', '0')) as [
      string,
      string,
    ];
    if (!path.startsWith(base.terraform) || !bodyPath.startsWith(base.body)) return [];
    const [attribute = '', ...deeper] = path.slice(base.terraform.length).split('.');
    if (deeper.length > 1 || (deeper.length === 1 && deeper[0] !== '0')) return [];
    return [
      [
        attribute,
        {
          bodyPath: bodyPath.slice(base.body.length),
          ...describedField(schema, formatOf(place), formatOf(bodyPlace)),
        },
      ] as const,
    ];
  });
}

function formatOf(place: Place): Partial<FormattedPlace> {
  return typeof place === 'string' ? {} : place;
}

function describedField(
  { type, items, properties, default: defaultValue }: PropertySchema,
  terraformFormat: Partial<FormattedPlace>,
  bodyFormat: Partial<FormattedPlace>,
): Omit<BodyField, 'bodyPath'> {
  if (properties !== undefined)
    return { fields: describedFields(properties), isSingleObject: true };
  if (terraformFormat.list !== undefined && bodyFormat.list !== undefined)
    return { sentDefault: [], fields: entryFields(terraformFormat.list, bodyFormat.list) };
  if (type === 'array')
    return {
      sentDefault: [],
      ...(items?.properties !== undefined && { fields: describedFields(items.properties) }),
    };
  if (type === 'boolean') return { sentDefault: false, stateDefault: false };
  const { after } = bodyFormat;
  if (after !== undefined)
    return { toState: (value) => String(value).split(after).slice(1).join(after) || value };
  if (defaultValue === undefined) return {};
  const defaultInTerraform = (terraformFormat.valueMap?.[String(defaultValue)] ??
    defaultValue) as Value;
  return { sentDefault: defaultInTerraform, stateDefault: defaultInTerraform };
}

/** The members of a map's entries: Terraform has empty values, too. */
function entryFields(
  terraformFormat: NonNullable<FormattedPlace['list']>,
  bodyFormat: NonNullable<FormattedPlace['list']>,
): BodyFields {
  const names = [terraformFormat.name, terraformFormat.value, terraformFormat.secret];
  const bodyNames = [bodyFormat.name, bodyFormat.value, bodyFormat.secret];
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const bodyName = bodyNames[index];
      return name === undefined || bodyName === undefined ? [] : [[name, bodyName]];
    }),
  );
}
