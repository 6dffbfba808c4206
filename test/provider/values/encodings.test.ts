import * as fc from 'fast-check';
import { decodeNumber, encodeNumber } from '../../../provider/values/number.js';
import { decodeMessagePack, encodeMessagePack } from '../../../provider/values/message-pack.js';
import { fromJson, fromStateJson, type Json, toJson } from '../../../provider/values/json.js';
import { equalValues } from '../../../provider/values/equality.js';
import {
  type TypeExpression,
  BigNumber,
  Dynamic,
  unknown,
  type Value,
} from '../../../provider/values/value.js';
import { runs } from '../../support/property-tests.js';

const anyJson = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.string(),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((each) => !Object.is(each, -0)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.string().filter((name) => name !== '__proto__'),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
})).value;

/** A value together with a type that it has. */
const anyTypedValue: fc.Arbitrary<{ type: TypeExpression; value: Value }> = fc.letrec<{
  typedValue: { type: TypeExpression; value: Value };
}>((tie) => ({
  typedValue: fc.oneof(
    { depthSize: 'small' },
    fc.string().map((value) => ({ type: 'string' as const, value })),
    fc.boolean().map((value) => ({ type: 'bool' as const, value })),
    fc.integer().map((value) => ({ type: 'number' as const, value })),
    fc
      .constantFrom<TypeExpression>('string', 'number', 'bool', ['list', 'string'])
      .map((type) => ({ type, value: null as Value })),
    fc
      .constantFrom<TypeExpression>('string', 'number', ['map', 'bool'], 'dynamic')
      .map((type) => ({ type, value: unknown as Value })),
    fc
      .array(fc.string(), { maxLength: 3 })
      .map((value) => ({ type: ['list', 'string'] as const, value })),
    fc
      .uniqueArray(fc.integer(), { maxLength: 3 })
      .map((value) => ({ type: ['set', 'number'] as const, value })),
    anyJson.map((value) => ({
      type: 'dynamic' as const,
      value: value === null ? null : fromJson(value),
    })),
    fc
      .dictionary(fc.stringMatching(/^[a-z]{1,5}$/), tie('typedValue'), { maxKeys: 3 })
      .map((entries) => ({
        type: [
          'object',
          Object.fromEntries(Object.entries(entries).map(([name, { type }]) => [name, type])),
        ] as const,
        value: Object.fromEntries(
          Object.entries(entries).map(([name, { value }]) => [name, value]),
        ),
      })),
  ),
})).typedValue;

describe('values on the wire', () => {
  test('are the same after encoding and decoding, whatever their type', () => {
    fc.assert(
      fc.property(anyTypedValue, ({ type, value }) =>
        equalValues(decodeMessagePack(encodeMessagePack(value, type), type), value, type),
      ),
      { numRuns: runs(500) },
    );
  });

  test('any JSON document survives as a dynamic value', () => {
    fc.assert(
      fc.property(anyJson, (document) => {
        const sent = document === null ? null : fromJson(document);
        const back = decodeMessagePack(encodeMessagePack(sent, 'dynamic'), 'dynamic');
        expect(toJson(back)).toEqual(document);
      }),
      { numRuns: runs(300) },
    );
  });

  test('an unknown value is extension 0, and a refined one is read as unknown', () => {
    expect([...encodeMessagePack(unknown, 'string')]).toEqual([0xd4, 0, 0]);
    expect(decodeMessagePack(new Uint8Array([0xc7, 3, 12, 0x81, 1, 0xc2]), 'string')).toBe(unknown);
  });

  test('an object is encoded with every attribute of its type', () => {
    const type = ['object', { a: 'string', b: ['list', 'string'] }] as const;
    expect(decodeMessagePack(encodeMessagePack({ a: 'x' }, type), type)).toEqual({
      a: 'x',
      b: null,
    });
  });

  test('a value that does not have the given type is refused', () => {
    for (const [value, type] of [
      [1, 'string'],
      ['x', 'number'],
      [{}, ['list', 'string']],
      [[], ['map', 'string']],
      ['x', 'dynamic'],
    ] as const)
      expect(() => encodeMessagePack(value as Value, type as TypeExpression)).toThrow(TypeError);
  });
});

describe('numbers on the wire', () => {
  test.each([
    [0.25, 0.25],
    [0.1, '0.1'],
    [4.25, 4.25],
    [1e-7, '0.0000001'],
    [-0, 0],
    [2 ** 53 - 1, 2 ** 53 - 1],
    [2 ** 60, '1152921504606846976'],
    [1.5e300, BigInt(1.5e300).toString()],
  ])('%p is sent as %p', (value, wire) => expect(encodeNumber(value)).toBe(wire));

  test('digits that JavaScript would lose are kept', () => {
    for (const text of [
      '12345678901234567890',
      '0.1000000000000000055511151231257827',
      '9007199254740993',
    ]) {
      const read = decodeNumber(text);
      expect(read).toBeInstanceOf(BigNumber);
      expect(String(encodeNumber(read))).toBe(text);
    }
    expect(decodeNumber(9007199254740993n)).toEqual(new BigNumber('9007199254740993'));
  });

  test('every float is decoded to the same number', () => {
    const finite = fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((each) => !Object.is(each, -0));
    fc.assert(
      fc.property(finite, (value) => Number(String(decodeNumber(encodeNumber(value)))) === value),
      { numRuns: runs(1000) },
    );
    fc.assert(
      fc.property(finite, (value) => Number(String(decodeNumber(value))) === value),
      { numRuns: runs(1000) },
    );
  });
});

describe('values in a state file', () => {
  test('attributes unknown to the type are dropped, missing ones are null', () => {
    const type = [
      'object',
      { a: 'string', b: 'number', c: ['set', 'bool'], d: 'dynamic' },
    ] as const;
    expect(
      fromStateJson({ a: 1, b: '2', z: true, d: { type: 'string', value: 'x' } }, type),
    ).toEqual({
      a: '1',
      b: 2,
      c: null,
      d: new Dynamic('string', 'x'),
    });
  });
});
