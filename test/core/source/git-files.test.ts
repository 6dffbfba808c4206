import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { mergeBaseFiles } from '../../../core/source/git-files.js';
import { workTreeFiles } from '../../../core/source/work-tree-files.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-git-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
const git = (where: string, ...args: string[]) =>
  execFileSync('git', [...identity, '-c', 'protocol.file.allow=always', ...args], {
    cwd: join(folder, where),
    stdio: 'pipe',
  }).toString();
const repository = (name: string, files: Readonly<Record<string, string>>) => {
  mkdirSync(join(folder, name), { recursive: true });
  git(name, 'init', '--initial-branch', 'main');
  commit(name, files);
};
const commit = (name: string, files: Readonly<Record<string, string>>) => {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, file)), { recursive: true });
    writeFileSync(join(folder, name, file), text);
  }
  git(name, 'add', '.');
  git(name, 'commit', '--message', 'more');
};
const read = (where: string, ref: string, path: string) =>
  Buffer.from(mergeBaseFiles(join(folder, where), ref).read(path)).toString();

/** The arguments of each process of git that a function starts. */
const gitProcesses = (run: () => void): readonly string[] => {
  const [programs, log] = [join(folder, 'programs'), join(folder, 'git.log')];
  const path = process.env['PATH'] ?? '';
  const real = path
    .split(delimiter)
    .map((each) => join(each, 'git'))
    .find((each) => existsSync(each));
  mkdirSync(programs);
  const script = `#!/bin/sh\necho "$*" >> '${log}'\nexec '${real}' "$@"\n`;
  writeFileSync(join(programs, 'git'), script, { mode: 0o755 });
  vi.stubEnv('PATH', `${programs}${delimiter}${path}`);
  try {
    run();
  } finally {
    vi.unstubAllEnvs();
  }
  return readFileSync(log, 'utf8').trim().split('\n');
};

test('refuses a shallow clone without a common commit, with the command that helps', () => {
  repository('origin', { a: '1' });
  commit('origin', { a: '2' });
  git('origin', 'checkout', '-b', 'change', 'HEAD~1');
  commit('origin', { b: '1' });
  const from = `file://${join(folder, 'origin')}`;
  git('.', 'clone', '--depth', '1', '--no-single-branch', '--branch', 'change', from, 'clone');
  const command = 'git fetch --unshallow origin main:refs/remotes/origin/main';
  expect(() => mergeBaseFiles(join(folder, 'clone'), 'origin/main')).toThrow(
    expect.objectContaining({
      code: 'CAS7006',
      message: expect.stringContaining(`this clone is shallow; run ${command}`) as string,
    }),
  );
  git('clone', ...command.split(' ').slice(1));
  expect(read('clone', 'origin/main', 'a')).toBe('1');
});

test('takes the first part of a name for a remote only where there is one', () => {
  repository('app', { a: '1' });
  const message = (ref: string) => {
    try {
      mergeBaseFiles(join(folder, 'app'), ref);
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(message('feature/login')).toContain('run git fetch origin, or');
  expect(message('team/main')).toContain('run git fetch origin, or');
  expect(message('release')).toContain('run git fetch origin, or');
  git('app', 'remote', 'add', 'team', 'https://example.com/team.git');
  expect(message('team/main')).toContain('run git fetch team main:refs/remotes/team/main, or');
});

test('refuses a branch of another history', () => {
  repository('origin', { a: '1' });
  git('origin', 'checkout', '--orphan', 'other');
  commit('origin', { a: '2' });
  expect(() => mergeBaseFiles(join(folder, 'origin'), 'main')).toThrow(
    /their histories are unrelated/,
  );
});

test('takes a branch before a tag of its name', () => {
  repository('app', { a: '1' });
  git('app', 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  commit('app', { a: '2' });
  git('app', 'tag', 'origin/main');
  expect(read('app', 'origin/main', 'a')).toBe('1');
});

test('takes a branch of a remote before one of this clone', () => {
  repository('app', { a: '1' });
  git('app', 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  commit('app', { a: '2' });
  git('app', 'branch', 'origin/main');
  expect(read('app', 'origin/main', 'a')).toBe('1');
});

test('takes the commit of a tag that a branch of a remote names', () => {
  repository('app', { a: '1' });
  git('app', 'tag', '--annotate', '--message', 'a tag', 'first');
  git('app', 'update-ref', 'refs/remotes/origin/main', 'first');
  expect(read('app', 'origin/main', 'a')).toBe('1');
});

test('reads all configurations of a commit with one process', () => {
  const texts: Readonly<Record<string, string>> = {
    'castellan.yaml': 'one\ntwo\n\n',
    'shop/castellan.prod.yaml': '',
    'shop/castellan.yaml': 'é without an end of line',
    'shop/castellan.copy.yaml': 'one\ntwo\n\n',
    'other.yaml': 'missing\n0 blob 0\n',
  };
  repository('app', texts);
  const files = mergeBaseFiles(join(folder, 'app'), 'main');
  const processes = gitProcesses(() => {
    for (const [path, text] of Object.entries(texts))
      expect(Buffer.from(files.read(path)).toString()).toBe(text);
  });
  expect(processes.map((each) => each.split(' ').slice(0, 2).join(' '))).toEqual([
    'ls-tree -r',
    'cat-file --batch',
    'cat-file blob',
  ]);
});

test('reads what is missing in the history with the error of git', () => {
  repository('app', { 'castellan.yaml': '1', 'castellan.policy.yaml': '2' });
  const files = mergeBaseFiles(join(folder, 'app'), 'main');
  expect(files.stat('castellan.yaml').kind).toBe('file');
  const id = git('app', 'rev-parse', 'HEAD:castellan.yaml').trim();
  rmSync(join(folder, 'app/.git/objects', id.slice(0, 2), id.slice(2)));
  expect(Buffer.from(files.read('castellan.policy.yaml')).toString()).toBe('2');
  expect(() => files.read('castellan.yaml')).toThrow(/fatal/);
});

test('lists the files of a work tree: tracked, of submodules, and new ones', () => {
  repository('shared', { p: '1' });
  repository('app', { a: '1', 'sub/b': '1', '.gitignore': 'ignored' });
  const untracked = '? H 160000 0 0\tx';
  for (const name of ['ignored', untracked, 'sub/new'])
    writeFileSync(join(folder, 'app', name), '');
  const tracked = () =>
    [...(workTreeFiles(join(folder, 'app/sub'), 'main').tracked?.() ?? [])].sort();
  const paths = (...names: string[]) => names.map((name) => join(folder, 'app', name)).sort();
  const before = ['.gitignore', 'a', 'sub/b', untracked, 'sub/new'];
  expect(tracked()).toEqual(paths(...before));
  git('app', 'submodule', 'add', join(folder, 'shared'), 'shared');
  expect(tracked()).toEqual(paths(...before, '.gitmodules', 'shared/p'));
});

test('reads the base of a work tree once', () => {
  repository('app', { a: '1' });
  const files = workTreeFiles(join(folder, 'app'), 'main');
  const processes = gitProcesses(() => {
    expect(files.baseFiles()).toBe(files.baseFiles());
  });
  expect(processes.map((each) => each.split(' ')[0])).toEqual(['merge-base']);
});

test('reads a submodule at the commit that the base names', () => {
  repository('shared', { 'rules/policy.yaml': 'old' });
  repository('app', { a: '1' });
  git('app', 'submodule', 'add', join(folder, 'shared'), 'vendor/shared');
  commit('app', {});
  git('app', 'checkout', '-b', 'change');
  commit('app/vendor/shared', { 'rules/policy.yaml': 'new' });
  commit('app', {});
  expect(read('app', 'main', 'vendor/shared/rules/policy.yaml')).toBe('old');
  const files = mergeBaseFiles(join(folder, 'app'), 'main');
  expect(files.list('vendor')).toEqual(['shared/']);
  expect(files.list('vendor/shared')).toEqual(['rules/']);
  expect(files.stat('vendor/shared/rules/none.yaml').kind).toBe('missing');
});

test('refuses to read a submodule that is not checked out', () => {
  repository('shared', { p: 'old' });
  repository('app', { a: '1' });
  git('app', 'submodule', 'add', join(folder, 'shared'), 'shared');
  commit('app', {});
  rmSync(join(folder, 'app/shared'), { recursive: true });
  const files = mergeBaseFiles(join(folder, 'app'), 'main');
  expect(files.list('shared')).toEqual([]);
  expect(() => files.read('shared/p')).toThrow(/git submodule update --init shared/);
});

test('follows symbolic links to files and folders', () => {
  repository('app', { 'real/a': '1' });
  symlinkSync('real', join(folder, 'app/linked'));
  symlinkSync('real/a', join(folder, 'app/b'));
  commit('app', {});
  expect([read('app', 'main', 'linked/a'), read('app', 'main', 'b')]).toEqual(['1', '1']);
  expect(mergeBaseFiles(join(folder, 'app'), 'main').list('linked')).toEqual(['a']);
});
