import fc from 'fast-check';
import { BodyLayouts } from '../../../../services/directory/kernel/body-layout.js';
import { valueEnd } from '../../../../services/directory/kernel/json-text.js';
import { runs } from '../../../support/property-tests.js';

const rules = {
  properties: [
    { name: 'a', absent: 'null' },
    { name: 'b', absent: '[]' },
    { name: 'c', absent: 'false' },
  ],
  known: new Set(['a', 'b', 'c', 'hidden']),
  open: true,
};

describe('the end of a value', () => {
  it('is where the next one begins, whatever the value holds', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 1 }), (value, next) => {
        const text = JSON.stringify(value);
        expect(valueEnd(`{"x":${text},"y":${JSON.stringify(next)}}`, 5)).toBe(5 + text.length);
        expect(valueEnd(`{"x":${text}}`, 5)).toBe(5 + text.length);
      }),
      { numRuns: runs(1000) },
    );
  });

  it.each(['"never closed', '"ends in \\"', '[1,[2]', '{"x":"}', '12'])('is the end of a text that breaks off: %s', (text) => {
    expect(valueEnd(text, 0)).toBe(text.length);
  });
});

describe('a body', () => {
  const layouts = new BodyLayouts(rules);

  it.each([
    ['{}', '{"id":"1","a":null,"b":[],"c":false}'],
    ['{"c":true,"a":"x"}', '{"id":"1","a":"x","b":[],"c":true}'],
    ['{"b":null,"hidden":"y","a":null}', '{"id":"1","a":null,"b":[],"c":false}'],
    ['{"more":null,"a":"\\"},{","other":{"b":[1]}}', '{"id":"1","a":"\\"},{","b":[],"c":false,"more":null,"other":{"b":[1]}}'],
    ['{"a":"x"}', '{"id":"1","a":"x","b":[],"c":false}'],
  ])('is written in the order of an answer: %s', (body, expected) => {
    expect(layouts.write('{"id":"1"', body)).toBe(expected);
  });

  it.each(['{"a\\"":1}', '{ "a": 1 }', '{"a":1 }', '{"a":', '{"a":1}}', 'null'])('is left alone when it is unusual: %s', (body) => {
    expect(layouts.write('{"id":"1"', body)).toBeUndefined();
  });

  it('is left alone when too many different ones were seen, and the known ones are written on', () => {
    const many = new BodyLayouts(rules);
    expect(many.write('{"id":"1"', '{"a":1}')).toBe('{"id":"1","a":1,"b":[],"c":false}');
    const written = Array.from({ length: 6_000 }, (_, index) => many.write('{"id":"1"', `{"x${index}":1}`) !== undefined);
    expect(written.filter(Boolean)).toHaveLength(4_999);
    expect(many.write('{"id":"1"', '{"a":2}')).toBe('{"id":"1","a":2,"b":[],"c":false}');
  });
});
