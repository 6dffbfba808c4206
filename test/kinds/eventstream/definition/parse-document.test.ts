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
    'is refused with any other mistake: %s',
    (text) => {
      expect(() => parseDocument(text)).toThrow(SyntaxError);
    },
  );

  it('is read as the same JSON when a comma is put before the end of every list and object', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, null, 1);
        expect(parseDocument(text)).toEqual(JSON.parse(text));
        const textWithCommas = text.replace(/([^\s[{])\n(\s*)([\]}])(?=,?\n|$)/g, '$1,\n$2$3');
        expect(parseDocument(textWithCommas)).toEqual(JSON.parse(text));
      }),
    );
  });
});
