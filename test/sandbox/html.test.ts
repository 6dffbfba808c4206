import fc from 'fast-check';
import { Html, html, page } from '../../sandbox/html.js';
import { anyText } from '../support/any-text.js';

test('values are escaped, markup and lists of it are not, nullish values are omitted', () => {
  expect(
    html`<b title="${'"><script>'}">${['<', html`<i>x</i>`]}${undefined}${false}${0}</b>`.text,
  ).toBe('<b title="&#34;&#62;&#60;script&#62;">&#60;<i>x</i>0</b>');
});

test('no text can break out of its place', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { text: markup } = html`<p id="${text}">${text}</p>`;
      expect(
        markup
          .replace(/^<p id="/, '')
          .replace(/<\/p>$/, '')
          .replace('">', ''),
      ).not.toMatch(/[<>"'`]/);
    }),
  );
});

test('a page runs no scripts and loads nothing', () => {
  const text = page('A & B', new Html('<p>x</p>'));
  expect(text).toContain('<title>A &#38; B</title>');
  expect(text).not.toMatch(/<script|src=|@import|url\(/);
});
