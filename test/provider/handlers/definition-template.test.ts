import * as fc from 'fast-check';
import { normalizeJson } from '../../../provider/handlers/fabric/definition.js';
import { applyParameters } from '../../../provider/handlers/fabric/definition-parameters.js';
import { fillTokens } from '../../../provider/handlers/fabric/definition-tokens.js';

describe('the tokens of a definition', () => {
  test.each([
    ['{{ .Definition }}', { Definition: '{"a":"{{ .B }}"}' }, '{{}}', '{"a":"{{ .B }}"}'],
    ['a{{.X}}b{{ .Y }}', { X: '1' }, '{{}}', 'a1b<no value>'],
    ['{{ .constructor }}', {}, '{{}}', '<no value>'],
    ['a <<.X>> {{ stays }}', { X: '1' }, '<<>>', 'a 1 {{ stays }}'],
    ['@{ .X }@', { X: '1' }, '@{}@', '1'],
    ['a {{- .X -}} b', { X: '1' }, '{{}}', 'a1b'],
    ['a{{/* a remark */}}b{{ "{{" }}', {}, '{{}}', 'ab{{'],
    ['nothing to fill', {}, '{{}}', 'nothing to fill'],
  ])('are filled in %s', (text, tokens, delimiter, expected) =>
    expect(fillTokens(text, tokens as unknown as Record<string, string>, delimiter)).toBe(expected),
  );

  test('refuses actions that are not closed or not supported', () => {
    expect(() => fillTokens('a {{ b', {}, '{{}}')).toThrow('Tokens template');
    for (const action of ['if .X', '"\\x41"', '"a\tb"'])
      expect(() => fillTokens(`{{ ${action} }}`, {}, '{{}}')).toThrow('Tokens template');
  });

  test('any document passes through the one-token template unchanged', () => {
    fc.assert(
      fc.property(
        fc.string(),
        (document) =>
          fillTokens('{{ .Definition }}', { Definition: document }, '{{}}') === document,
      ),
    );
  });
});

describe('the parameters of a definition', () => {
  test('replace every text, and the value at a path', () => {
    const replace = (type: string, find: string, value: string) => [{ type, find, value }];
    expect(applyParameters('a $& a', replace('TextReplace', 'a', '$&'))).toBe('$& $& $&');
    expect(
      applyParameters('{"a":[{"b":1},{"b":2}]}', replace('JsonPathReplace', '$.a[1].b', 'x')),
    ).toBe('{"a":[{"b":1},{"b":"x"}]}');
    expect(
      applyParameters('{"a":[{"b":1},{"b":2}]}', replace('JsonPathReplace', '$.a[*].b', 'x')),
    ).toBe('{"a":[{"b":"x"},{"b":"x"}]}');
    expect(applyParameters('not json', replace('JsonPathReplace', '$.a', 'x'))).toBe('not json');
  });
});

describe('JSON content', () => {
  test('is written with sorted keys and without blanks, so that layout makes no difference', () => {
    expect(normalizeJson('{ "b": 1.0, "a": "<&>" }')).toBe('{"a":"\\u003c\\u0026\\u003e","b":1}');
    expect(normalizeJson('let T = 1;')).toBe('let T = 1;');
  });
});
