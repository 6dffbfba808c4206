import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ModuleKind, transpileModule } from 'typescript';
import * as policies from '../../../policies/index.js';
import { runCli } from '../../support/run-cli.js';

const guide = readFileSync(join(__dirname, '../../../docs/guides/write-a-rule.md'), 'utf8');
const codeBlock = (language: string, index: number): string =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))][index]?.[1] ?? '';

describe('docs/guides/write-a-rule.md', () => {
  it('leads to a rule that runs, with its option, its fix and its test', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-guide-'));
    const write = (name: string, content: string): void => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    };
    try {
      write('rules/no-red.ts', codeBlock('ts', 0));
      write('castellan.policy.yaml', codeBlock('yaml', 0));
      write('castellan.yaml', codeBlock('yaml', 1));
      write('groups.policy-test.yaml', codeBlock('yaml', 3));
      const check = await runCli(['check'], { cwd: folder });
      expect([check.exitCode, check.stdout]).toEqual([
        1,
        expect.stringContaining(
          'castellan.yaml:4:56 error no-red\n  the theme of "alarms" is Red; use Teal\n',
        ) as string,
      ]);
      expect(await runCli(['test'], { cwd: folder })).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining(
          'ok      groups.policy-test.yaml: red groups are refused',
        ) as string,
      });
      expect((await runCli(['fix'], { cwd: folder })).exitCode).toBe(0);
      expect(readFileSync(join(folder, 'castellan.yaml'), 'utf8')).toContain('theme: Teal');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('shows a test of the rule that passes', async () => {
    const tests: (() => Promise<void>)[] = [];
    const load = (
      source: string,
      modules: Readonly<Record<string, unknown>>,
    ): Record<string, unknown> => {
      const exports: Record<string, unknown> = {};
      const { outputText } = transpileModule(source, {
        compilerOptions: { module: ModuleKind.CommonJS },
      });
      const run = new Function('require', 'exports', 'it', outputText) as (
        ...given: unknown[]
      ) => void;
      run(
        (name: string) => modules[name],
        exports,
        (_: string, test: () => Promise<void>) => tests.push(test),
      );
      return exports;
    };
    const rule = load(codeBlock('ts', 0), { 'castellan/policies': policies });
    load(codeBlock('ts', 1), { 'castellan/policies': policies, './no-red': rule });
    expect(tests).toHaveLength(2);
    for (const test of tests) await test();
  });
});

describe('examples/own-rules', () => {
  it('passes the tests of its own rules, of every kind', async () => {
    const cwd = join(__dirname, '../../../examples/own-rules');
    const check = await runCli(['check'], { cwd });
    expect([check.exitCode, check.stdout]).toEqual([
      0,
      expect.stringContaining('0 errors, 0 warnings, 1 suppressed'),
    ]);
    const test = await runCli(['test'], { cwd });
    expect([test.exitCode, test.stdout]).toEqual([
      0,
      expect.stringContaining('1 file, 4 passed, 0 failed'),
    ]);
  });
});
