import { jsonMistake } from '../../../core/source/json-mistake.js';

function mistakeIn(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return jsonMistake(text, error);
  }
}

describe('the mistake in a text that is no JSON', () => {
  it.each([
    ['{\n "files": [x]}', /'x', line 2, column 12$/],
    ['{"a": 1,\n}', /, line 2, column 1$/],
    ['{"a" 1}', /, line 1, column 6$/],
    ['{"a": 1 "b": 2}', /, line 1, column 9$/],
    ['[1 2]', /, line 1, column 4$/],
    ['[01]', /, line 1, column 3$/],
    ['[1]\n]', /, line 2, column 1$/],
    ['["a\\x"]', /, line 1, column \d$/],
    ["{'a': 1}", /, line 1, column 2$/],
    ['# Contents\n', /, line 1, column 1$/],
  ])('has a place in %j', (text, expected) => {
    expect(mistakeIn(text)).toMatch(expected);
    expect(mistakeIn(text)).not.toMatch(/position|excerpt|"/);
  });

  it.each(['', '{', '{"a": [1,', '["abc', '{"a":\n'])('is the end of %j', (text) => {
    expect(mistakeIn(text)).toBe('it ends in the middle of its JSON');
  });

  it('is found behind long texts and many values', () => {
    const start = `["${'a\\n'.repeat(1_000_000)}", ${'[1], '.repeat(100_000)}`;
    expect(mistakeIn(`${start}x]`)).toMatch(
      new RegExp(`, line 1, column ${String(start.length + 1)}$`),
    );
  });
});
