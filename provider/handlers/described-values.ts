import type { TProperties, TSchema } from '@sinclair/typebox';
import { isObject } from '../../core/values/is-object.js';
import { metadataOf } from '../../kinds/schema/property-metadata.js';
import type { Kind } from '../../kinds/schema/kind.js';
import {
  attributeName,
  type PropertyAttribute,
  attributesInResource,
  attributesInObject,
} from '../../kinds/schema/mapping.js';
import { valueAtPath, setAtPath } from '../../kinds/schema/path-steps.js';
import type { ActualValues } from '../planner/new-state.js';
import { BigNumber, type Value, type ValueMap } from '../values/value.js';
import { differsIn, propertyAsValue } from './read-values.js';

type DescribedKind = Pick<Kind, 'terraform' | 'schema'>;
type Body = Record<string, unknown>;

/**
 * Converts a planned resource to a request body. Omits properties with their own requests and unset
 * ones; with a prior state, omits unchanged properties and clears those that are no longer set.
 *
 * @param include properties to include although they have their own requests.
 */
export function expandProperties(
  kind: DescribedKind,
  type: string,
  planned: ValueMap,
  { prior, include = [] }: { readonly prior?: ValueMap; readonly include?: readonly string[] } = {},
): Body {
  const body: Body = {};
  for (const property of attributesInResource(kind, type)) {
    const {
      api = property.name,
      separateRequest,
      outsideMainStore,
      notInApi,
    } = metadataOf(property.schema);
    const hasOwnRequest =
      separateRequest === true || outsideMainStore === true || 'x-references' in property.schema;
    if (notInApi === true || (hasOwnRequest && !include.includes(property.name))) continue;
    if (prior !== undefined && !differsIn(prior, planned, String(property.attribute[0]))) continue;
    const value = bodyValue(
      property,
      valueAtPath(planned, property.attribute) as Value | undefined,
    );
    if (value !== undefined || prior !== undefined)
      setAtPath(body, api.split('.'), value ?? valueToClear(property.schema));
  }
  return body;
}

function valueToClear(schema: TSchema): boolean | null {
  return schema['type'] === 'boolean' ? false : null;
}

function bodyValue(
  { schema, format }: Pick<PropertyAttribute, 'schema' | 'format'>,
  value: Value | undefined,
): unknown {
  const apiValue = Object.entries(format.valueMap ?? {}).find(
    ([, terraformValue]) => terraformValue === value,
  );
  if (apiValue !== undefined) return apiValue[0];
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (value instanceof BigNumber) return value.toNumber();
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return listValue(schema, value as readonly Value[]);
  const { properties } = schema as { readonly properties?: TProperties };
  return isObject(value) && properties !== undefined ? objectValue(properties, value) : undefined;
}

function objectValue(properties: TProperties, value: Readonly<Record<string, unknown>>): Body {
  const body: Body = {};
  for (const property of attributesInObject({ properties })) {
    const innerValue = bodyValue(property, valueAtPath(value, property.attribute) as Value);
    if (innerValue !== undefined)
      body[metadataOf(property.schema).api ?? property.name] = innerValue;
  }
  return body;
}

function listValue(schema: TSchema, list: readonly Value[]): unknown {
  const { properties } = (schema['items'] ?? {}) as { readonly properties?: TProperties };
  const entries =
    properties === undefined
      ? [...list].map(String).sort()
      : list.map((entry) => entryValue(properties, entry));
  if (entries.length === 0) return undefined;
  const { separator } = metadataOf(schema);
  return separator === undefined ? entries : entries.join(separator);
}

function entryValue(properties: TProperties, entry: Value): unknown {
  const propertyName = singleValueProperty(properties);
  return propertyName === undefined
    ? objectValue(properties, entry as ValueMap)
    : { [propertyName]: entry };
}

/** The property that represents an entry. */
function singleValueProperty(properties: TProperties): string | undefined {
  return attributesInObject({ properties }).find(({ format }) => format.at === '.')?.name;
}

/**
 * Converts an answer of the API to attributes of a resource type: those that it returns where they
 * are declared. Providers built with SDKv2 use empty values for unset ones, the others null.
 */
export function flattenProperties(kind: DescribedKind, type: string, answer: object): ActualValues {
  const isSdkV2 = type.startsWith('azuread_');
  const isRead = ({ schema, attribute }: PropertyAttribute): boolean => {
    const { readAs, separateRequest, outsideMainStore, notInApi } = metadataOf(schema);
    return (
      attribute.length === 1 &&
      [readAs, separateRequest, outsideMainStore, notInApi].every((each) => each === undefined)
    );
  };
  const entries = attributesInResource(kind, type)
    .filter(isRead)
    .map(({ name, schema, attribute, format }) => {
      const path = (metadataOf(schema).api ?? name).split('.');
      const value = propertyAsValue(valueAtPath(answer, path.slice(0, -1)), String(path.at(-1)));
      return [
        String(attribute[0]),
        stateValue(schema, format, singleValues(schema, valueAtPath(answer, path)) ?? value) ??
          emptyValue(schema, isSdkV2),
      ];
    });
  return Object.fromEntries(entries) as ActualValues;
}

function stateValue(
  schema: TSchema,
  { valueMap }: PropertyAttribute['format'],
  value: Value,
): Value {
  if (typeof value !== 'string') return value;
  const { separator } = metadataOf(schema);
  if (separator !== undefined)
    return value === '' ? [] : value.split(separator).map((each) => each.trim());
  return (
    Object.entries(valueMap ?? {}).find(
      ([apiValue]) => apiValue.toLowerCase() === value.toLowerCase(),
    )?.[1] ?? value
  );
}

/** The values of a list of objects that a resource represents by a single value each. */
function singleValues(schema: TSchema, list: unknown): Value | undefined {
  const { properties } = (schema['items'] ?? {}) as { readonly properties?: TProperties };
  const propertyName = properties === undefined ? undefined : singleValueProperty(properties);
  return propertyName === undefined || !Array.isArray(list)
    ? undefined
    : list.map((entry: unknown) => propertyAsValue(entry, propertyName));
}

function emptyValue(schema: TSchema, isSdkV2: boolean): Value {
  const { type } = schema as { readonly type?: unknown };
  if (type === 'array') return [];
  return isSdkV2 && type === 'boolean' ? false : null;
}

/**
 * Properties that the API returns in another place than requests have them, by Terraform's names.
 */
export function flattenReturnedProperties(
  { schema }: Pick<Kind, 'schema'>,
  object: string,
  answer: object,
): ValueMap {
  return Object.fromEntries(
    Object.values(schema.properties).flatMap((property): [string, Value][] => {
      const [first, name] = (metadataOf(property).readAs ?? '').split('.');
      return first === object && name !== undefined
        ? [[attributeName(name), propertyAsValue(valueAtPath(answer, [object]), name)]]
        : [];
    }),
  );
}

/**
 * Properties that are declared in one place and returned in another: the attribute, and its
 * declared and its actual value.
 */
export function declaredAndActual(
  kind: DescribedKind,
  type: string,
  planned: ValueMap,
  prior: ValueMap | undefined,
): readonly { readonly attribute: string; readonly declared: Value; readonly actual: Value }[] {
  return attributesInResource(kind, type).flatMap(({ schema, attribute }) => {
    const { readAs } = metadataOf(schema);
    if (readAs?.includes('.') !== true) return [];
    const declared = (valueAtPath(planned, attribute) ?? schema.default ?? null) as Value;
    const actual = (valueAtPath(prior, readAs.split('.').map(attributeName)) ?? null) as Value;
    return [{ attribute: String(attribute[0]), declared, actual }];
  });
}
