import type { TProperties, TSchema } from '@sinclair/typebox';
import { isObject } from '../../core/values/is-object.js';
import { metadataOf, pathOf, type Place } from './property-metadata.js';
import { setAtPath } from './path-steps.js';

/**
 * How to write declared texts and secrets into a body: for Terraform they are escaped and stored as
 * secrets of the app.
 */
export interface BodyWriter {
  /** The value in its written form. */
  literal<Data>(data: Data): Data;
  /** Stores a secret under a name, unless the reference names one already; returns the name. */
  addSecret(name: string, reference: string): string;
}

type Body = Record<string, unknown>;
type Values = Readonly<Record<string, unknown>>;

/**
 * The body of a declaration: every property at its place, null for undeclared ones, and a section
 * without values as null. If a body only omitted a setting, the service would seem to satisfy it
 * already, and the old setting would stay.
 */
export function writeBody(properties: TProperties, declared: Values, write: BodyWriter): Body {
  const body: Body = {};
  writeAll(properties, declared, { body, path: [], write });
  return prune(body) as Body;
}

interface Writing {
  readonly body: Body;
  /** The steps to a written value. */
  readonly path: readonly string[];
  readonly write: BodyWriter;
}

function writeAll(properties: TProperties, declared: Values, writing: Writing): void {
  for (const [name, schema] of Object.entries(properties)) {
    const { body, writeDefault, omitByDefault } = metadataOf(schema);
    const [place] = [body ?? []].flat() as readonly Place[];
    const inside = schema['properties'] as TProperties | undefined;
    const value =
      declared[name] ??
      (writeDefault === true
        ? inside === undefined
          ? (schema['default'] as unknown)
          : {}
        : undefined);
    const own = { ...writing, path: [...writing.path, name] };
    if (place === undefined && inside !== undefined)
      writeAll(inside, isObject(value) ? value : {}, own);
    if (place === undefined || isOther(place)) continue;
    if (value !== undefined)
      setAtPath(
        writing.body,
        stepsTo(place),
        inside === undefined ? valueOf(schema, place, value, own) : sectionOf(inside, value, own),
      );
    else if (omitByDefault !== true) setAtPath(writing.body, stepsTo(place), null);
    if (value !== undefined && typeof place !== 'string' && place.constants !== undefined)
      for (const [sibling, constant] of Object.entries(place.constants))
        setAtPath(writing.body, [...stepsTo(place).slice(0, -1), sibling], constant);
  }
}

function stepsTo(place: Place): readonly string[] {
  return pathOf(place).split('.');
}

/** Whether the place belongs to another property, of which this one sets only some words. */
function isOther(place: Place): boolean {
  return typeof place !== 'string' && place.ignoreOtherValues === true;
}

function sectionOf(properties: TProperties, declared: unknown, writing: Writing): Body {
  const body: Body = {};
  writeAll(properties, declared as Values, { ...writing, body });
  return body;
}

function valueOf(
  schema: TSchema,
  place: Place,
  value: unknown,
  { path, write, body }: Writing,
): unknown {
  if (schema['x-secret'] === true)
    return write.addSecret(metadataOf(schema).secretName ?? secretNameOf(path), value as string);
  const [entry] = Object.values(
    (schema['patternProperties'] ?? {}) as Readonly<Record<string, TSchema>>,
  );
  const inside = entry?.['properties'] as TProperties | undefined;
  if (inside !== undefined) {
    const entries = Object.entries(value as Values);
    return Object.fromEntries(
      entries.map(([name, each]) => [
        name,
        sectionOf(inside, each, { body, write, path: [...path, name] }),
      ]),
    );
  }
  const { valueMap = {} } = typeof place === 'string' ? {} : place;
  return write.literal(valueMap[String(value)] ?? value);
}

/** The name of an app's secret: parent and property, in lower case with hyphens. */
function secretNameOf(path: readonly string[]): string {
  const [of = '', property = ''] = path.slice(-2);
  const what = property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `${of.toLowerCase().replace(/[^a-z0-9]+/g, '-')}-${what}`;
}

/** The same with null for each section without anything. */
function prune(value: unknown): unknown {
  // what is known only at apply is an object of a class
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, prune(each)] as const);
  return entries.every(([, each]) => each === null) ? null : Object.fromEntries(entries);
}
