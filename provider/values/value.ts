/** A value that is only known after apply; one object for all types. */
export class Unknown {
  /** Distinguishes this class from any other object, for the compiler. */
  private readonly kind = 'unknown';

  private constructor() {}

  static readonly value = new Unknown();

  /** For logs and messages. */
  toString(): string {
    return `(${this.kind}: known after apply)`;
  }
}

/** The one unknown value. */
export const unknown = Unknown.value;

/** A number beyond JavaScript's precision, as decimal text. */
export class BigNumber {
  private readonly kind = 'number';

  constructor(readonly text: string) {}

  /** The closest JavaScript number. */
  toNumber(): number {
    return Number(this.text);
  }

  toString(): string {
    return this.text;
  }
}

/**
 * A value of an attribute of type `dynamic`: it has its own type, since lists, sets and tuples are
 * encoded in the same way.
 */
export class Dynamic {
  /** Distinguishes this class from a map with the same entries, for the compiler. */
  private readonly kind = 'dynamic';

  constructor(
    readonly type: TypeExpression,
    readonly value: Value,
  ) {}
}

/**
 * Any value of Terraform's type system. Lists, sets and tuples are arrays; maps and objects are
 * plain objects.
 */
export type Value =
  null | string | number | boolean | BigNumber | Unknown | Dynamic | readonly Value[] | ValueMap;

/** The attributes of an object, or the entries of a map. */
export interface ValueMap {
  readonly [name: string]: Value;
}

/** Whether a value is only known after apply. */
export function isUnknown(value: Value | undefined): value is Unknown {
  return value instanceof Unknown;
}

/** Whether a value is an object or a map. */
export function isMap(value: Value | undefined): value is ValueMap {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Unknown) &&
    !(value instanceof BigNumber) &&
    !(value instanceof Dynamic)
  );
}

/** Whether a value is a list, set or tuple. */
export function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** Whether a value and all of its parts are known. */
export function isWhollyKnown(value: Value): boolean {
  if (isUnknown(value)) return false;
  if (value instanceof Dynamic) return isWhollyKnown(value.value);
  if (isList(value)) return value.every(isWhollyKnown);
  if (isMap(value)) return Object.values(value).every(isWhollyKnown);
  return true;
}

/** The path to a value in a resource: attribute names, list indexes, map keys. */
export type Path = readonly PathStep[];

/**
 * A step of a path: the name of an attribute or block, the index in a list, or the key of a map.
 */
type PathStep = string | number | { readonly key: string };

/** The path in the protocol. Elements of a set have no address, so the path ends at the set. */
export function encodePath(path: Path): { steps: Record<string, string | number>[] } {
  return {
    steps: path.map((step): Record<string, string | number> => {
      if (typeof step === 'string') return { attributeName: step };
      return typeof step === 'number' ? { elementKeyInt: step } : { elementKeyString: step.key };
    }),
  };
}

/**
 * The path in messages: `definition["eventstream.json"].source`, `template[0].container[1].cpu`.
 */
export function formatPath(path: Path): string {
  return path
    .map((step, index) => {
      if (typeof step === 'string') return index === 0 ? step : `.${step}`;
      return typeof step === 'number' ? `[${step}]` : `["${step.key}"]`;
    })
    .join('');
}

/**
 * A type in Terraform's JSON type syntax: `"string"`, `["list","string"]`,
 * `["object",{"a":"string"}]`, `"dynamic"`.
 */
export type TypeExpression =
  | 'string'
  | 'number'
  | 'bool'
  | 'dynamic'
  | readonly ['list' | 'set' | 'map', TypeExpression]
  | readonly ['object', { readonly [name: string]: TypeExpression }]
  | readonly ['tuple', readonly TypeExpression[]];

/** The encoded type in a schema message. */
export function encodeType(type: TypeExpression): Buffer {
  return Buffer.from(JSON.stringify(type), 'utf8');
}

/** Decodes a type from a message. */
export function decodeType(bytes: Uint8Array): TypeExpression {
  return JSON.parse(Buffer.from(bytes).toString('utf8')) as TypeExpression;
}
