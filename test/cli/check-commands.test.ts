import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '../../cli/packages/check.js';
import { root } from '../support/cli.js';
import { runCli } from '../support/run-cli.js';

describe('the package castellan-check', () => {
  it('has the commands that docs/guides/install.md lists', async () => {
    const page = readFileSync(join(root, 'docs/guides/install.md'), 'utf8');
    const row = page.split('\n').find((line) => line.startsWith('| `castellan-check` |')) ?? '';
    const listed = [...(row.split('|').at(-2) ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name);
    const { stdout } = await runCli(['--help'], { cwd: root }, main);
    const commands = [
      ...(stdout.split('\nCommands:')[0] ?? '').matchAll(/^ {2}(\w+) {2,}\S/gm),
    ].map(([, name]) => name);
    expect(listed).toEqual(commands);
  });

  it('names no command as the next step of init that it lacks', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'castellan-check-init-'));
    const { stdout } = await runCli(['init', 'groups', '--name', 'shop'], { cwd }, main);
    rmSync(cwd, { recursive: true });
    expect(stdout).toMatch(/\n {2}castellan check\n {2}npx --package castellan castellan up\n$/);
  });
});
