import fc from 'fast-check';
import {
  JsonElementSplitter,
  type JsonPlace,
} from '../../../../policies/sources/json/json-elements.js';

const wanted: JsonPlace = { keys: { resource_changes: { items: { element: true } } } };

/** Splits a text that comes in pieces of the given sizes, repeated. */
function split(
  text: string,
  sizes: readonly number[],
  places = wanted,
): { found: unknown[]; header: ReadonlyMap<string, string> } {
  const bytes = Buffer.from(text);
  const splitter = new JsonElementSplitter(places);
  const found: unknown[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    const piece = Buffer.from(bytes.subarray(at, at + size));
    for (const { bytes: each } of splitter.push(piece))
      found.push(...(JSON.parse(`[${Buffer.from(each).toString()}]`) as unknown[]));
    // what reads the file reads the next piece into the same memory
    piece.fill('"');
    at += size;
  }
  expect(splitter.complete).toBe(true);
  return { found, header: splitter.header };
}

describe('splitting a JSON document into the elements of its arrays', () => {
  it('returns the objects of the wanted arrays, whatever the content and however it is split into chunks', () => {
    const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 });
    fc.assert(
      fc.property(
        objects,
        objects,
        fc.jsonValue(),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(undefined, 2),
        (changes, other, noise, sizes, indent) => {
          const text = JSON.stringify(
            {
              before: noise,
              resource_changes: changes,
              'resource_changes"': other,
              'tricky\\': noise,
              other,
            },
            null,
            indent,
          );
          expect(split(text, sizes).found).toEqual(JSON.parse(JSON.stringify(changes)));
        },
      ),
    );
  });

  it('ignores a key of the same name deeper down', () => {
    expect(
      split('{"prior":{"resource_changes":[{"a":1}]},"resource_changes":[{"b":2}]}', [7]).found,
    ).toEqual([{ b: 2 }]);
  });

  it('returns the plain values of the top level, and the type of the others', () => {
    const text =
      '{"format_version": "1.2", "errored":false,"values":{"errored":true},"resource_changes" : [ ], "n": 4}';
    for (const size of [1, 3, 100])
      expect([...split(text, [size]).header]).toEqual([
        ['format_version', '1.2'],
        ['errored', 'false'],
        ['values', '{'],
        ['resource_changes', '['],
        ['n', '4'],
      ]);
  });

  it('follows places of any depth', () => {
    const module: Record<string, JsonPlace> = { resources: { items: { element: true } } };
    module['child_modules'] = { items: { keys: module } };
    const text =
      '{"a":{"resources":[{"n":1},[{"n":0}],{"resources":[{"n":0}]}],"child_modules":[{"child_modules":[{"resources":[{"n":3}]}]}]}}';
    expect(split(text, [5], { keys: { a: { keys: module } } }).found).toEqual([
      { n: 1 },
      { resources: [{ n: 0 }] },
      { n: 3 },
    ]);
  });

  it('returns the open keys that lead to the elements, lists and objects', () => {
    const module: Record<string, JsonPlace> = {
      resources: { items: { element: true } },
      outputs: { each: { element: true } },
    };
    module['calls'] = { each: { keys: { module: { keys: module } } } };
    const root = {
      resources: [{ n: 1 }, { n: 2 }],
      calls: {
        a: {
          module: {
            resources: [{ n: 3 }],
            calls: { b: { module: { resources: [{ n: 4 }], outputs: { o: { n: 5 } } } } },
          },
        },
      },
    };
    for (const size of [1, 9, 1000]) {
      const splitter = new JsonElementSplitter({ keys: { root: { keys: module } } });
      const bytes = Buffer.from(JSON.stringify({ root }));
      const found: string[] = [];
      for (let at = 0; at < bytes.length; at += size)
        for (const { bytes: own, start, keys } of splitter.push(bytes.subarray(at, at + size))) {
          expect(bytes.subarray(start, start + own.length)).toEqual(Buffer.from(own));
          for (const each of JSON.parse(`[${Buffer.from(own).toString()}]`) as { n: number }[])
            found.push(`${each.n} ${keys.join('.')}`);
        }
      expect(found).toEqual(['1 ', '2 ', '3 a', '4 a.b', '5 a.b.o']);
    }
  });

  it.each([
    ['[1]', 'it is no object'],
    ['"a"', 'it is no object'],
    ['null', 'it is no object'],
    ['{}{}', 'there is more after the end of its JSON'],
    ['{"a":1} x', 'there is more after the end of its JSON'],
    ['{"resource_changes":[}', 'its brackets do not match'],
    [`{"a":${'['.repeat(600)}`, 'nested more than 500 levels deep'],
  ])('refuses %s', (text, message) => {
    expect(() => new JsonElementSplitter(wanted).push(Buffer.from(text))).toThrow(message);
  });

  it('reports when the document ends too early', () => {
    const splitter = new JsonElementSplitter({ keys: { a: { items: { element: true } } } });
    splitter.push(Buffer.from('{"a":[{"b":'));
    expect(splitter.complete).toBe(false);
  });
});
