import fc from 'fast-check';
import { JsonElementSplitter } from '../../../../policies/sources/plan/json-elements.js';

/** Splits a text that comes in pieces of the given sizes, repeated. */
function split(text: string, sizes: readonly number[], keys: readonly string[]): { key: string; value: unknown }[] {
  const bytes = Buffer.from(text);
  const splitter = new JsonElementSplitter(new Set(keys));
  const found: { key: string; value: unknown }[] = [];
  for (let at = 0, piece = 0; at < bytes.length; piece++) {
    const size = sizes[piece % sizes.length] ?? 1;
    // a copy, as a stream reuses its buffers
    found.push(
      ...splitter
        .push(Buffer.from(bytes.subarray(at, at + size)))
        .map(({ key, bytes: each }) => ({ key, value: JSON.parse(Buffer.from(each).toString()) as unknown })),
    );
    at += size;
  }
  expect(splitter.complete).toBe(true);
  return found;
}

describe('splitting a JSON document into the elements of its arrays', () => {
  it('gives the objects of the wanted arrays, whatever the content and however it is cut', () => {
    const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 });
    fc.assert(
      fc.property(
        objects,
        objects,
        fc.jsonValue(),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(undefined, 2),
        (wanted, other, noise, sizes, indent) => {
          const text = JSON.stringify(
            { before: noise, resource_changes: wanted, 'resource_changes"': other, 'tricky\\': noise, other },
            null,
            indent,
          );
          expect(split(text, sizes, ['resource_changes'])).toEqual(
            wanted.map((value) => ({ key: 'resource_changes', value: JSON.parse(JSON.stringify(value)) as unknown })),
          );
        },
      ),
    );
  });

  it('does not take a key of the same name deeper down', () => {
    expect(split('{"prior":{"resource_changes":[{"a":1}]},"resource_changes":[{"b":2}]}', [7], ['resource_changes'])).toEqual([
      { key: 'resource_changes', value: { b: 2 } },
    ]);
  });

  it('says when the document ends too early', () => {
    const splitter = new JsonElementSplitter(new Set(['a']));
    splitter.push(Buffer.from('{"a":[{"b":'));
    expect(splitter.complete).toBe(false);
  });
});
