import { trimEnd } from '../../../core/text/trim-end.js';

test.each([
  ['https://a.example//', '/', 'https://a.example'],
  ['/a/b', '/', '/a/b'],
  ['a \r\n\t', ' \t\r\n', 'a'],
  ['///', '/', ''],
  ['', '/', ''],
  [`${'/'.repeat(1_000_000)}x`, '/', `${'/'.repeat(1_000_000)}x`],
])('a text ends without given characters (%#)', (text, characters, expected) => {
  expect(trimEnd(text, characters)).toBe(expected);
});
