import { literalData, literalText } from '../../../constructs/internal/literal-text.js';
import { Token } from '../../../constructs/index.js';

describe('literalText', () => {
  it.each([
    ['plain', 'plain'],
    ['${a}', '$${a}'],
    ['$${a}', '$$${a}'],
    ['%{ if }', '%%{ if }'],
    ['$5 and 100%', '$5 and 100%'],
  ])('writes %j as %j', (given, written) => {
    expect(literalText(given)).toBe(written);
  });

  it('keeps tokens', () => {
    const token = Token.asString({
      resolve: () => '${x.y}',
      creationStack: [],
      toString: () => '',
    } as never);
    expect(literalText(`\${a} ${token}`)).toBe(`$\${a} ${token}`);
  });

  it('goes into data, keys included', () => {
    expect(literalData({ '${k}': ['${v}', 1, true, null] })).toEqual({
      '$${k}': ['$${v}', 1, true, null],
    });
  });
});
