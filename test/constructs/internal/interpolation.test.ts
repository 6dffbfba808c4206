import {
  escapeInterpolationIn,
  escapeInterpolation,
} from '../../../constructs/internal/interpolation.js';
import { Token } from '../../../constructs/index.js';

describe('escapeInterpolation', () => {
  it.each([
    ['plain', 'plain'],
    ['${a}', '$${a}'],
    ['$${a}', '$$${a}'],
    ['%{ if }', '%%{ if }'],
    ['$5 and 100%', '$5 and 100%'],
  ])('writes %j as %j', (text, escapedText) => {
    expect(escapeInterpolation(text)).toBe(escapedText);
  });

  it('keeps tokens', () => {
    const token = Token.asString({
      resolve: () => '${x.y}',
      creationStack: [],
      toString: () => '',
    } as never);
    expect(escapeInterpolation(`\${a} ${token}`)).toBe(`$\${a} ${token}`);
  });

  it('escapes data, keys included', () => {
    expect(escapeInterpolationIn({ '${k}': ['${v}', 1, true, null] })).toEqual({
      '$${k}': ['$${v}', 1, true, null],
    });
  });
});
