import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../support/run-cli.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-base-'));
  git('init');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: folder, stdio: 'ignore' });
const write = (content: string) => writeFileSync(join(folder, 'castellan.yaml'), `version: 1\nstack: shop\n${content}`);
const commit = (content: string) => {
  write(content);
  git('add', '.');
  git('commit', '--message', 'before');
};
const app = (name: string) => `  ${name}: { image: "web:1", targetPort: 80, ingress: { external: true } }\n`;

describe('castellan check --base', () => {
  it('fails for what is new only, and says what is unchanged and fixed', async () => {
    commit(`containerApps:\n${app('old')}${app('gone')}`);
    write(`containerApps:\n${app('old')}`);
    const same = await runCli(['check', '--base', 'HEAD'], { cwd: folder });
    expect([same.exitCode, same.stdout]).toEqual([0, expect.stringContaining('1 unchanged, 1 fixed') as string]);
    expect(same.stdout).toContain('auth-public-app (unchanged)');
    write(`containerApps:\n${app('old')}${app('fresh')}`);
    const changed = await runCli(['check', '--base', 'HEAD', '--format', 'json'], { cwd: folder });
    const { findings } = JSON.parse(changed.stdout) as { findings: { path: string[]; change: string }[] };
    expect([changed.exitCode, findings.map(({ path, change }) => `${path[1]} ${change}`)]).toEqual([1, ['old unchanged', 'fresh new']]);
  });

  it('names what a change destroys, before any plan', async () => {
    commit('workspaces: { w: { displayName: W } }\neventhouses:\n  h: { workspace: w, displayName: h }\n');
    write('workspaces: { w: { displayName: W } }\n');
    const { exitCode, stdout } = await runCli(['check', '--base', 'HEAD'], { cwd: folder });
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('"h" is gone: the eventhouse is deleted with all its data') as string]);
  });

  it('says so when there is nothing to compare with', async () => {
    write('');
    expect(await runCli(['check', '--base', 'nowhere'], { cwd: folder })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('CAS7004') as string,
    });
  });
});
