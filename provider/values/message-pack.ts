import { Decoder, Encoder, ExtData, ExtensionCodec } from '@msgpack/msgpack';
import { decodeNumber, encodeNumber } from './number.js';
import {
  decodeType,
  encodeType,
  type TypeExpression,
  BigNumber,
  Dynamic,
  isList,
  isMap,
  isUnknown,
  unknown,
  Unknown,
  type Value,
} from './value.js';

/**
 * Unknown is extension 0; extension 12 is an unknown with refinements, which can be answered by a
 * plain one.
 */
const unknownExtension = 0;
const refinedUnknownExtension = 12;

const codec = new ExtensionCodec();
for (const type of [unknownExtension, refinedUnknownExtension])
  codec.register({
    type,
    encode: (value) =>
      type === unknownExtension && value instanceof Unknown ? new Uint8Array([0]) : null,
    decode: () => unknown,
  });
const encoder = new Encoder({ extensionCodec: codec, useBigInt64: true });
const decoder = new Decoder({ extensionCodec: codec, useBigInt64: true });

/** Decodes a value of a type from MessagePack, as Terraform encodes it. */
export function decodeMessagePack(bytes: Uint8Array, type: TypeExpression): Value {
  return fromWire(decoder.decode(bytes), type);
}

/**
 * Encodes a value of a type as MessagePack. Missing attributes become null: every attribute must be
 * present.
 */
export function encodeMessagePack(value: Value, type: TypeExpression): Uint8Array {
  return encoder.encode(toWire(value, type));
}

function fromWire(wire: unknown, type: TypeExpression): Value {
  if (wire === null || wire === undefined) return null;
  if (wire instanceof Unknown) return unknown;
  if (wire instanceof ExtData)
    throw new TypeError(`MessagePack extension ${wire.type} is not known`);
  if (typeof type === 'string') return primitiveFromWire(wire, type);
  const [kind, innerTypes] = type;
  if (kind === 'object')
    return mapEntries(innerTypes, (name, each) =>
      fromWire((wire as Record<string, unknown>)[name], each),
    );
  if (kind === 'tuple')
    return innerTypes.map((each, index) => fromWire((wire as unknown[])[index], each));
  if (kind === 'map')
    return mapEntries(wire as Record<string, unknown>, (_, each) => fromWire(each, innerTypes));
  return (wire as unknown[]).map((each) => fromWire(each, innerTypes));
}

function primitiveFromWire(wire: unknown, type: 'string' | 'number' | 'bool' | 'dynamic'): Value {
  if (type === 'dynamic') {
    const [innerType, inner] = wire as [Uint8Array | string, unknown];
    const expression =
      typeof innerType === 'string'
        ? (JSON.parse(innerType) as TypeExpression)
        : decodeType(innerType);
    return new Dynamic(expression, fromWire(inner, expression));
  }
  if (type === 'number') return decodeNumber(wire as number | bigint | string);
  if (type === 'bool' ? typeof wire === 'boolean' : typeof wire === 'string')
    return wire as string | boolean;
  throw new TypeError(`expected a ${type}, got ${typeof wire}`);
}

function toWire(value: Value | undefined, type: TypeExpression): unknown {
  if (value === null || value === undefined) return null;
  if (isUnknown(value)) return unknown;
  if (type === 'dynamic') {
    if (!(value instanceof Dynamic))
      throw new TypeError('a value of type dynamic must carry its type');
    return [encodeType(value.type), toWire(value.value, value.type)];
  }
  if (value instanceof Dynamic) return toWire(value.value, type);
  if (type === 'number') {
    if (typeof value === 'number' || value instanceof BigNumber) return encodeNumber(value);
    throw new TypeError(`expected a number, got ${typeof value}`);
  }
  if (type === 'string' || type === 'bool') {
    if (type === 'bool' ? typeof value === 'boolean' : typeof value === 'string') return value;
    throw new TypeError(`expected a ${type}, got ${Array.isArray(value) ? 'list' : typeof value}`);
  }
  return collectionToWire(value, type);
}

function collectionToWire(value: Value, type: Exclude<TypeExpression, string>): unknown {
  const [kind, innerTypes] = type;
  if (kind === 'object' || kind === 'map') {
    if (!isMap(value)) throw new TypeError(`expected ${kind === 'map' ? 'a map' : 'an object'}`);
    if (kind === 'object') return mapEntries(innerTypes, (name, each) => toWire(value[name], each));
    return mapEntries(value, (_, each) => toWire(each, innerTypes));
  }
  if (!isList(value)) throw new TypeError(`expected a ${kind}`);
  return kind === 'tuple'
    ? innerTypes.map((each, index) => toWire(value[index], each))
    : value.map((each) => toWire(each, innerTypes));
}

function mapEntries<A, B>(
  from: Readonly<Record<string, A>>,
  change: (name: string, value: A) => B,
): Record<string, B> {
  return Object.fromEntries(
    Object.entries(from).map(([name, value]) => [name, change(name, value)]),
  );
}
