import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { folderWithCastellan, quietNpm } from './installed-package.js';

/** The result of a shell command line. */
export interface ShellResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a shell command line in a project; PATH has the commands of the project and of the packed
 * package.
 */
export async function runInProject(project: string, line: string): Promise<ShellResult> {
  const folders = [project, await folderWithCastellan()];
  const path = [
    ...folders.map((folder) => join(folder, 'node_modules/.bin')),
    process.env['PATH'] ?? '',
  ].join(delimiter);
  const env = {
    ...process.env,
    ...quietNpm,
    CI: '1',
    PATH: path,
    npm_config_ignore_scripts: 'true',
  };
  const options = { cwd: project, env, maxBuffer: 1 << 26 };
  return new Promise((done) => {
    execFile('bash', ['-c', line], options, (error, stdout, stderr) =>
      done({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

/**
 * Like {@link runInProject}, but throws if it fails. @returns what it prints on stdout and stderr
 */
export async function runSuccessfully(project: string, line: string): Promise<string> {
  const { exitCode, stdout, stderr } = await runInProject(project, line);
  if (exitCode !== 0)
    throw new Error(`${line} ended with ${String(exitCode)}:\n${stdout}${stderr}`);
  return stdout + stderr;
}
