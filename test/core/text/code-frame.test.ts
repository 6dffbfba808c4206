import { SourceText } from '../../../core/source/source-text.js';
import { codeFrame } from '../../../core/text/code-frame.js';

const lines = [
  'secret: "hunter2"',
  'key: |',
  '  -----BEGIN KEY-----',
  '  MIIEvQIBADANBg',
  '  -----END KEY-----',
  'name: shop',
];
const source = new SourceText('castellan.yaml', lines.join('\n'));
/** Where the text of lines is, all of it from one column on. */
const place = (line: number, column: number, endLine: number) => ({
  file: 'castellan.yaml',
  line,
  column,
  endLine,
  endColumn: (lines[endLine - 1] ?? '').length + 1,
});
const secret = place(1, 9, 1);
const key = place(2, 6, 5);

describe('the lines around a place', () => {
  it('have it underlined, with one line before and one after', () => {
    expect(codeFrame(source, place(2, 1, 2))).toBe(
      [
        '  1 | secret: "hunter2"',
        '> 2 | key: |',
        '    | ^^^^^^',
        '  3 |   -----BEGIN KEY-----',
      ].join('\n'),
    );
  });

  it('show a dot for each character of a secret, on every line of it', () => {
    const frames = lines.map((_, index) =>
      codeFrame(source, place(index + 1, 1, index + 1), [secret, key]),
    );
    expect(frames.join('\n')).not.toMatch(/hunter2|BEGIN|MII|END/);
    expect(frames[3]).toBe(
      [
        `  3 | ${'•'.repeat(21)}`,
        `> 4 | ${'•'.repeat(16)}`,
        `    | ${'^'.repeat(16)}`,
        `  5 | ${'•'.repeat(19)}`,
      ].join('\n'),
    );
    expect(frames[0]).toContain(`> 1 | secret: ${'•'.repeat(9)}`);
    expect(frames[5]).toContain('> 6 | name: shop');
  });

  it('hide nothing for a secret at the same place of another file', () => {
    const elsewhere = { ...secret, file: 'other.yaml' };
    expect(codeFrame(source, place(1, 1, 1), [elsewhere])).toContain('hunter2');
  });

  it('pass no control character to the terminal', () => {
    const hostile = new SourceText('a.yaml', 'name: \u001b[31mred\u0007');
    const frame = codeFrame(hostile, { file: 'a.yaml', line: 1, column: 7 });
    expect(frame).toBe('> 1 | name: \ufffd[31mred\ufffd\n    |       ^^^^^^^^^');
  });
});
