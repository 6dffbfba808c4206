import { describeAllowed } from '../../../core/text/nearest.js';

describe('a list of allowed words', () => {
  const many = Array.from({ length: 20 }, (_, index) => `word${index}`);

  it('is whole where it is short', () =>
    expect(describeAllowed('x', ['a', 'b'], 'page.md')).toBe('a, b'));
  it('names the nearest five of a long one, and the page that has the others', () => {
    expect(describeAllowed('word19', many, 'page.md')).toBe(
      'word19, word1, word9, word10, word11 (5 of 20; page.md lists all)',
    );
  });
  it('names five even if the given value is not a text', () => {
    expect(describeAllowed(7, many, 'page.md')).toBe(
      'word0, word1, word2, word3, word4 (5 of 20; page.md lists all)',
    );
  });
});
