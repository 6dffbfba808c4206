import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/cli.js';
import { runCli } from '../support/run-cli.js';

/** The configurations that guides show as whole files: blocks of YAML with a `version`. */
const wholeConfigurationsOf = (guide: string): string[] =>
  [
    ...readFileSync(join(root, 'docs/guides', guide), 'utf8').matchAll(
      /```yaml\n(version: 1\n[\s\S]*?)```/g,
    ),
  ].map(([, text = '']) => text);

test.each(['coming-from-az-scripts.md'])(
  'the configurations of docs/guides/%s have no findings',
  async (guide) => {
    const files = wholeConfigurationsOf(guide);
    expect(files.length).toBeGreaterThan(0);
    const folder = mkdtempSync(join(tmpdir(), 'castellan-guide-'));
    try {
      for (const text of files) {
        writeFileSync(join(folder, 'castellan.yaml'), text);
        expect(await runCli(['check'], { cwd: folder })).toMatchObject({
          exitCode: 0,
          stdout: expect.stringContaining('0 errors, 0 warnings') as string,
        });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
