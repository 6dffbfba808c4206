import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };
const character = fc
  .integer({ min: 0, max: 0x10_ffff - surrogates.count })
  .map((index) =>
    String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
  );

/** Texts of any characters; those of fast-check's unit `binary` list all million of them first. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.array(character).map((characters) => characters.join('')),
  fc.string(),
);
