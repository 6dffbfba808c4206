import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changedFiles } from '../../../core/source/changed-files.js';

describe('the changed files, if no base is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-changed-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(() => vi.unstubAllEnvs());

  it('need git', () => {
    vi.stubEnv('PATH', folder);
    expect(() => changedFiles(folder)).toThrow(
      'there is nothing to compare with: git is not installed',
    );
  });

  it('need a repository', () => {
    expect(() => changedFiles(folder)).toThrow(
      'there is nothing to compare with: fatal: not a git repository',
    );
  });

  it('need a branch of a usual name', () => {
    execFileSync('git', ['init', '--initial-branch', 'trunk'], { cwd: folder, stdio: 'pipe' });
    expect(() => changedFiles(folder)).toThrow('there is no branch origin/HEAD, origin/main');
  });
});
