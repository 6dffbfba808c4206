import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cliPath } from '../support/cli.js';
import { describeWithTool } from '../support/require-tool.js';
import { runCliWithTestEnvironment } from '../support/run-cli.js';

const project = mkdtempSync(join(tmpdir(), 'castellan-approval-'));
const file = join(project, 'castellan.yaml');

afterAll(async () => {
  await runCliWithTestEnvironment(['sandbox', 'stop'], { cwd: project });
  rmSync(project, { recursive: true, force: true });
});

describeWithTool('script', 'an approval on a terminal', (script) => {
  /** Runs a command on a terminal of its own and types an answer when it asks. */
  const runAndAnswer = (
    answer: string,
    ...args: string[]
  ): Promise<{ readonly exitCode: number | null; readonly screen: string }> => {
    const { CI: _ci, ...env } = process.env;
    const command = [process.execPath, cliPath, ...args].map((word) => `'${word}'`).join(' ');
    const child = spawn(script, ['-qec', command, '/dev/null'], { cwd: project, env });
    let screen = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const asked = screen.includes(' to go on: ');
      screen += text;
      if (!asked && screen.includes(' to go on: ')) child.stdin.write(`${answer}\n`);
    });
    return new Promise((done) => child.once('close', (exitCode) => done({ exitCode, screen })));
  };
  const readStatus = async (): Promise<string> =>
    (await runCliWithTestEnvironment(['status'], { cwd: project })).stdout;

  it('requires the name of a protected environment, and nothing else', async () => {
    await runCliWithTestEnvironment(['init', 'groups', '--name', 'shop'], { cwd: project });
    writeFileSync(file, `${readFileSync(file, 'utf8')}protected: true\n`);
    const declined = await runAndAnswer('yes', 'up');
    expect([declined.exitCode, declined.screen]).toEqual([
      2,
      expect.stringContaining('the answer was not "default": nothing was changed'),
    ]);
    expect(await readStatus()).not.toContain('applied');
    expect((await runAndAnswer('default', 'up')).exitCode).toBe(0);
    expect(await readStatus()).toMatch(/shop: \d+ resources? applied/);
  });

  it('asks before deleting, and not before creating', async () => {
    const [before, groups = ''] = readFileSync(file, 'utf8')
      .replace('protected: true\n', '')
      .split(/^groups:\n/m);
    const extraGroup =
      '  extra: { kind: security, displayName: Extra, mailNickname: extra, ownersManagedElsewhere: true }\n';
    writeFileSync(file, `${before ?? ''}groups:\n${extraGroup}${groups}`);
    const creation = await runAndAnswer('no', 'up');
    expect([creation.exitCode, creation.screen.includes('to go on')]).toEqual([0, false]);
    writeFileSync(file, `${before ?? ''}groups:\n${groups}`);
    expect(await runAndAnswer('no', 'up', '--allow-replace')).toMatchObject({ exitCode: 2 });
    const deletion = await runAndAnswer('yes', 'up', '--allow-replace');
    expect([deletion.exitCode, deletion.screen]).toEqual([
      0,
      expect.stringContaining('1 resource deleted'),
    ]);
  });
});
