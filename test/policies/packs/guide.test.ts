import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCli } from '../../support/run-cli.js';

const guide = readFileSync(join(__dirname, '../../../docs/guides/write-a-rule.md'), 'utf8');
const block = (language: string, index: number): string =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))][index]?.[1] ?? '';

describe('docs/guides/write-a-rule.md', () => {
  it('leads to a rule that runs, with its option, its fix and its test', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-guide-'));
    const write = (name: string, content: string): void => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    };
    try {
      write('rules/no-red.ts', block('ts', 0));
      write('castellan.policy.yaml', block('yaml', 0));
      write('groups.policy-test.yaml', block('yaml', 1));
      write('castellan.yaml', 'version: 1\nstack: shop\ngroups:\n  alarms: { kind: unified, displayName: Alarms, theme: Red }\n');
      const check = await runCli(['check'], { cwd: folder });
      expect([check.exitCode, check.stdout]).toEqual([
        1,
        expect.stringContaining('castellan.yaml:4:56 error no-red\n  the theme of "alarms" is Red; take Teal\n') as string,
      ]);
      expect(await runCli(['test'], { cwd: folder })).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining('ok      groups.policy-test.yaml: red groups are refused') as string,
      });
      expect((await runCli(['fix'], { cwd: folder })).exitCode).toBe(0);
      expect(readFileSync(join(folder, 'castellan.yaml'), 'utf8')).toContain('theme: Teal');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
