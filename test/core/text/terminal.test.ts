import fc from 'fast-check';
import {
  wrapLines,
  terminalLink,
  plainOutput,
  styled,
  styledDiff,
  terminalOutputOf,
  visibleLength,
} from '../../../core/text/terminal.js';

const narrow = { color: false, columns: 40 };

describe('what is printed on a terminal', () => {
  it.each([
    ['a terminal', { isTTY: true, columns: 80 }, {}, undefined, { color: true, columns: 80 }],
    ['a pipe', {}, {}, undefined, { color: false, columns: undefined }],
    [
      'a terminal with NO_COLOR',
      { isTTY: true, columns: 80 },
      { NO_COLOR: '1' },
      undefined,
      { color: false, columns: 80 },
    ],
    [
      'a terminal without colours',
      { isTTY: true, columns: 80 },
      { TERM: 'dumb' },
      undefined,
      { color: false, columns: 80 },
    ],
    [
      'a pipe with FORCE_COLOR',
      {},
      { FORCE_COLOR: '1' },
      undefined,
      { color: true, columns: undefined },
    ],
    [
      'a pipe with FORCE_COLOR=0',
      {},
      { FORCE_COLOR: '0' },
      undefined,
      { color: false, columns: undefined },
    ],
    ['a pipe with --color', {}, { NO_COLOR: '1' }, true, { color: true, columns: undefined }],
    [
      'a terminal with --no-color',
      { isTTY: true, columns: 80 },
      { FORCE_COLOR: '1' },
      false,
      { color: false, columns: 80 },
    ],
    [
      'a terminal that does not say how wide it is',
      { isTTY: true, columns: 0 },
      {},
      undefined,
      { color: true, columns: undefined },
    ],
  ] as const)('%s', (_name, stream, env, color, expected) => {
    expect(terminalOutputOf(stream, env, color)).toEqual(expected);
  });

  it('is wrapped between words, indented like the line', () => {
    expect(wrapLines('  the mail nickname has characters that are not allowed', narrow)).toBe(
      '  the mail nickname has characters that\n  are not allowed',
    );
    expect(wrapLines('one file and five resources and many, many rules', narrow)).toBe(
      'one file and five resources and many,\n  many rules',
    );
  });

  it('is indented to the last column if there is room', () => {
    expect(wrapLines('ok    docker      an engine answers, and runs images', narrow)).toBe(
      'ok    docker      an engine answers, and\n                  runs images',
    );
  });

  it('keeps a word longer than a line whole, so that it can be copied', () => {
    const url = `https://localhost:1234/${'x'.repeat(40)}`;
    expect(wrapLines(`page   ${url} and more`, narrow)).toBe(`page   ${url}\n       and more`);
  });

  it('indents a word that does not fit below the last column like the line', () => {
    const id = '3c41fed1-58ff-4a2e-96f1-32209d222765';
    expect(wrapLines(`  yes  audience    storefront-login: ${id}`, narrow)).toBe(
      `  yes  audience    storefront-login:\n  ${id}`,
    );
    expect(wrapLines(`groups.shoppers.id  ${id}`, narrow)).toBe(`groups.shoppers.id\n  ${id}`);
  });

  it('keeps a sign with its word', () => {
    const address = 'azuread_service_principal.shop-sign-in';
    expect(wrapLines(`    + ${address}`, narrow)).toBe(`    + ${address}`);
  });

  it('is not wrapped in a file', () => {
    const long = 'word '.repeat(100);
    expect(wrapLines(long, plainOutput)).toBe(long);
  });

  it('does not count colours and links as characters', () => {
    const screen = { color: true, columns: 40 };
    const head = `${styled('castellan.yaml:13:5', 'bold', screen)} ${styled('error', 'error', screen)} ${terminalLink('app-name', 'https://x.example', screen)}`;
    expect(visibleLength(head)).toBe('castellan.yaml:13:5 error app-name'.length);
    expect(wrapLines(head, screen)).toBe(head);
  });

  it('loses no word, and no line is wider than the screen unless one of its words is', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[ a-z]{0,200}$/),
        fc.integer({ min: 10, max: 100 }),
        (text, columns) => {
          const wrapped = wrapLines(text, { color: false, columns });
          expect(wrapped.split(/\s+/).filter(Boolean)).toEqual(text.split(/\s+/).filter(Boolean));
          const longest = Math.max(0, ...text.split(/\s+/).map((word) => word.length));
          if (longest < columns / 3 && /^\S/.test(text) && !/ {2}/.test(text)) {
            for (const line of wrapped.split('\n'))
              expect(line.trimEnd().length).toBeLessThanOrEqual(columns);
          }
        },
      ),
    );
  });

  it('colours the lines of a difference', () => {
    const screen = { color: true, columns: 80 };
    expect(styledDiff('1 - a\n1 + b\n2   c', screen)).toBe(
      '\u001b[31m1 - a\u001b[0m\n\u001b[32m1 + b\u001b[0m\n2   c',
    );
    expect(styledDiff('1 - a', plainOutput)).toBe('1 - a');
  });
});
