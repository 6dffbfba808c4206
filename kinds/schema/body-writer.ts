import type { TProperties, TSchema } from '@sinclair/typebox';
import { isObject } from '../../core/values/is-object.js';
import { mappedValue, metadataOf, pathOf, type Place } from './property-metadata.js';
import { setAtPath } from './path-steps.js';
import { secretNameOf } from './secret.js';

/**
 * How to write declared texts and secrets into a body: for Terraform they are escaped and stored as
 * secrets of the app.
 */
export interface BodyWriter {
  /** The declared value as it is written: escaped for Terraform, otherwise unchanged. */
  escapeValue<Data>(data: Data): Data;
  /** Stores a secret under a name, unless the reference names one already; returns the name. */
  addSecret(name: string, reference: string): string;
}

type Body = Record<string, unknown>;
type Values = Readonly<Record<string, unknown>>;

/**
 * The body of a declaration: every property at its place, with null for undeclared properties and
 * for sections without values. If the body omitted a removed setting, the provider would plan no
 * change, and the service would keep the setting.
 */
export function writeBody(properties: TProperties, declared: Values, writer: BodyWriter): Body {
  const body: Body = {};
  writeAll(properties, declared, { body, path: [], writer });
  return nullIfEmpty(body) as Body;
}

interface WriteContext {
  /** The object that places are relative to: the whole body, or a section of it. */
  readonly body: Body;
  /** The steps to a written value. */
  readonly path: readonly string[];
  readonly writer: BodyWriter;
}

function writeAll(properties: TProperties, declared: Values, context: WriteContext): void {
  for (const [name, schema] of Object.entries(properties)) {
    const { body, writeDefault, omitByDefault } = metadataOf(schema);
    const [place] = [body ?? []].flat() as readonly Place[]; // of several places, the first is written
    const children = schema['properties'] as TProperties | undefined;
    const defaultValue: unknown = children === undefined ? schema['default'] : {};
    const value = declared[name] ?? (writeDefault === true ? defaultValue : undefined);
    const innerContext = { ...context, path: [...context.path, name] };
    if (place === undefined && children !== undefined)
      writeAll(children, isObject(value) ? value : {}, innerContext);
    if (place === undefined || isPlaceOfOtherProperty(place)) continue;
    if (value !== undefined)
      setAtPath(
        context.body,
        stepsTo(place),
        children === undefined
          ? writtenValue(schema, place, value, innerContext)
          : writtenSection(children, value, innerContext),
      );
    else if (omitByDefault !== true) setAtPath(context.body, stepsTo(place), null);
    if (value !== undefined && typeof place !== 'string' && place.constants !== undefined)
      for (const [sibling, constant] of Object.entries(place.constants))
        setAtPath(context.body, [...stepsTo(place).slice(0, -1), sibling], constant);
  }
}

function stepsTo(place: Place): readonly string[] {
  return pathOf(place).split('.');
}

/** Whether another property writes the place, and this one only reads some of its values. */
function isPlaceOfOtherProperty(place: Place): boolean {
  return typeof place !== 'string' && place.ignoreOtherValues === true;
}

function writtenSection(properties: TProperties, declared: unknown, context: WriteContext): Body {
  const body: Body = {};
  writeAll(properties, declared as Values, { ...context, body });
  return body;
}

function writtenValue(
  schema: TSchema,
  place: Place,
  value: unknown,
  { path, writer, body }: WriteContext,
): unknown {
  if (schema['x-secret'] === true)
    return writer.addSecret(secretNameOf(schema, path), value as string);
  const [entry] = Object.values(
    (schema['patternProperties'] ?? {}) as Readonly<Record<string, TSchema>>,
  );
  const entryProperties = entry?.['properties'] as TProperties | undefined;
  if (entryProperties !== undefined) {
    const entries = Object.entries(value as Values);
    return Object.fromEntries(
      entries.map(([name, each]) => [
        name,
        writtenSection(entryProperties, each, { body, writer, path: [...path, name] }),
      ]),
    );
  }
  return writer.escapeValue(mappedValue(typeof place === 'string' ? {} : place, value) ?? value);
}

/** A body in which each section without a value is null. */
function nullIfEmpty(value: unknown): unknown {
  // a token is an instance of a class
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, nullIfEmpty(each)] as const);
  return entries.every(([, each]) => each === null) ? null : Object.fromEntries(entries);
}
