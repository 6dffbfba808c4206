import { guidRegexSource } from '../../core/values/guid.js';
import {
  Array as ArraySchema,
  Boolean as BooleanSchema,
  Integer,
  Number as NumberSchema,
  Object as ObjectSchema,
  Optional,
  type SchemaOptions,
  type Static,
  String as StringSchema,
  type TArray,
  type TInteger,
  type TNumber,
  type TObject,
  type TOptional,
  type TProperties,
  type TSchema,
  type TString,
  type TUnsafe,
  Unsafe,
} from '@sinclair/typebox';
import { type PropertyMetadata, withMetadata } from './property-metadata.js';

/** A deeply read-only type: the form in which declarations are passed. */
export type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** The read-only static type of a schema: the props of the construct that the schema describes. */
export type DeclarationOf<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

/** The options that are limits, which the returned schema has as typed properties. */
type LimitsOf<Options> = { readonly [Name in keyof Options & Limit]: Options[Name] };
type Limit =
  | 'minLength'
  | 'maxLength'
  | 'pattern'
  | 'minimum'
  | 'maximum'
  | 'minItems'
  | 'maxItems'
  | 'default';

/** Properties, of which only the required ones must be present. */
export type WithRequired<Properties extends TProperties, Required extends keyof Properties> = {
  [Name in keyof Properties]: Name extends Required
    ? Properties[Name]
    : TOptional<Properties[Name]>;
};

/** An object without other properties; all are optional except those in `required`. */
export function closedObject<
  Properties extends TProperties,
  const Required extends keyof Properties = never,
>(
  properties: Properties,
  options: Omit<SchemaOptions, 'required'> &
    PropertyMetadata & { readonly required?: readonly Required[] } = {},
): TObject<WithRequired<Properties, Required>> {
  const { required = [], ...otherOptions } = options;
  return ObjectSchema(withRequired(properties, required), {
    additionalProperties: false,
    ...withMetadata(otherOptions),
  });
}

function withRequired<Properties extends TProperties, Required extends keyof Properties>(
  properties: Properties,
  required: readonly Required[],
): WithRequired<Properties, Required> {
  const requiredNames = new Set<PropertyKey>(required);
  const entries = Object.entries(properties).map(
    ([name, schema]) => [name, requiredNames.has(name) ? schema : Optional(schema)] as const,
  );
  return Object.fromEntries(entries) as WithRequired<Properties, Required>;
}

/** One of several allowed values. */
export function enumOf<const Words extends readonly (string | number)[]>(
  allowed: Words,
  options: {
    readonly description?: string;
    readonly default?: Words[number];
  } & PropertyMetadata = {},
): TUnsafe<Words[number]> & { readonly enum: Words } {
  const schema = {
    type: typeof allowed[0] === 'number' ? 'number' : 'string',
    enum: [...allowed],
    ...withMetadata(options),
  };
  return Unsafe<Words[number]>(schema) as TUnsafe<Words[number]> & { readonly enum: Words };
}

/**
 * A map from names that the author chooses to declarations, whose schema may be created on first
 * use; `namePattern` limits the names, and `patternDescription` says how.
 */
export function recordOf<Schema extends TSchema>(
  schema: Schema | (() => Schema),
  options: SchemaOptions & { readonly namePattern?: string } & PropertyMetadata = {},
): TUnsafe<Record<string, Static<Schema>>> {
  const { namePattern = declaredNamePattern, ...otherOptions } = options;
  return Unsafe<Record<string, Static<Schema>>>({
    type: 'object',
    patternProperties: {
      get [namePattern]() {
        return typeof schema === 'function' ? schema() : schema;
      },
    },
    additionalProperties: false,
    ...withMetadata(otherOptions),
  });
}

/** A list, with its limits. */
export function list<
  Schema extends TSchema,
  const Options extends {
    description: string;
    minItems?: number;
    maxItems?: number;
  } & PropertyMetadata,
>(schema: Schema, options: Options): TArray<Schema> & LimitsOf<Options> {
  return ArraySchema(schema, withMetadata(options)) as TArray<Schema> & LimitsOf<Options>;
}

/** The names of properties that every object has; the construct tree takes none of them. */
export const reservedNames = [
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
] as const;

/** The pattern of declaration names, which Terraform and the construct tree also accept. */
export const declaredNamePattern = `^(?!(?:${reservedNames.join('|')})$)[A-Za-z][A-Za-z0-9_-]{0,62}$`;

/** {@link declaredNamePattern} in words, for messages. */
export const declaredNameInWords =
  'it must begin with a letter, have only letters, digits, - and _, at most 63, and not be a built-in name like constructor';

/** A GUID, in either letter case. */
export const guidPattern = `^${guidRegexSource}$`;

/** A GUID. */
export function guid(description: string, metadata: PropertyMetadata = {}): TString {
  return StringSchema({
    pattern: guidPattern,
    description,
    ...withMetadata({
      patternDescription: 'the form of a GUID',
      referencesGeneratedId: true,
      ...metadata,
    }),
  });
}

/** Text for people or services. Its length is counted in characters, not code units. */
export function text<
  const Options extends {
    minLength?: number;
    maxLength?: number;
    pattern?: string;
  } & PropertyMetadata,
>(description: string, options: Options = {} as Options): TString & LimitsOf<Options> {
  const { minLength, maxLength, pattern, ...otherOptions } = options;
  return StringSchema({
    ...withMetadata({ minLength, maxLength, pattern }),
    description,
    ...withMetadata(otherOptions),
  } as object) as TString & LimitsOf<Options>;
}

/** A boolean. */
export function boolean(
  description: string,
  options: { default?: boolean } & PropertyMetadata = {},
) {
  return BooleanSchema({ description, ...withMetadata(options) });
}

/** An integer. */
export function integer<
  const Options extends { minimum?: number; maximum?: number; default?: number } & PropertyMetadata,
>(description: string, options: Options = {} as Options): TInteger & LimitsOf<Options> {
  const { minimum, maximum, default: defaultValue, ...otherOptions } = options;
  return Integer({
    ...withMetadata({ minimum, maximum, default: defaultValue }),
    description,
    ...withMetadata(otherOptions),
  } as object) as TInteger & LimitsOf<Options>;
}

/** A number, which may have a fraction. */
export function number<
  const Options extends { minimum?: number; maximum?: number; default?: number } & PropertyMetadata,
>(description: string, options: Options = {} as Options): TNumber & LimitsOf<Options> {
  return NumberSchema({ description, ...withMetadata(options) } as object) as TNumber &
    LimitsOf<Options>;
}

/** A date and time, in ISO 8601. */
export function dateTime(description: string, metadata: PropertyMetadata = {}): TString {
  return StringSchema({ format: 'date-time', description, ...withMetadata(metadata) });
}

/** An object whose content is not described. */
export function anyObject(description: string, metadata: PropertyMetadata = {}) {
  return Unsafe<object>({ type: 'object', description, ...withMetadata(metadata) });
}

/** A list of texts without limits. */
export function textList(description: string) {
  return list(text('An entry.'), { description });
}

/** A list of objects whose content is not described. */
export function objectList(description: string) {
  return list(anyObject('An entry.'), { description });
}

/** The name of another declaration of this stack, or the id of an existing object. */
export function reference(
  to: readonly ReferenceKind[],
  description: string,
  metadata: PropertyMetadata = {},
) {
  return StringSchema({
    minLength: 1,
    description,
    'x-references': [...to],
    ...withMetadata(metadata),
  });
}

/** The name of another declaration of this stack; ids are not accepted. */
export function nameReference(to: readonly ReferenceKind[], description: string) {
  return StringSchema({ minLength: 1, description, 'x-references': [...to], 'x-by-name': true });
}

/** The target of a reference: a section of the configuration. */
export type ReferenceKind =
  | 'principals'
  | 'groups'
  | 'registrations'
  | 'workspaces'
  | 'eventhouses'
  | 'eventstreams'
  | 'containerApps'
  | 'environments'
  | 'secrets';
