import type { TProperties, TSchema } from '@sinclair/typebox';
import { isObject } from '../../core/values/is-object.js';
import {
  metadataOf,
  pathOf,
  type Place,
  type PlaceFormat,
} from '../../kinds/schema/property-metadata.js';
import { valueAtPath, setAtPath } from '../../kinds/schema/path-steps.js';
import { BigNumber, isMap, isUnknown, type Value, type ValueMap } from '../values/value.js';
import { blocks, valueIfSet, objects, type Raw, textMap, texts } from './read-values.js';

/** How an attribute or block of a resource is sent, and read from an answer. */
export interface Field {
  /** Its path in bodies: `configuration.activeRevisionsMode`. */
  readonly at: string;
  /** The value to send if it is unset. @default omitted */
  readonly unset?: unknown;
  /** The value in the state if the answer has none. @default null; for a block, no element */
  readonly absent?: Value;
  /** Converts a set value to the sent one; undefined omits it. */
  readonly toBody?: (value: unknown) => unknown;
  /** Converts an answered value to the state's. */
  readonly toState?: (value: Value) => Value;
  /** Converts an answer of any shape, such as a list of objects, to the state's value. */
  readonly read?: (answer: unknown) => Value;
  /** Only the service sets it. */
  readonly readOnly?: true;
  /** It is only sent: no answer has it, and the state keeps it. */
  readonly sentOnly?: true;
  /** The fields of the block: a list of objects, or one object. */
  readonly fields?: Fields;
  readonly single?: true;
  /**
   * Conversions of a block's element beyond its fields: the sent values by path, and the state's
   * values.
   */
  readonly more?: {
    readonly expand: (block: ValueMap) => Raw;
    readonly flatten?: (answer: Raw) => ValueMap;
  };
}

/** The fields of a resource or block, by attribute; a path alone is sent and read unchanged. */
export type Fields = Readonly<Record<string, Field | string>>;

function entriesOf(fields: Fields): readonly (readonly [string, Field])[] {
  return Object.entries(fields).map(([attribute, field]) => [
    attribute,
    typeof field === 'string' ? { at: field } : field,
  ]);
}

/** The body of a request with the planned values. */
export function expandFields(
  fields: Fields,
  planned: ValueMap | undefined,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [attribute, field] of entriesOf(fields)) {
    if (field.readOnly === true) continue;
    const value =
      field.fields === undefined
        ? sentValue(planned, attribute, field)
        : sentBlocks(planned, attribute, field, field.fields);
    const sent = value ?? field.unset;
    if (sent !== undefined) putValue(body, field.at.split('.'), sent);
  }
  return body;
}

/** Puts a value; flags that are words of one list add their words to it. */
function putValue(body: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const present = Array.isArray(value) ? valueAtPath(body, path) : undefined;
  setAtPath(body, path, Array.isArray(present) ? [...present, ...(value as unknown[])] : value);
}

function sentBlocks(
  planned: ValueMap | undefined,
  attribute: string,
  { single, more }: Field,
  fields: Fields,
): unknown {
  const elements = blocks(planned, attribute).map((block) => {
    const element = expandFields(fields, block);
    for (const [path, value] of Object.entries(more?.expand(block) ?? {}))
      setAtPath(element, path.split('.'), value);
    return element;
  });
  // two of a block that is allowed once are ignored, as in the official provider
  if (single === true) return elements.length === 1 ? elements[0] : undefined;
  return elements.length === 0 ? undefined : elements;
}

function sentValue(planned: ValueMap | undefined, attribute: string, { toBody }: Field): unknown {
  const value = plainValue(planned, attribute, planned?.[attribute] ?? null);
  return value === undefined || toBody === undefined ? value : toBody(value);
}

function plainValue(planned: ValueMap | undefined, attribute: string, value: Value): unknown {
  if (value === null || value === '' || isUnknown(value)) return undefined;
  if (value instanceof BigNumber) return value.toNumber();
  if (isMap(value)) return textMap(planned, attribute);
  if (!Array.isArray(value)) return value;
  return value.length === 0 ? undefined : texts(planned, attribute);
}

/** Converts an answer to attributes and blocks. */
export function flattenFields(fields: Fields, answer: unknown): Record<string, Value> {
  return Object.fromEntries(
    entriesOf(fields)
      .filter(([, { sentOnly }]) => sentOnly !== true)
      .map(([attribute, field]) => [attribute, toShownValue(field, answer)]),
  );
}

function toShownValue(
  { at: path, fields, single, more, toState, read, absent = null }: Field,
  answer: unknown,
): Value {
  const steps = path.split('.');
  const [holder, name] = [valueAtPath(answer, steps.slice(0, -1)), String(steps.at(-1))];
  const one = valueAtPath(answer, steps);
  if (read !== undefined) return (one ?? null) === null ? absent : read(one);
  if (fields === undefined) {
    const value = isObject(one) ? mapOf(one) : valueIfSet(holder, name);
    return value === null ? absent : (toState?.(value) ?? value);
  }
  const elements = single === true ? [one].filter(isObject) : objects(holder, name);
  return elements.map((each) => ({ ...flattenFields(fields, each), ...more?.flatten?.(each) }));
}

function mapOf(entries: Raw): ValueMap {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, String(value)]));
}

/**
 * The base paths of the fields in a description, in Terraform and in bodies: `template.0.` and
 * `template.`.
 */
export interface Below {
  readonly terraform: string;
  readonly body: string;
}

/**
 * The fields of a description: the places of each property in Terraform and in bodies. Flags are
 * false if unset, lists are empty, and other properties have their default.
 *
 * @param own additions to the description's fields by attribute, and more fields.
 */
export function describedFields(
  properties: TProperties,
  own: Readonly<Record<string, Partial<Field> | string>> = {},
  below: Below = { terraform: '', body: '' },
): Fields {
  const fields: Record<string, Field | string> = Object.fromEntries(fieldsAmong(properties, below));
  for (const [attribute, more] of Object.entries(own))
    fields[attribute] =
      typeof more === 'string' ? more : { ...(fields[attribute] as Field), ...more };
  return fields;
}

interface Described extends TSchema {
  readonly type?: string;
  readonly items?: { readonly properties?: TProperties };
  readonly properties?: TProperties;
}

function fieldsAmong(properties: TProperties, below: Below): (readonly [string, Field])[] {
  return Object.values(properties).flatMap((schema: Described) => {
    const { terraform, body } = metadataOf(schema);
    if (terraform === undefined && schema.properties !== undefined)
      return fieldsAmong(schema.properties, below);
    if (terraform === undefined || body === undefined || Array.isArray(body)) return [];
    const [place, bodyPlace] = [terraform as Place, body as Place];
    const [path, bodyPath] = [place, bodyPlace].map((each) => pathOf(each).replace('*', '0')) as [
      string,
      string,
    ];
    if (!path.startsWith(below.terraform) || !bodyPath.startsWith(below.body)) return [];
    const [attribute = '', ...deeper] = path.slice(below.terraform.length).split('.');
    if (deeper.length > 1 || (deeper.length === 1 && deeper[0] !== '0')) return [];
    return [
      [
        attribute,
        {
          at: bodyPath.slice(below.body.length),
          ...fieldOf(schema, spellingOf(place), spellingOf(bodyPlace)),
        },
      ] as const,
    ];
  });
}

function spellingOf(place: Place): Partial<PlaceFormat> {
  return typeof place === 'string' ? {} : place;
}

function fieldOf(
  { type, items, properties, default: initial }: Described,
  ours: Partial<PlaceFormat>,
  theirs: Partial<PlaceFormat>,
): Omit<Field, 'at'> {
  if (properties !== undefined) return { fields: describedFields(properties), single: true };
  if (ours.list !== undefined && theirs.list !== undefined)
    return { unset: [], fields: membersOf(ours.list, theirs.list) };
  if (type === 'array')
    return {
      unset: [],
      ...(items?.properties !== undefined && { fields: describedFields(items.properties) }),
    };
  if (type === 'boolean') return { unset: false, absent: false };
  const { after } = theirs;
  if (after !== undefined)
    return { toState: (value) => String(value).split(after).slice(1).join(after) || value };
  if (initial === undefined) return {};
  const word = (ours.valueMap?.[String(initial)] ?? initial) as Value;
  return { unset: word, absent: word };
}

/** The members of a map's entries: Terraform has empty values, too. */
function membersOf(
  ours: NonNullable<PlaceFormat['list']>,
  theirs: NonNullable<PlaceFormat['list']>,
): Fields {
  const names = [ours.name, ours.value, ours.secret];
  const theirNames = [theirs.name, theirs.value, theirs.secret];
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const theirName = theirNames[index];
      return name === undefined || theirName === undefined ? [] : [[name, theirName]];
    }),
  );
}
