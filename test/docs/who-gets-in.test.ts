import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../support/cli.js';
import { runCli } from '../support/run-cli.js';

const page = join(root, 'docs/guides/who-gets-in.md');
/** A command of the page, with its output below it. */
const commandPattern = /^(`{3,4})\w*\n\$ castellan (access [^\n]*)\n([\s\S]*?)^\1$/gm;

/**
 * The storefront in a repository, and the change of the page's pull request beside what is
 * committed.
 */
function repository(guide: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-guide-'));
  const example = join(folder, 'examples/storefront');
  mkdirSync(example, { recursive: true });
  for (const file of ['castellan.yaml', 'seed.yaml'])
    cpSync(join(root, 'examples/storefront', file), join(example, file));
  writeFileSync(
    join(folder, 'people.yaml'),
    /```yaml people\.yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? '',
  );
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: folder,
    });
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'before');
  return folder;
}

// UPDATE_DOCS=1 writes what the commands print now into the page.
test('the commands of the guide print what it shows, the comment on its pull request included', async () => {
  const guide = readFileSync(page, 'utf8');
  const folder = repository(guide);
  const [, before = '', after = ''] =
    /^-( +dynamicMembership: .*)\n\+( +dynamicMembership: .*)$/m.exec(guide) ?? [];
  const config = join(folder, 'examples/storefront/castellan.yaml');
  const declared = readFileSync(config, 'utf8');
  expect(declared).toContain(before);
  const outputs: string[] = [];
  for (const [, , line = ''] of guide.matchAll(commandPattern)) {
    writeFileSync(config, line.includes('--base') ? declared.replace(before, after) : declared);
    const { stdout, stderr } = await runCli(line.split(' '), { cwd: folder });
    outputs.push(stdout === '' ? stderr : stdout);
  }
  rmSync(folder, { recursive: true });
  let outputIndex = 0;
  const updatedGuide = guide.replace(commandPattern, (_all, fence: string, line: string) => {
    const language = fence.length === 4 ? 'markdown' : '';
    return `${fence}${language}\n$ castellan ${line}\n${outputs[outputIndex++] ?? ''}${fence}`;
  });
  expect(outputs.length).toBeGreaterThan(4);
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, updatedGuide);
  else expect(updatedGuide).toBe(guide);
});
