import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configurationPages } from '../../../kinds/stack/reference-page.js';
import { referenceExamples } from '../../../kinds/stack/reference-examples.js';
import { sections } from '../../../kinds/stack/schema.js';
import { runCli } from '../../support/run-cli.js';
import { root } from '../../support/cli.js';

const pages = configurationPages();

describe('the reference of castellan.yaml', () => {
  it.each(Object.keys(pages))(
    'docs/reference/%s is what the schema says (UPDATE_DOCS=1 writes it)',
    (name) => {
      const file = join(root, 'docs/reference', name);
      if (process.env['UPDATE_DOCS']) writeFileSync(file, pages[name] ?? '');
      expect(readFileSync(file, 'utf8')).toBe(pages[name]);
    },
  );

  it('has a page of each section, and no other', () => {
    expect(readdirSync(join(root, 'docs/reference/configuration')).sort()).toEqual(
      Object.keys(pages)
        .flatMap((name) => /^configuration\/(.*)/.exec(name)?.[1] ?? [])
        .sort(),
    );
  });

  it('has an example of each section, and together they have no findings', async () => {
    expect(Object.keys(referenceExamples).sort()).toEqual(
      ['settings', ...Object.keys(sections)].sort(),
    );
    const cwd = mkdtempSync(join(tmpdir(), 'castellan-reference-'));
    writeFileSync(join(cwd, 'castellan.yaml'), Object.values(referenceExamples).join(''));
    const { exitCode, stdout } = await runCli(['check'], { cwd });
    rmSync(cwd, { recursive: true, force: true });
    expect([exitCode, stdout]).toEqual([
      0,
      expect.stringContaining('0 errors, 0 warnings, 0 suppressed, 0 unknown'),
    ]);
  });

  it('has a table of its own for each larger map', () => {
    const lengths = Object.values(pages)
      .join('\n')
      .split(/^(?!\|)/m)
      .map((block) => block.split('\n').filter((line) => line.startsWith('| `')).length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(45);
  });
});
