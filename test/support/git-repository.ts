import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const settings = ['user.name=t', 'user.email=t@example.com', 'protocol.file.allow=always'];
const options = settings.flatMap((each) => ['-c', each]);

/** Runs git in a folder and returns its output. */
export function runGit(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', [...options, ...args], { cwd: folder, stdio: 'pipe' }).toString();
}

/**
 * Runs several commands of git, one after the other, until one fails. The process of a test is
 * large, and starting another one from it takes longer than what git does.
 */
export function runGitCommands(folder: string, ...commands: readonly (readonly string[])[]): void {
  const script = commands.map((args) => ['git', ...options, ...args].map(quote).join(' '));
  execFileSync('sh', ['-c', script.join(' && ')], { cwd: folder, stdio: 'pipe' });
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const preparedFolders = new Map<string, string>();

/**
 * A new repository whose branch `main` has one commit with these files.
 *
 * @param branch what is checked out, at that commit.
 */
export function newRepository(files: Readonly<Record<string, string>>, branch = 'main'): string {
  const key = JSON.stringify([files, branch]);
  const prepared = preparedFolders.get(key) ?? prepare(files, branch);
  preparedFolders.set(key, prepared);
  const folder = mkdtempSync(join(tmpdir(), 'castellan-repository-'));
  cpSync(prepared, folder, { recursive: true });
  return folder;
}

function prepare(files: Readonly<Record<string, string>>, branch: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-prepared-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  runGitCommands(
    folder,
    ['init', '--template=', '--initial-branch', 'main'],
    ['add', '--all', '--force'],
    ['commit', '--allow-empty', '--message', 'a commit'],
    ['checkout', '-B', branch],
  );
  return folder;
}
