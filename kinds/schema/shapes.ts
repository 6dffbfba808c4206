import {
  Array as ArraySchema,
  Boolean as BooleanSchema,
  Integer,
  Object as ObjectSchema,
  String as StringSchema,
  Unsafe,
} from '@sinclair/typebox';
import type { SchemaOptions, Static, TObject, TProperties, TSchema, TUnsafe } from '@sinclair/typebox';

/** A type whose every level is read-only: how declarations are handed around. */
export type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** The read-only static type of a schema: the props of the construct that the schema describes. */
export type Declared<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

/** An object without other properties than these. */
export function closed<Properties extends TProperties>(properties: Properties, options: SchemaOptions = {}): TObject<Properties> {
  return ObjectSchema(properties, { additionalProperties: false, ...options });
}

/** One of a few words. */
export function words<const Words extends readonly (string | number)[]>(
  allowed: Words,
  options: SchemaOptions = {},
): TUnsafe<Words[number]> {
  return Unsafe<Words[number]>({ type: typeof allowed[0] === 'number' ? 'number' : 'string', enum: [...allowed], ...options });
}

/** A map from names that the author chooses to declarations. */
export function named<Schema extends TSchema>(
  schema: Schema,
  options: SchemaOptions & { readonly names?: string } = {},
): TUnsafe<Record<string, Static<Schema>>> {
  const { names = declaredName, ...rest } = options;
  return Unsafe<Record<string, Static<Schema>>>({
    type: 'object',
    patternProperties: { [names]: schema },
    additionalProperties: false,
    ...rest,
  });
}

/** A list, with its limits. */
export function list<Schema extends TSchema>(schema: Schema, options: { description: string; minItems?: number; maxItems?: number }) {
  return ArraySchema(schema, options);
}

/** How the author may name a declaration: what Terraform and the construct tree take as well. */
export const declaredName = '^[A-Za-z][A-Za-z0-9_-]{0,62}$';

/** A GUID, in either letter case. */
export const guidPattern = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

/** A GUID. */
export function guid(description: string) {
  return StringSchema({ pattern: guidPattern, description });
}

/** Text that a person reads or a service takes as it is. */
export function text(description: string, limits: { minLength?: number; maxLength?: number; pattern?: string } = {}) {
  const { minLength, maxLength, pattern } = limits;
  return StringSchema({
    ...(minLength === undefined ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(pattern === undefined ? {} : { pattern }),
    description,
  });
}

/** Yes or no. */
export function flag(description: string, options: { default?: boolean } = {}) {
  return BooleanSchema({ description, ...options });
}

/** A whole number. */
export function whole(description: string, limits: { minimum?: number; maximum?: number; default?: number } = {}) {
  return Integer({ ...limits, description });
}

/** The name of another declaration of this stack, or of what exists already. */
export function reference(to: readonly ReferenceKind[], description: string) {
  return StringSchema({ minLength: 1, description, 'x-references': [...to] });
}

/** What a reference may name: a section of the configuration. */
export type ReferenceKind =
  'principals' | 'groups' | 'registrations' | 'workspaces' | 'eventhouses' | 'eventstreams' | 'containerApps' | 'environments' | 'secrets';
