import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderMarkdown } from '../../cli/markdown.js';
import { plainOutput } from '../../core/text/terminal.js';
import { root } from '../support/cli.js';

const page =
  '# a-rule\n\nTitle with `code`.\n\n* Source: [Rules](../rules.md), "Limits"\n\n## Why\n\n```yaml\nversion: 1\n```\n';

describe('a page on a terminal', () => {
  it('shows headings, points, links and code without Markdown syntax', () => {
    expect(renderMarkdown(page, { color: false, columns: 80 })).toBe(
      'a-rule\n\nTitle with `code`.\n\n• Source: Rules, "Limits"\n\nWHY\n\n    version: 1\n',
    );
    expect(renderMarkdown(page, { color: true, columns: 80 })).toContain(
      '\u001b[1mWHY\u001b[0m\n\n\u001b[36m    version: 1\u001b[0m\n',
    );
  });

  it('is the source in files and pipes', () => {
    expect(renderMarkdown(page, plainOutput)).toBe(page);
  });

  it('fits at 40 columns, but for code and long words, on the page of every rule', () => {
    const folder = join(root, 'docs/rules');
    for (const file of readdirSync(folder)) {
      const lines = renderMarkdown(readFileSync(join(folder, file), 'utf8'), {
        color: false,
        columns: 40,
      }).split('\n');
      const tooLong = lines.filter(
        (line) => line.length > 40 && !line.startsWith('    ') && !/\S{38}/.test(line),
      );
      expect({ file, tooLong }).toEqual({ file, tooLong: [] });
    }
  });
});
