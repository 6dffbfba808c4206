import { renderMessage } from '../../../policies/engine/rule.js';

describe('the values in a message', () => {
  it.each<[string, unknown]>([
    ['a text', 'x'.repeat(5_000)],
    ['a map', { a: 'x'.repeat(5_000) }],
    ['a text that would be cut within a character', `${'x'.repeat(116)}${'😀'.repeat(10)}`],
  ])('are short: %s', (_what, given) => {
    const message = renderMessage('{given} is wrong', { given });
    expect(message.length).toBeLessThanOrEqual(120 + ' is wrong'.length);
    expect(message).toMatch(/… is wrong$/);
    expect(message).not.toMatch(/\p{Surrogate}/u);
  });

  it('are whole where they are short', () => {
    const given = { a: 1 };
    expect(renderMessage('{given}, {other}', { given, other: null })).toBe('{"a":1}, null');
  });
});
