import fc from 'fast-check';
import { parseDocument } from '../../../../kinds/eventstream/definition/parse-document.js';

describe('the text of eventstream.json', () => {
  it.each([
    ['{"a":[1,],}', { a: [1] }],
    ['[1 ,\n ]', [1]],
    ['{"a":",]",}', { a: ',]' }],
    ['{"a":"\\",}",}', { a: '",}' }],
    ['\uFEFF{"a":1}', { a: 1 }],
  ])('may have a comma after the last entry: %s', (text, value) =>
    expect(parseDocument(text)).toEqual(value),
  );

  it.each(['{,}', '[,]', '[1,,]', '{"a":1,,}', ',', '', '{"a"', '"abc'])(
    'is no JSON for any other reason: %s',
    (text) => {
      expect(() => parseDocument(text)).toThrow(SyntaxError);
    },
  );

  it('means what JSON means, with commas put in wherever a list or an object ends', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, null, 1);
        expect(parseDocument(text)).toEqual(JSON.parse(text));
        const commas = text.replace(/([^\s[{])\n(\s*)([\]}])(?=,?\n|$)/g, '$1,\n$2$3');
        expect(parseDocument(commas)).toEqual(JSON.parse(text));
      }),
    );
  });
});
